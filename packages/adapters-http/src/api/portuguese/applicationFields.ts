/** Texts of the records of applications and quotes in Portuguese, by the English text. */
export const applicationFields: Readonly<Record<string, string>> = {
  "Application status": "Status da solicitação",
  "Status of the latest quote": "Status da última cotação",
  "True when all required KYC fields were submitted":
    "True quando todos os campos obrigatórios do cadastro (KYC) foram enviados",
  "The caller's next action. `WAIT`: poll again. `SIGN`: the customer signs at the proposal's `signature_url`. `FIX_DISBURSEMENT`: submit another disbursement account. `FIX_KYC`: submit the KYC fields that the lender refuses. `WAIT_FOR_SETTLEMENT`: another contract of the customer pledges the next annual withdrawal; an offer cannot be accepted before it is settled, or before `quote.blocked_until`. `RETRY_LATER`: a new quote is possible from the `retry_at` of the rejection on. `NONE`: no action is possible.":
    "O próximo passo de quem chama. `WAIT`: consulte de novo. `SIGN`: o cliente assina no `signature_url` da proposta. `FIX_DISBURSEMENT`: envie outra conta de pagamento. `FIX_KYC`: envie os campos do cadastro que a instituição recusa. `WAIT_FOR_SETTLEMENT`: outro contrato do cliente compromete o próximo saque-aniversário; uma oferta não pode ser aceita antes da quitação dele, ou antes de `quote.blocked_until`. `RETRY_LATER`: uma nova cotação é possível a partir do `retry_at` da recusa. `NONE`: nenhuma ação é possível.",
  "The time from which a new quote is possible after the current rejection; null if there is none":
    "O instante a partir do qual uma nova cotação é possível depois da recusa atual; null se não há",
  "The id of the proposal; null before an offer is accepted": "O id da proposta; null antes de uma oferta ser aceita",
  "The URL at which the customer signs, while `next_action` is `SIGN`; otherwise null. Not part of `version` and `ETag`.":
    "A URL em que o cliente assina, enquanto `next_action` é `SIGN`; senão, null. Não faz parte de `version` e `ETag`.",
  "Increases with every visible change, including changes by time alone":
    "Aumenta a cada mudança visível, inclusive as que vêm só do tempo",
  "When the visible state last changed, including changes by time alone":
    "Quando o estado visível mudou pela última vez, inclusive só pelo tempo",
  "Quote status. `REJECTED`: no lender has an offer, or the application was cancelled. `FAILED`: no lender was available. `SUPERSEDED`: a newer quote was requested.":
    "Status da cotação. `REJECTED`: a instituição a recusou. `FAILED`: a instituição não estava disponível. `SUPERSEDED`: uma cotação mais nova foi pedida.",
  "Offer status. `SUPERSEDED`: a newer quote was requested. `DECLINED`: another offer was accepted, or the application was cancelled.":
    "Status da oferta. `SUPERSEDED`: uma cotação mais nova foi pedida. `DECLINED`: outra oferta foi aceita, ou a solicitação foi cancelada.",
  "CPF: 11 digits. Masked for callers without `kyc:read`.": "CPF: 11 dígitos. Mascarado para quem não tem `kyc:read`.",
  "Birth date, YYYY-MM-DD": "Data de nascimento, YYYY-MM-DD",
  "Name": "Nome",
  "The customer of an application. Unknown fields are null. After the personal data was erased, all fields are null.":
    "O cliente de uma solicitação. Campos desconhecidos são null. Depois que os dados pessoais foram eliminados, todos os campos são null.",
  "The customer of an application in a list": "O cliente de uma solicitação em uma lista",
  "Request body that changes the metadata of an application":
    "Corpo da requisição que altera os metadados de uma solicitação",
  "When the lender answered or the quote failed; null while pending":
    "Quando a instituição respondeu ou a cotação falhou; null enquanto pendente",
  "First day on which other contracts of the customer no longer pledge the next annual withdrawals, YYYY-MM-DD. Before it, an acceptance is usually refused with `EXISTING_CONTRACT`. It is a fact of this quote: only contracts of the application's partner and its descendants count. Null if there are none":
    "Primeiro dia em que outros contratos do cliente não comprometem mais os próximos saques-aniversário, YYYY-MM-DD. Antes dele, uma aceitação costuma ser recusada com `EXISTING_CONTRACT`. É um fato desta cotação: só contam contratos do parceiro da solicitação e dos descendentes dele. Null se não há",
  "A quote and its offers": "Uma cotação e as ofertas dela",
  "Offer status": "Status da oferta",
  "Kind of the fee. `NONE`: no fee. `REGISTRATION`: fee for the start of the relationship with the customer. `OTHER`: any other fee":
    "Tipo da tarifa. `NONE`: sem tarifa. `REGISTRATION`: tarifa de cadastro, do início do relacionamento com o cliente. `OTHER`: qualquer outra tarifa",
  "The lender's table of rates and fees, and the kind of the fee in this offer":
    "A tabela de taxas e tarifas da instituição, e o tipo da tarifa nesta oferta",
  "Daily part of the IOF tax, in reais": "Parte diária do IOF, em reais",
  "Additional part of the IOF tax, independent of the term, in reais":
    "Parte adicional do IOF, que não depende do prazo, em reais",
  "Interest rate in percent per year": "Taxa de juros em percentual ao ano",
  "Total effective cost (CET) in percent per month, two decimals":
    "Custo efetivo total (CET) em percentual ao mês, duas casas decimais",
  "Version of the policy applied": "Versão da política aplicada",
  "The offer cannot be accepted from this time on": "A oferta não pode ser aceita a partir deste instante",
  "An offer of the lender, priced with one of its tables":
    "Uma oferta da instituição, calculada com uma das tabelas dela",
  "Highest net amount among the offers of the latest quote, expired or not, in reais; null without offers":
    "Maior valor líquido entre as ofertas da última cotação, vencidas ou não, em reais; null sem ofertas",
  "When the last event was recorded. The expiry of an offer is not an event: it changes `status`, but not `updated_at`.":
    "Quando o último evento foi gravado. O vencimento de uma oferta não é um evento: ele muda `status`, mas não `updated_at`.",
  "An application in a list": "Uma solicitação em uma lista",
  "The customer's name; null if unknown": "O nome do cliente; null se desconhecido",
  "CPF: 11 digits. Masked for callers without `kyc:read`. Null after the personal data was erased.":
    "CPF: 11 dígitos. Mascarado para quem não tem `kyc:read`. Null depois que os dados pessoais foram eliminados.",
  "CPF: 11 digits": "CPF: 11 dígitos",
  "Maximum number of annual withdrawals to anticipate. Null: as many as the policy allows. Default: null for the first quote, the value of the previous quote for later ones.":
    "Número máximo de saques-aniversário a antecipar. Null: tantos quantos a política permite. Padrão: null na primeira cotação, o valor da cotação anterior nas seguintes.",
  "Amount in reais (BRL), at most two decimals": "Valor em reais (BRL), no máximo duas casas decimais",
  "Desired net amount in reais. Installments are added, earliest first, until this amount is reached. Null: the largest possible amount. Default: null for the first quote, the value of the previous quote for later ones.":
    "Valor líquido desejado em reais. As parcelas são somadas, as primeiras antes, até atingir este valor. Null: o maior valor possível. Padrão: null na primeira cotação, o valor da cotação anterior nas seguintes.",
  "Request body that requests a new quote": "Corpo da requisição que pede uma nova cotação",
  "The API consumer's own reference. It need not be unique.":
    "A referência própria do consumidor da API. Não precisa ser única.",
  "The id of the application's partner, in the caller's subtree. Default: the caller's own partner.":
    "O id do parceiro da solicitação, na subárvore de quem chama. Padrão: o próprio parceiro de quem chama.",
  "Request body that creates an application": "Corpo da requisição que cria uma solicitação",
  "Birth date as registered with CAIXA, YYYY-MM-DD. The customer is at least 18 years old":
    "Data de nascimento cadastrada na CAIXA, YYYY-MM-DD. O cliente tem pelo menos 18 anos",
  "The person whose FGTS withdrawals are anticipated": "A pessoa cujos saques-aniversário do FGTS são antecipados",
  "The matching applications, newest first": "As solicitações encontradas, as mais novas primeiro",
  "Applications, newest first": "Solicitações, as mais novas primeiro",
  "The id of the user or API client that created it; `host:` and an id for a user of the embedding service":
    "O id do usuário ou do cliente da API que a criou; `host:` e um id para um usuário do serviço hospedeiro",
  "Reason why there is no offer, why the application was cancelled, why the contract ended, or why the last disbursement failed; otherwise null":
    "Motivo pelo qual não há oferta, a solicitação foi cancelada, o contrato terminou ou o último pagamento falhou; senão, null",
  "Your own fields. Lastro never interprets them. Texts are returned unchanged; the order of keys is not kept. `{}` if there are none.":
    "Seus próprios campos. O Lastro nunca os interpreta. Os textos são retornados sem mudança; a ordem das chaves não é mantida. `{}` se não há.",
  "All quotes, oldest first; only with `include=quotes`":
    "Todas as cotações, as mais antigas primeiro; só com `include=quotes`",
  "The quote's id": "O id da cotação",
  "Number of the quote within its application, starting at 1": "Número da cotação na solicitação, a partir de 1",
  "Quote status": "Status da cotação",
  "Offers: highest net amount first, then lowest monthly CET":
    "Ofertas: primeiro as de maior valor líquido, depois as de menor CET mensal",
  "Order in which the lenders are requested. `ALL`: all at the same time. `FIRST`: one after the other, until one has an offer":
    "Ordem em que as instituições são consultadas. `ALL`: todas ao mesmo tempo. `FIRST`: uma depois da outra, até que uma tenha oferta",
  "The lenders of the quote, in the order of the routing": "As instituições da cotação, na ordem do roteamento",
  "Number of lenders that have not answered yet. Their offers can still join the quote":
    "Número de instituições que ainda não responderam. As ofertas delas ainda podem entrar na cotação",
  "The part of a quote at one lender": "A parte de uma cotação em uma instituição",
  "Status of the part. `COMPLETED`: the lender has offers. `REJECTED`: the lender has no offer. `FAILED`: the lender was not available. `SKIPPED`: the lender was not requested, or its answer is no longer needed":
    "Status da parte. `COMPLETED`: a instituição tem ofertas. `REJECTED`: a instituição não tem oferta. `FAILED`: a instituição não estava disponível. `SKIPPED`: a instituição não foi consultada, ou a resposta dela não é mais necessária",
  "Reason why the lender has no offer; otherwise null": "Motivo pelo qual a instituição não tem oferta; senão, null",
  "When the part ended; null while pending": "Quando a parte terminou; null enquanto está pendente",
  "A lender": "Uma instituição",
  "Code of the lender, for programs": "Código da instituição, para programas",
  "Name of the lender, for people": "Nome da instituição, para pessoas",
  "The lender; null if a version before this field stored the quote":
    "A instituição; null se uma versão anterior a este campo guardou a cotação",
  "KYC fields that must still be submitted before this offer can be accepted. Empty for an offer that is not available":
    "Campos do KYC que ainda precisam ser enviados antes que esta oferta possa ser aceita. Vazio se a oferta não está disponível",
  "Reason why the table has no offer": "Motivo pelo qual a tabela não tem oferta",
  "Tables without an offer": "Tabelas sem oferta",
  "Reason why there is no offer; otherwise null": "Motivo pelo qual não há oferta; senão, null",
  "When the quote was requested": "Quando a cotação foi pedida",
  "The application's current status. Repeat the parameter, or separate values by commas, to match any of them.":
    "O status atual da solicitação. Repita o parâmetro, ou separe valores por vírgulas, para aceitar qualquer um deles.",
  "The caller's current next action. Repeat the parameter, or separate values by commas, to match any of them.":
    "O próximo passo atual de quem chama. Repita o parâmetro, ou separe valores por vírgulas, para aceitar qualquer um deles.",
  "The name of the contract's lender; null if the offer is older than this field":
    "O nome da instituição do contrato; null se a oferta é mais antiga que este campo",
  "The time of the payment that the lender states, or the time of its recording if the lender states no plausible one; null before the payment":
    "O momento do pagamento que a instituição informa, ou o do registro, se ela não informa um plausível; null antes do pagamento",
  "Number of applications": "Número de solicitações",
  "Number of applications by status": "Número de solicitações por status",
  "Number of applications by next action": "Número de solicitações por próximo passo",
  "Number of applications by the status of their proposal. Applications without a proposal are not included.":
    "Número de solicitações por status da proposta. Solicitações sem proposta não entram.",
  "The numbers of applications": "Os números de solicitações",
  "Status of the proposal; null before an offer is accepted": "Status da proposta; null antes de uma oferta ser aceita",
  "Codes of the lenders to ask for offers. Each must be in the effective routing of the partner, whose order applies. Null: all of them. Default: null for the first quote, the value of the previous quote for later ones.":
    "Códigos das instituições a consultar. Cada uma precisa estar no roteamento efetivo do parceiro, cuja ordem vale. Null: todas. " +
    "Padrão: null na primeira cotação, o valor da cotação anterior nas seguintes.",
  "Order in which a quote requests the lenders. `ALL`: all at the same time. `FIRST`: one after the other, until one has an offer":
    "Ordem em que uma cotação consulta as instituições. `ALL`: todas ao mesmo tempo. `FIRST`: uma após a outra, até uma ter oferta",
  "Codes of the lenders, in order of preference: at least one, each only once. The effective routing of the partner above must have all of them":
    "Códigos das instituições, em ordem de preferência: pelo menos um, cada um só uma vez. O roteamento efetivo do parceiro acima " +
    "deve ter todos",
  "Request body that sets the routing of a partner": "Corpo da requisição que define o roteamento de um parceiro",
  "Codes of the partner's own routing; empty if it has none":
    "Códigos do roteamento próprio do parceiro; vazio se não tem",
  "Codes of the lenders that the partner can use, in order of preference: those that its routing and the routings above it all name":
    "Códigos das instituições que o parceiro pode usar, em ordem de preferência: as que o roteamento dele e todos os acima dele nomeiam",
  "True if the partner has no routing of its own": "Verdadeiro se o parceiro não tem roteamento próprio",
  "The ancestor whose routing the partner has. Null if it has its own, if no ancestor has one, or if the ancestor is outside the caller's subtree":
    "O ancestral cujo roteamento o parceiro tem. Null se tem o próprio, se nenhum ancestral tem, ou se o ancestral está fora da " +
    "subárvore de quem chama",
  "Number of changes of the partner's own routing; 0 if it has none":
    "Número de mudanças do roteamento próprio do parceiro; 0 se não tem",
  "The routing of a partner": "O roteamento de um parceiro",
  "The routing": "O roteamento",
  "`ACTIVE`: gets new quotes. `DRAINING`: gets no new quotes, and its offers can be accepted. `STOPPED`: none of its offers can be accepted. `UNAVAILABLE`: the installation no longer has this lender. Contracts with lenders that are not `UNAVAILABLE` go on":
    "`ACTIVE`: recebe novas cotações. `DRAINING`: não recebe novas cotações, e suas ofertas podem ser aceitas. `STOPPED`: nenhuma de " +
    "suas ofertas pode ser aceita. `UNAVAILABLE`: a instalação não tem mais esta instituição. Contratos com instituições que não " +
    "estão `UNAVAILABLE` continuam",
  "KYC fields that the lender requires besides the usual ones":
    "Campos do cadastro (KYC) que a instituição exige além dos usuais",
  "Requests that the lender supports for its contracts. Null if they are not known now":
    "Pedidos que a instituição oferece para seus contratos. Null se não são conhecidos agora",
  "The lenders: those of the routing first, in its order": "As instituições: primeiro as do roteamento, na ordem dele",
  "The lenders": "As instituições"
}
