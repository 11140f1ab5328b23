/** Texts of the records of proposals and offers in Portuguese, by the English text. */
export const proposalFields: Readonly<Record<string, string>> = {
  "Instant in UTC, ISO 8601 with milliseconds": "Instante em UTC, ISO 8601 com milissegundos",
  "The earliest time of a retry; null if it is not known":
    "O primeiro instante para tentar de novo; null se não é conhecido",
  "Kind of rejection. `CUSTOMER_ACTION`: the customer can resolve it. `TEMPORARY`: it ends by itself. `FINAL`: it cannot be resolved. `UPSTREAM`: the lender was not available.":
    "Tipo da recusa. `CUSTOMER_ACTION`: o cliente pode resolver. `TEMPORARY`: termina por si. `FINAL`: não pode ser resolvida. `UPSTREAM`: a instituição não estava disponível.",
  "Proposal status. The usual order is `SUBMITTING`, `AWAITING_SIGNATURE`, `GUARANTEE_PENDING`, `DISBURSING`, `PAID`. `CORRECTION_NEEDED`: the lender refuses the KYC data until it is corrected, for at most seven days. A failed disbursement is `DISBURSEMENT_FAILED` until it is retried. Before `PAID` a proposal can become `CANCELLED` (by the caller, the customer, the lender or expiry) or `REJECTED` (by the lender). `CANCELLING`: the lender has not confirmed the cancellation. `REFUND_PENDING`: the customer withdrew from a paid contract, or the lender reverses it, and the customer has to pay the money back. `REFUNDED`: the paid contract was reversed. `SETTLED`: the paid contract was repaid in full.":
    "Status da proposta. A ordem usual é `SUBMITTING`, `AWAITING_SIGNATURE`, `GUARANTEE_PENDING` (averbação da garantia), `DISBURSING`, `PAID`. `CORRECTION_NEEDED`: a instituição recusa os dados do cadastro (KYC) até que sejam corrigidos, por no máximo sete dias. Um pagamento que falhou fica `DISBURSEMENT_FAILED` até ser repetido. Antes de `PAID`, uma proposta pode ficar `CANCELLED` (pelo integrador, pelo cliente, pela instituição ou por vencimento) ou `REJECTED` (pela instituição). `CANCELLING`: a instituição ainda não confirmou o cancelamento. `REFUND_PENDING`: o cliente desistiu de um contrato pago, ou a instituição o desfaz, e o cliente precisa devolver o dinheiro. `REFUNDED`: o contrato pago foi desfeito. `SETTLED`: o contrato pago foi quitado.",
  "Application status, derived from the latest quote, its offers, the proposal and the clock":
    "Status da solicitação, derivado da última cotação, das ofertas, da proposta e do relógio",
  "Proposal number for people: 10 characters of Crockford's base 32":
    "Número da proposta para pessoas: 10 caracteres da base 32 de Crockford",
  "Always `FGTS`": "Sempre `FGTS`",
  "Proposal status": "Status da proposta",
  "The id of the application's partner": "O id do parceiro da solicitação",
  "The id of the user or API client that accepted the offer; `host:` and an id for a user of the embedding service":
    "O id do usuário ou do cliente da API que aceitou a oferta; `host:` e um id para um usuário do serviço hospedeiro",
  "The API consumer's own reference": "A referência própria do consumidor da API",
  "When the offer was accepted": "Quando a oferta foi aceita",
  "When the proposal last changed": "Quando a proposta mudou pela última vez",
  "When the contract was repaid in full; null unless the status is `SETTLED`":
    "Quando o contrato foi quitado; null se o status não é `SETTLED`",
  "The anticipated annual withdrawals by due date": "Os saques-aniversário antecipados, por vencimento",
  "The lender's reference for the contract; null until the lender has confirmed it":
    "A referência do contrato na instituição; null até a instituição confirmá-lo",
  "Code of the table, for programs": "Código da tabela, para programas",
  "Name of the table, for people": "Nome da tabela, para pessoas",
  "The lender's table of rates and fees": "A tabela de taxas e tarifas da instituição",
  "When the customer accepted the offer": "Quando o cliente aceitou a oferta",
  "The customer's IP address, masked; null if unknown": "O endereço IP do cliente, mascarado; null se desconhecido",
  "The user agent of the customer's browser; null if unknown":
    "O user agent do navegador do cliente; null se desconhecido",
  "Evidence of the customer's acceptance": "Evidência da aceitação pelo cliente",
  "URL at which the customer signs; null unless the status is `AWAITING_SIGNATURE`":
    "URL em que o cliente assina; null se o status não é `AWAITING_SIGNATURE`",
  "The lender's code": "O código da instituição",
  "URL at which the customer performs the action; null if the lender names none":
    "URL em que o cliente faz a ação; null se a instituição não informa nenhuma",
  "Paths of KYC fields": "Caminhos de campos do cadastro (KYC)",
  "Action that the lender requires before it continues with the contract; otherwise null":
    "Ação que a instituição exige antes de continuar com o contrato; senão, null",
  "Amount paid to the customer, in reais": "Valor pago ao cliente, em reais",
  "When it was paid": "Quando foi pago",
  "End-to-end id of the PIX or TED payment; null if unknown":
    "Id fim a fim (end-to-end) do pagamento por Pix ou TED; null se desconhecido",
  "The payment to the customer, if the lender has stated it; otherwise null":
    "O pagamento ao cliente, se a instituição o informou; senão, null",
  "Amount that the customer pays back, in reais": "Valor que o cliente devolve, em reais",
  "PIX code for the customer's bank app": "Código Pix (copia e cola) para o aplicativo do banco do cliente",
  "The customer must pay before this time": "O cliente precisa pagar antes deste instante",
  "PIX payment with which the customer pays the money back, while the status is `REFUND_PENDING`; null until the lender has answered":
    "Pagamento Pix com que o cliente devolve o dinheiro, enquanto o status é `REFUND_PENDING`; null até a instituição responder",
  "Reason why the proposal was cancelled, rejected or refunded, or why the last disbursement failed; otherwise null":
    "Motivo pelo qual a proposta foi cancelada, recusada ou desfeita, ou pelo qual o último pagamento falhou; senão, null",
  "When the status was reached": "Quando o status foi atingido",
  "Code of the reason, if there is one; otherwise null": "Código do motivo, se há; senão, null",
  "All statuses, oldest first": "Todos os status, os mais antigos primeiro",
  "A proposal with all its fields": "Uma proposta com todos os campos",
  "Kind of rejection": "Tipo da recusa",
  "Rejection code": "Código da recusa",
  "Message for people: the lender's own text, or a text of Lastro in the language of `Accept-Language`":
    "Mensagem para pessoas: o texto da própria instituição, ou um texto do Lastro no idioma de `Accept-Language`",
  "True if a new quote can succeed, either now or, if `retry_at` is set, from that time on":
    "True se uma nova cotação pode ter sucesso, agora ou, se há `retry_at`, a partir dele",
  "The earliest time at which a retry can succeed, if known":
    "O primeiro instante em que uma nova tentativa pode ter sucesso, se conhecido",
  "Reason why there is no offer, why a contract ended, or why a disbursement failed":
    "Motivo pelo qual não há oferta, um contrato terminou ou um pagamento falhou",
  "Stable rejection code, for use in program logic": "Código de recusa estável, para uso na lógica de programas",
  "Kind of PIX key; null for a bank transfer": "Tipo da chave Pix; null para uma transferência bancária",
  "PIX key, masked except for its last four characters; null for a bank transfer. Without `kyc:read`, a CPF or CNPJ is masked completely.":
    "Chave Pix, mascarada, exceto os quatro últimos caracteres; null para uma transferência bancária. Sem `kyc:read`, um CPF ou CNPJ é mascarado por inteiro.",
  "Bank code (COMPE or ISPB); null for PIX": "Código do banco (COMPE ou ISPB); null para Pix",
  "Account type; null for PIX": "Tipo da conta; null para Pix",
  "Branch; null for PIX": "Agência; null para Pix",
  "Check digit of the branch; null if it has none": "Dígito verificador da agência; null se não há",
  "Account number, masked except for its last four digits; null for PIX":
    "Número da conta, mascarado, exceto os quatro últimos dígitos; null para Pix",
  "Check digit of the account, masked; null if it has none": "Dígito verificador da conta, mascarado; null se não há",
  "Disbursement account of the customer, masked": "Conta de pagamento do cliente, mascarada",
  "CC: conta corrente (checking), CP: poupança (savings), CS: salário (salary), PG: pagamento (payment)":
    "CC: conta corrente, CP: poupança, CS: salário, PG: pagamento",
  "Type of a PIX key. EVP is a random key. The type is never inferred: 11912345684 is both a valid phone number and a valid CPF.":
    "Tipo de uma chave Pix. EVP é uma chave aleatória. O tipo nunca é deduzido: 11912345684 é um telefone válido e um CPF válido.",
  "PIX: to a PIX key; BANK_TRANSFER: to a bank account":
    "PIX: para uma chave Pix; BANK_TRANSFER: para uma conta bancária",
  "Installment number, from 1": "Número da parcela, a partir de 1",
  "Due date of the annual withdrawal, YYYY-MM-DD": "Vencimento do saque-aniversário, YYYY-MM-DD",
  "Installment amount in reais": "Valor da parcela em reais",
  "Part of the installment that repays principal, in reais": "Parte da parcela que amortiza o principal, em reais",
  "Part of the installment that pays interest, in reais": "Parte da parcela que paga juros, em reais",
  "Calendar days from release to due date": "Dias corridos da liberação até o vencimento",
  "An anticipated annual withdrawal": "Um saque-aniversário antecipado",
  "Sum of the installments, in reais": "Soma das parcelas, em reais",
  "Principal in reais: the present value of the installments": "Principal em reais: o valor presente das parcelas",
  "IOF tax in reais, deducted from the principal": "IOF em reais, descontado do principal",
  "Lender's fee in reais, deducted from the principal": "Tarifa da instituição em reais, descontada do principal",
  "Interest rate in percent per month": "Taxa de juros em percentual ao mês",
  "Total effective cost (CET) in percent per year, two decimals":
    "Custo efetivo total (CET) em percentual ao ano, duas casas decimais",
  "Number of installments": "Número de parcelas",
  "Due date of the first installment, YYYY-MM-DD": "Vencimento da primeira parcela, YYYY-MM-DD",
  "Due date of the last installment, YYYY-MM-DD": "Vencimento da última parcela, YYYY-MM-DD",
  "Amounts, rates and term of the loan": "Valores, taxas e prazo do empréstimo",
  "The customer's name. Null after the personal data was erased.":
    "O nome do cliente. Null depois que os dados pessoais foram eliminados.",
  "CPF, masked except for its middle digits. It is shown in full only in a single proposal, to callers with `kyc:read`. Null after the personal data was erased.":
    "CPF, mascarado, exceto os dígitos do meio. Só aparece por inteiro em uma única proposta, para quem tem `kyc:read`. Null depois que os dados pessoais foram eliminados.",
  "The customer of a proposal": "O cliente de uma proposta",
  "Reason for the withdrawal": "Motivo da desistência",
  "Request body that withdraws from a paid contract": "Corpo da requisição que desiste de um contrato pago",
  "A proposal in a list": "Uma proposta em uma lista"
}
