import { type NameIn } from "../Api.ts"
import { type OperationText } from "./peopleTexts.ts"

/** The operations of applications and proposals in Portuguese. */
export const loanTexts: Readonly<Record<NameIn<"fgts" | "lenders" | "proposals">, OperationText>> = {
  listLenders: {
    summary: "Listar instituições",
    description:
      "Retorna as instituições do parceiro de quem chama, na ordem do roteamento. Depois delas, retorna as outras instituições dos " +
      "contratos na subárvore de quem chama. Exige `fgts:read`."
  },
  listApplications: {
    summary: "Listar ou buscar solicitações",
    description:
      "Retorna uma página das solicitações na subárvore de quem chama. Os filtros se combinam com E. `status` e `next_action` " +
      "são os do momento da requisição. `updated_at` é o instante do último evento, que o vencimento de uma oferta não muda.\n\n" +
      "Com `external_id` como único parâmetro, a resposta é `FgtsApplicationList`: as solicitações completas com essa " +
      "referência, as mais novas primeiro, no máximo 100. Uma referência pode se repetir. Acrescente um parâmetro como `size` " +
      "para receber uma página. CPFs são mascarados para quem não tem `kyc:read`. Exige `fgts:read`."
  },
  summarizeApplications: {
    summary: "Contar solicitações",
    description:
      "Conta as solicitações na subárvore de quem chama por status, próximo passo e status da proposta, no momento da " +
      "requisição. Recebe os filtros da lista, exceto `status`. Os filtros se combinam com E. Sem outros filtros além de " +
      "`next_action`, `proposal_status` e `partner_scope=subtree`, as contagens são guardadas, então a resposta é rápida para " +
      "qualquer número de solicitações. Exige `fgts:read`."
  },
  createApplication: {
    summary: "Criar uma solicitação e pedir uma cotação",
    description:
      "Cria uma solicitação de antecipação do saque-aniversário para um cliente e pede uma cotação à instituição. A solicitação " +
      "pertence ao parceiro de quem chama, ou a `partner_id` na subárvore dele. A cotação é uma tarefa durável: a resposta é " +
      "`QUOTING`; consulte o status até chegarem as ofertas. Use `Idempotency-Key` para evitar duplicatas; `external_id` não as " +
      "evita. Exige `fgts:write`."
  },
  requoteApplication: {
    summary: "Pedir uma nova cotação",
    description:
      "Pede uma nova cotação à instituição. As ofertas anteriores são substituídas na hora. O corpo é opcional; campos ausentes " +
      "mantêm o valor da cotação anterior. Permitido até que uma oferta seja aceita, se a última cotação tem ofertas (vencidas " +
      "ou não), se ela falhou, ou se foi recusada como `retryable` e `retry_at` já passou. Exige `fgts:write`."
  },
  acceptOffer: {
    summary: "Aceitar uma oferta",
    description:
      "Aceita uma oferta disponível da última cotação e cria uma proposta. O cadastro (KYC) precisa estar completo. A " +
      "contratação é uma tarefa durável. No máximo uma oferta de uma solicitação pode ser aceita. Aceitar a mesma oferta de " +
      "novo retorna a mesma resposta. Aceitar outra é recusado. Exige `fgts:write`."
  },
  cancelApplication: {
    summary: "Cancelar uma solicitação",
    description:
      "Cancela uma solicitação que não foi paga. Antes de a instituição ter um contrato, a solicitação fica `CANCELLED` na hora. " +
      "Depois, a proposta fica `CANCELLING` até a instituição confirmar, e então `CANCELLED`. Se ela foi paga nesse meio-tempo, fica " +
      "`PAID`, e o histórico tem o motivo `ALREADY_PAID`. Sem corpo, o motivo é `CUSTOMER_REQUEST`. Exige `fgts:write`."
  },
  getKyc: {
    summary: "Consultar o cadastro (KYC)",
    description:
      "Retorna os dados do cadastro e os campos que faltam. `profession`, `monthly_income`, `education`, `spouse_name` e " +
      "`documents` só aparecem se a instituição da solicitação os exige. Antes do primeiro envio, a resposta contém sugestões, " +
      "listadas em `prefilled_fields`: os dados do cliente na solicitação e o cadastro mais recente com o mesmo CPF e a mesma " +
      "data de nascimento na subárvore do parceiro da solicitação. As sugestões não têm efeito até serem enviadas e nunca " +
      "contêm uma conta de pagamento. Uma leitura que revela um valor deixa um registro de auditoria e não grava mais nada. " +
      "Exige `kyc:read`."
  },
  submitKyc: {
    summary: "Enviar o cadastro (KYC)",
    description:
      "Mescla os campos do corpo nos dados do cadastro. Grupos são mesclados campo a campo. `null` limpa um campo. Você pode " +
      "enviar os dados em partes e repetidamente até que uma oferta seja aceita. Depois disso, só pode trocar a conta de " +
      "pagamento, e só enquanto o último pagamento tiver falhado. Enviar `disbursement_method`, `pix` ou `bank` então pede outro " +
      "pagamento. `complete`, `status`, `next_action`, `missing_fields` e `prefilled_fields` são ignorados, para que você possa " +
      "editar uma resposta e devolvê-la. Um campo que só algumas instituições exigem é ignorado se a instituição da solicitação não o " +
      "exige. Exige `fgts:write`. A resposta é mascarada para quem não tem `kyc:read`."
  },
  getApplication: {
    summary: "Consultar uma solicitação",
    description:
      "Retorna uma solicitação na subárvore de quem chama, com a última cotação. O CPF é mascarado para quem não tem " +
      "`kyc:read`. Exige `fgts:read`."
  },
  updateApplication: {
    summary: "Alterar os metadados de uma solicitação",
    description:
      "Mescla `metadata` chave a chave (JSON Merge Patch, RFC 7396): `null` remove uma chave, e `metadata: null` remove todas. " +
      "Permitido em qualquer status, mas não depois que os dados do cliente foram eliminados. O status e `updated_at` não " +
      "mudam, e nenhum long poll termina. `If-Match` recebe o `ETag` de um `GET` sem `include`. Uma alteração sem efeito " +
      "retorna 200 com o mesmo `ETag`. Exige `fgts:write`."
  },
  getApplicationStatus: {
    summary: "Consultar o status de uma solicitação",
    description:
      "Retorna o status sem dados pessoais, para consultas repetidas. Com `wait`, a resposta é 200 assim que o status muda ou " +
      "uma oferta vence. No fim da espera, a resposta é 304 se você enviou `If-None-Match`; senão, 200. Quem chama pode ter 20 " +
      "long polls ao mesmo tempo. Mais um é recusado com 429 `RATE_LIMITED` e `Retry-After`. `Retry-After` também é enviado " +
      "enquanto `next_action` é `WAIT`. Exige `fgts:read`."
  },
  listProposals: {
    summary: "Listar propostas",
    description:
      "Retorna uma página das propostas na subárvore de quem chama. Os filtros se combinam com E. CPFs são mascarados. Na " +
      "ordem por `paid_at`, as propostas não pagas vêm por último nos dois sentidos. Exige `proposals:read`."
  },
  getProposal: {
    summary: "Consultar uma proposta",
    description:
      "Retorna uma proposta na subárvore de quem chama. A conta de pagamento é mascarada, exceto os quatro últimos caracteres. " +
      "O CPF é mascarado para quem não tem `kyc:read`. Exige `proposals:read`."
  },
  withdrawFromProposal: {
    summary: "Desistir de um contrato pago",
    description:
      "Exerce o direito de arrependimento do cliente, até o sétimo dia corrido depois do pagamento, em America/Sao_Paulo. Se o " +
      "cancelamento foi pedido a tempo, mas a instituição só depois informou o pagamento, os sete dias começam com essa " +
      "informação. A proposta fica `REFUND_PENDING` até o cliente devolver o dinheiro como `refund` descreve, e então " +
      "`REFUNDED`. Se o cliente não pagar a tempo, ela volta a `PAID`. Exige `fgts:write`."
  },
  renewSignatureLink: {
    summary: "Pedir um novo link de assinatura",
    description:
      "Pede à instituição um novo link de assinatura enquanto o status é `AWAITING_SIGNATURE`. Consulte a proposta: " +
      "se a instituição devolver um novo link, `signature_url` muda. Não envie corpo. Exige `fgts:write`."
  }
}
