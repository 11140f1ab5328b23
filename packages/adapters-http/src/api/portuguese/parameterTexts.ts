/** Texts of parameters and responses in Portuguese, by the English text. */
export const parameterTexts: Readonly<Record<string, string>> = {
  "Access token (RFC 6749 §5.1)": "Token de acesso (RFC 6749 §5.1)",
  "The session has ended or did not exist. The response has no body.":
    "A sessão foi encerrada ou não existia. A resposta não tem corpo.",
  "Page number, from 0. A negative number counts as 0. A page past the end is empty. Default: 0.":
    "Número da página, a partir de 0. Um número negativo conta como 0. Uma página depois do fim é vazia. Padrão: 0.",
  "Cursor: `start` for the first page, then the `next` of the previous page. Each page takes the same time, however long the list is. Records created or deleted meanwhile cause no skips or repeats. A cursor is valid for the same filters and `sort`. Not together with `page`.":
    "Cursor: `start` para a primeira página, depois o `next` da página anterior. Cada página leva o mesmo tempo, por mais longa que seja a lista. Registros criados ou excluídos durante a leitura não causam saltos nem repetições. Um cursor vale para os mesmos filtros e o mesmo `sort`. Não se usa junto com `page`.",
  "Only in the answer to a request with `after`: the cursor of the next page. Null on the last page.":
    "Só na resposta a uma requisição com `after`: o cursor da próxima página. Null na última página.",
  "Items on a page, clamped to 1 to 100. Default: 20.": "Itens por página, limitados de 1 a 100. Padrão: 20.",
  "`field` or `field,direction`. Repeat the parameter to sort by further fields. Default direction: `asc`. Default order: newest first. Ties are broken by id, so pages never overlap.":
    "`field` ou `field,direction`. Repita o parâmetro para ordenar por mais campos. Direção padrão: `asc`. Ordem padrão: os mais novos primeiro. Empates são resolvidos pelo id, então as páginas nunca se sobrepõem.",
  "Part of the name. Case and accents are ignored.": "Parte do nome. Maiúsculas, minúsculas e acentos são ignorados.",
  "Part of the e-mail address. Case and accents are ignored.":
    "Parte do e-mail. Maiúsculas, minúsculas e acentos são ignorados.",
  "Part of the CPF or CNPJ. Dots, dashes, slashes and spaces are ignored.":
    "Parte do CPF ou CNPJ. Pontos, traços, barras e espaços são ignorados.",
  "The partner's status": "O status do parceiro",
  "Direct children of this partner only": "Só os filhos diretos deste parceiro",
  "Your own fields: `metadata[plan]=gold`. Exact match. With several keys, all must match.":
    "Seus próprios campos: `metadata[plan]=gold`. Comparação exata. Com várias chaves, todas devem coincidir.",
  "One page of a list": "Uma página de uma lista",
  "1 to 255 visible ASCII characters that you choose. The same request with the same key is executed once and its response is replayed for 24 hours.":
    "De 1 a 255 caracteres ASCII visíveis, à sua escolha. A mesma requisição com a mesma chave é executada uma vez, e a resposta é repetida por 24 horas.",
  "The new partner": "O novo parceiro",
  "The partner's id": "O id do parceiro",
  "The partner": "O parceiro",
  "The record still matches `If-None-Match`. The response has no body.":
    "O registro ainda corresponde a `If-None-Match`. A resposta não tem corpo.",
  "The `ETag` you last read. The response is 412 if the record has changed since.":
    "O último `ETag` que você leu. A resposta é 412 se o registro mudou desde então.",
  "The partner is deleted. The response has no body.": "O parceiro foi excluído. A resposta não tem corpo.",
  "Part of the CPF. Dots, dashes, slashes and spaces are ignored.":
    "Parte do CPF. Pontos, traços, barras e espaços são ignorados.",
  "Users of this partner only": "Só os usuários deste parceiro",
  "The user's status": "O status do usuário",
  "The slug of the user's group": "O slug do grupo do usuário",
  "The new user": "O novo usuário",
  "The user": "O usuário",
  "The user's id": "O id do usuário",
  "The user is deleted. The response has no body.": "O usuário foi excluído. A resposta não tem corpo.",
  "All groups": "Todos os grupos",
  "The consumer's own reference; exact match": "A referência própria do consumidor da API; comparação exata",
  "The customer's CPF. Dots, dashes, slashes and spaces are ignored. Requires `kyc:read`.":
    "O CPF do cliente. Pontos, traços, barras e espaços são ignorados. Exige `kyc:read`.",
  "The application's current status": "O status atual da solicitação",
  "The code of the current rejection": "O código da recusa atual",
  "Applications of this partner only": "Só as solicitações deste parceiro",
  "Created: from this time (inclusive). Format: an ISO 8601 instant with offset, or a day (YYYY-MM-DD) in America/Sao_Paulo.":
    "Criado: a partir deste instante (inclusive). Formato: um instante ISO 8601 com fuso, ou um dia (YYYY-MM-DD) em America/Sao_Paulo.",
  "Created: before this instant, or to the end of this day. Format: an ISO 8601 instant with offset, or a day (YYYY-MM-DD) in America/Sao_Paulo.":
    "Criado: antes deste instante, ou até o fim deste dia. Formato: um instante ISO 8601 com fuso, ou um dia (YYYY-MM-DD) em America/Sao_Paulo.",
  "Only applications whose last available offer expires at or after this time. Format: an ISO 8601 instant with offset, or a day (YYYY-MM-DD) in America/Sao_Paulo.":
    "Só solicitações cuja última oferta disponível vence a partir deste instante (inclusive). Formato: um instante ISO 8601 com fuso, ou um dia (YYYY-MM-DD) em America/Sao_Paulo.",
  "Only applications whose last available offer expires before this instant, or by the end of this day. Format: an ISO 8601 instant with offset, or a day (YYYY-MM-DD) in America/Sao_Paulo.":
    "Só solicitações cuja última oferta disponível vence antes deste instante, ou até o fim deste dia. Formato: um instante ISO 8601 com fuso, ou um dia (YYYY-MM-DD) em America/Sao_Paulo.",
  "Only applications whose quote was rejected with a `retry_at` at or after this time. Format: an ISO 8601 instant with offset, or a day (YYYY-MM-DD) in America/Sao_Paulo.":
    "Só solicitações cuja cotação foi recusada com um `retry_at` a partir deste instante (inclusive). Formato: um instante ISO 8601 com fuso, ou um dia (YYYY-MM-DD) em America/Sao_Paulo.",
  "Only applications whose quote was rejected with a `retry_at` before this instant, or by the end of this day. Format: an ISO 8601 instant with offset, or a day (YYYY-MM-DD) in America/Sao_Paulo.":
    "Só solicitações cuja cotação foi recusada com um `retry_at` antes deste instante, ou até o fim deste dia. Formato: um instante ISO 8601 com fuso, ou um dia (YYYY-MM-DD) em America/Sao_Paulo.",
  "Changed: from this time (inclusive). To follow changes, read `/events`: a change that commits late is older than it seems. Format: an ISO 8601 instant with offset, or a day (YYYY-MM-DD) in America/Sao_Paulo.":
    "Alterado: a partir deste instante (inclusive). Para acompanhar mudanças, leia `/events`: uma mudança confirmada tarde é mais antiga do que parece. Formato: um instante ISO 8601 com fuso, ou um dia (YYYY-MM-DD) em America/Sao_Paulo.",
  "Changed: before this instant, or to the end of this day. Format: an ISO 8601 instant with offset, or a day (YYYY-MM-DD) in America/Sao_Paulo.":
    "Alterado: antes deste instante, ou até o fim deste dia. Formato: um instante ISO 8601 com fuso, ou um dia (YYYY-MM-DD) em America/Sao_Paulo.",
  "A page of applications. With `external_id` as the only parameter: the applications with this reference.":
    "Uma página de solicitações. Com `external_id` como único parâmetro: as solicitações com essa referência.",
  "An application with its latest quote": "Uma solicitação com a última cotação",
  "The application's id": "O id da solicitação",
  "The offer's id": "O id da oferta",
  "The proposal created by accepting the offer": "A proposta criada ao aceitar a oferta",
  "KYC data of the customer. Unknown values are null.":
    "Dados do cadastro (KYC) do cliente. Valores desconhecidos são null.",
  "Seconds to wait for a change (long poll), clamped to 0 to 30. Default: 0. A change is a difference from the status in `If-None-Match`. Without this header, only a request whose `next_action` is `WAIT` waits, for a change from the status at its start. Send `If-None-Match`, so that no change is missed.":
    "Segundos de espera por uma mudança (long poll), limitados de 0 a 30. Padrão: 0. Uma mudança é uma diferença em relação ao status em `If-None-Match`. Sem esse cabeçalho, só uma requisição com `next_action` `WAIT` espera, por uma mudança em relação ao status do início. Envie `If-None-Match`, para não perder nenhuma mudança.",
  "Application status and next action, without personal data":
    "Status da solicitação e próximo passo, sem dados pessoais",
  "Part of the customer's name. Case and accents are ignored.":
    "Parte do nome do cliente. Maiúsculas, minúsculas e acentos são ignorados.",
  "The proposal's status": "O status da proposta",
  "Proposals of this partner only": "Só as propostas deste parceiro",
  "The proposal's id": "O id da proposta",
  "The proposal": "A proposta",
  "The id of the record; exact match": "O id do registro; comparação exata",
  "Actor: the id of a user or API client, `host:` and the id of a user of the embedding service, or `operator`; exact match":
    "Autor: o id de um usuário ou cliente da API, `host:` e o id de um usuário do serviço hospedeiro, ou `operator`; comparação exata",
  "The action, such as `application.kyc_read`; exact match": "A ação, como `application.kyc_read`; comparação exata",
  "From this time (inclusive). Format: an ISO 8601 instant with offset, or a day (YYYY-MM-DD) in America/Sao_Paulo.":
    "A partir deste instante (inclusive). Formato: um instante ISO 8601 com fuso, ou um dia (YYYY-MM-DD) em America/Sao_Paulo.",
  "Before this instant, or to the end of this day. Format: an ISO 8601 instant with offset, or a day (YYYY-MM-DD) in America/Sao_Paulo.":
    "Antes deste instante, ou até o fim deste dia. Formato: um instante ISO 8601 com fuso, ou um dia (YYYY-MM-DD) em America/Sao_Paulo.",
  "The `next` of the previous read; absent: from the oldest kept event":
    "O `next` da leitura anterior; ausente: desde o evento mais antigo ainda guardado",
  "Types and groups, separated by commas: `proposal.paid,user.*`; absent: all":
    "Tipos e grupos, separados por vírgulas: `proposal.paid,user.*`; ausente: todos",
  "The id of the record": "O id do registro",
  "Maximum number of events, 1 to 1000; default 100": "Número máximo de eventos, de 1 a 1000; padrão 100",
  "Seconds to wait for an event if there is none, 0 to 30; default 0":
    "Segundos de espera por um evento, se não houver nenhum, de 0 a 30; padrão 0",
  "A part of the feed of events": "Uma parte do feed de eventos",
  "Webhooks of this partner only": "Só os webhooks deste parceiro",
  "The fields of `Webhook`, and the new secret": "Os campos de `Webhook`, e o novo segredo",
  "The webhook's id": "O id do webhook",
  "<No Content>": "Sem conteúdo",
  "The id of the event": "O id do evento",
  "The name of the lender": "O nome da instituição",
  "The status of the proposal. Repeat the parameter, or separate values by commas, to match any of them.":
    "O status da proposta. Repita o parâmetro, ou separe valores por vírgulas, para aceitar qualquer um deles.",
  "of the partner `partner_id` alone. `subtree`: of this partner and its descendants. Default: `self`. Requires `partner_id`.":
    "só do parceiro `partner_id`. `subtree`: desse parceiro e dos descendentes dele. Padrão: `self`. Exige `partner_id`.",
  "Creator (`created_by`): the id of a user or API client, or `host:` and the id of a user of the embedding service; exact match":
    "Criador (`created_by`): o id de um usuário ou cliente da API, ou `host:` e o id de um usuário do serviço hospedeiro; comparação exata",
  "The number of applications, in all and by status, next action and status of the proposal":
    "O número de solicitações, no total e por status, próximo passo e status da proposta",
  "The proposal's status. Repeat the parameter, or separate values by commas, to match any of them.":
    "O status da proposta. Repita o parâmetro, ou separe valores por vírgulas, para aceitar qualquer um deles.",
  "The proposal number, in any letter case; exact match":
    "O número da proposta, com maiúsculas ou minúsculas; comparação exata",
  "The name of the contract's lender; exact match": "O nome da instituição do contrato; comparação exata",
  "The code of the lender's fee table; exact match":
    "O código da tabela de taxas e tarifas da instituição; comparação exata",
  "Paid: from this time (inclusive). Format: an ISO 8601 instant with offset, or a day (YYYY-MM-DD) in America/Sao_Paulo.":
    "Pago: a partir deste instante (inclusive). Formato: um instante ISO 8601 com fuso, ou um dia (YYYY-MM-DD) em America/Sao_Paulo.",
  "Paid: before this instant, or to the end of this day. Format: an ISO 8601 instant with offset, or a day (YYYY-MM-DD) in America/Sao_Paulo.":
    "Pago: antes deste instante, ou até o fim deste dia. Formato: um instante ISO 8601 com fuso, ou um dia (YYYY-MM-DD) em America/Sao_Paulo.",
  "Entries about records of this partner only": "Só os registros sobre dados deste parceiro"
}
