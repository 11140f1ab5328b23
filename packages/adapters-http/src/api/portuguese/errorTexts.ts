/** Descriptions of errors in Portuguese, by the English text. */
export const errorTexts: Readonly<Record<string, string>> = {
  "the method, media type, size or a parameter of the request is invalid":
    "o método, o tipo de mídia, o tamanho ou um parâmetro da requisição é inválido",
  "the username, the password or the refresh token is wrong or no longer valid":
    "o usuário, a senha ou o refresh token está errado ou não vale mais",
  "`grant_type` must be `client_credentials`, `password` or `refresh_token`":
    "`grant_type` deve ser `client_credentials`, `password` ou `refresh_token`",
  "`scope` contains an unknown permission or one that the caller's group lacks":
    "`scope` contém uma permissão desconhecida ou que o grupo de quem chama não tem",
  "the client is unknown or its secret is wrong": "o cliente é desconhecido ou o segredo está errado",
  "too many requests or failed attempts, or a server error; retry after `Retry-After`":
    "requisições ou tentativas malsucedidas demais, ou um erro do servidor; repita depois de `Retry-After`",
  "internal error": "erro interno",
  "the token is an access token without a session, which an earlier version issued":
    "o token é um token de acesso sem sessão, emitido por uma versão anterior",
  "pf: natural person, identified by CPF; pj: legal entity, identified by CNPJ":
    "pf: pessoa física, identificada pelo CPF; pj: pessoa jurídica, identificada pelo CNPJ",
  "the access token is missing, invalid, expired or revoked":
    "o token de acesso está ausente, inválido, expirado ou revogado",
  "the caller's group, or the scope of its token, lacks the permission":
    "o grupo de quem chama, ou o escopo do token, não tem a permissão",
  "the user has a temporary password and must replace it first":
    "o usuário tem uma senha temporária e precisa trocá-la primeiro",
  "the path does not support the method": "o caminho não suporta o método",
  "the request is invalid; the details list every problem":
    "a requisição é inválida; os detalhes listam todos os problemas",
  "too many requests; retry after `Retry-After`": "requisições demais; repita depois de `Retry-After`",
  "internal error; nothing was changed": "erro interno; nada foi alterado",
  "a dependency of the server is unavailable; nothing was changed; retry after `Retry-After`":
    "uma dependência do servidor está indisponível; nada foi alterado; repita depois de `Retry-After`",
  "the change may or may not have been made, because the connection to the database was lost or the time limit was reached; read the record, or repeat the request with the same `Idempotency-Key`":
    "a mudança pode ou não ter sido feita, porque a conexão com o banco de dados caiu ou o tempo limite acabou; leia o registro ou repita a requisição com o mesmo `Idempotency-Key`",
  "the body is not well-formed JSON in UTF-8": "o corpo não é um JSON bem formado em UTF-8",
  "the record is outside the caller's subtree": "o registro está fora da subárvore de quem chama",
  "another partner under the same root has the document": "outro parceiro sob a mesma raiz tem o documento",
  "the first request with this `Idempotency-Key` is still in progress":
    "a primeira requisição com este `Idempotency-Key` ainda está em andamento",
  "the body is larger than 256 KiB or nested too deeply": "o corpo passa de 256 KiB ou tem níveis demais",
  "the media type or the charset of the body is not supported":
    "o tipo de mídia ou a codificação do corpo não é suportado",
  "this `Idempotency-Key` was used for a different request": "este `Idempotency-Key` foi usado em outra requisição",
  "the record does not exist, or its id is malformed": "o registro não existe, ou o id é malformado",
  "only a partner above your own, or the operator, may change this":
    "só um parceiro acima do seu, ou o operador, pode mudar isto",
  "the record no longer matches `If-Match`": "o registro não corresponde mais a `If-Match`",
  "you cannot delete yourself or your own partner": "você não pode excluir a si mesmo nem o próprio parceiro",
  "another user has the e-mail address": "outro usuário tem o e-mail",
  "the user is the last active administrator of your partner":
    "o usuário é o último administrador ativo do seu parceiro",
  "a quote of the application is in progress": "uma cotação da solicitação está em andamento",
  "an offer was accepted, the rejection is not retryable or its `retry_at` is in the future, or the partner is deleted":
    "uma oferta foi aceita, a recusa não permite nova cotação ou o `retry_at` dela está no futuro, ou o parceiro foi excluído",
  "the offer is `EXPIRED`, `SUPERSEDED` or `DECLINED`, the rules of the day do not allow it (`POLICY_CHANGED`), or another proposal of the customer pledges the next annual withdrawal, or one of the offer (`EXISTING_CONTRACT`); see the details. If the caller may not see the other proposal, the detail is `POLICY_CHANGED`, too":
    "a oferta está `EXPIRED`, `SUPERSEDED` ou `DECLINED`, as regras do dia não a permitem (`POLICY_CHANGED`), ou outra proposta do cliente compromete o próximo saque-aniversário, ou um dos saques da oferta (`EXISTING_CONTRACT`); veja os detalhes. Se quem chama não pode ver a outra proposta, o detalhe também é `POLICY_CHANGED`",
  "required KYC fields are missing; the details list them":
    "faltam campos obrigatórios do cadastro (KYC); os detalhes os listam",
  "the application is paid, refunding or cancelled, or its lender cannot cancel the contract":
    "a solicitação foi paga, está em devolução ou cancelada, ou a instituição não pode cancelar o contrato",
  "an offer was accepted, or the application was cancelled, and the KYC data can no longer change; the details list the locked fields if others can be corrected":
    "uma oferta foi aceita, e os dados do cadastro (KYC) não podem mais mudar; os detalhes listam os campos bloqueados se outros podem ser corrigidos",
  "all quotes of the application, instead of only the latest one":
    "todas as cotações da solicitação, em vez de só a última",
  "the contract is not paid, the right of regret has ended, or the lender offers no refund":
    "o contrato não foi pago, o prazo de arrependimento acabou, ou a instituição não oferece devolução",
  "the contract does not await a signature, or its lender offers no new signature link":
    "o contrato não aguarda assinatura, ou a instituição não oferece um novo link de assinatura",
  "events after `after` have been deleted; read without `after`":
    "eventos depois de `after` foram excluídos; leia sem `after`",
  "the partner has 20 webhooks, the maximum": "o parceiro tem 20 webhooks, o máximo",
  "the callback does not come from the lender: its signature or secret is wrong, or it is too old":
    "o callback não vem da instituição: a assinatura ou o segredo está errado, ou ele é antigo demais",
  "the partner has children, users, unfinished applications or unpaid commissions; see the details":
    "o parceiro tem filhos, usuários, solicitações em andamento ou comissões a pagar; veja os detalhes",
  "the closed commissions of the partner do not add up to more than 0":
    "as comissões fechadas do parceiro não somam mais que 0"
}
