/** Texts of the records of events, webhooks and the audit in Portuguese, by the English text. */
export const eventFields: Readonly<Record<string, string>> = {
  "events are delivered. `PAUSED`: deliveries wait, and none is dropped. `DISABLED`: the endpoint answered 410, and deliveries wait.":
    "os eventos são entregues. `PAUSED`: as entregas esperam, e nenhuma se perde. `DISABLED`: o endpoint respondeu 410, e as entregas esperam.",
  "An endpoint to which events are delivered": "Um endpoint ao qual os eventos são entregues",
  "The delivery of one event to a webhook": "A entrega de um evento a um webhook",
  "an attempt will follow. `DELIVERED`: the endpoint answered 2xx. `FAILED`: no attempt follows until the webhook is resumed, or the event is redelivered.":
    "haverá uma tentativa. `DELIVERED`: o endpoint respondeu 2xx. `FAILED`: não há outra tentativa até que o webhook seja retomado ou o evento seja entregue de novo.",
  "The partner directly above; null for a root": "O parceiro imediatamente acima; null para uma raiz",
  "The status of the partner": "O status do parceiro",
  "The data of an event about a partner": "Os dados de um evento sobre um parceiro",
  "The status of the user": "O status do usuário",
  "The group of the user": "O grupo do usuário",
  "The data of an event about a user": "Os dados de um evento sobre um usuário",
  "The id of the API client": "O id do cliente da API",
  "The data of an event about an API client": "Os dados de um evento sobre um cliente da API",
  "The latest quote": "A última cotação",
  "The status of the application after the event": "O status da solicitação depois do evento",
  "The number of offers. Only in `application.quoted`": "O número de ofertas. Só em `application.quoted`",
  "The accepted offer. Only in `application.accepted`": "A oferta aceita. Só em `application.accepted`",
  "The new proposal. Only in `application.accepted`": "A nova proposta. Só em `application.accepted`",
  "The reason of the cancellation. Only in `application.cancelled`":
    "O motivo do cancelamento. Só em `application.cancelled`",
  "The reason of a rejection or failure": "O motivo de uma recusa ou falha",
  "The party that can remove the reason": "A parte que pode remover o motivo",
  "The data of an event about an application": "Os dados de um evento sobre uma solicitação",
  "The accepted offer": "A oferta aceita",
  "The status of the proposal after the event": "O status da proposta depois do evento",
  "The amount for the customer, in reais": "O valor para o cliente, em reais",
  "The number of payments that were attempted, 0 before the first":
    "O número de tentativas de pagamento, 0 antes da primeira",
  "The paid amount in reais, after the payment": "O valor pago em reais, depois do pagamento",
  "The time of the payment, after the payment": "O instante do pagamento, depois dele",
  "The time at which the contract was settled, after that": "O instante em que o contrato foi quitado, depois disso",
  "The data of an event about a proposal": "Os dados de um evento sobre uma proposta",
  "When the endpoint last answered 2xx; null if never":
    "Quando o endpoint respondeu 2xx pela última vez; null se nunca",
  "When an attempt last failed; null if never": "Quando uma tentativa falhou pela última vez; null se nunca",
  "The last failure: the HTTP status, or the reason why there was no answer":
    "A última falha: o status HTTP, ou o motivo pelo qual não houve resposta",
  "The last deliveries. They are not part of the `ETag`.": "As últimas entregas. Não fazem parte do `ETag`.",
  "The sequence of the first event, inclusive": "A sequência do primeiro evento, inclusive",
  "Request body that delivers events again": "Corpo da requisição que entrega eventos de novo",
  "The id of the event, in the header `webhook-id`": "O id do evento, no cabeçalho `webhook-id`",
  "The sequence of the event; null for a test": "A sequência do evento; null para um teste",
  "The type of the event, or `webhook.test`": "O tipo do evento, ou `webhook.test`",
  "The number of attempts since the delivery was last requested":
    "O número de tentativas desde que a entrega foi pedida pela última vez",
  "The HTTP status of the last answer; null without an answer": "O status HTTP da última resposta; null sem resposta",
  "Why the last attempt had no answer; null otherwise":
    "Por que a última tentativa não teve resposta; null nos outros casos",
  "The duration of the last attempt in milliseconds": "A duração da última tentativa, em milissegundos",
  "When the last attempt ended; null before the first one":
    "Quando a última tentativa terminou; null antes da primeira",
  "When the next attempt is due; null if none follows": "Quando a próxima tentativa é devida; null se não há",
  "When the delivery was first due": "Quando a entrega foi devida pela primeira vez",
  "Empty request body": "Corpo da requisição vazio",
  "The partner whose events, and those of the partners below it, are delivered":
    "O parceiro cujos eventos, e os dos parceiros abaixo dele, são entregues",
  "The address of the endpoint: `https`, without user, password and fragment":
    "O endereço do endpoint: `https`, sem usuário, senha e fragmento",
  "The types and groups of events that are delivered, such as `proposal.paid` and `user.*`; empty: all":
    "Os tipos e grupos de eventos que são entregues, como `proposal.paid` e `user.*`; vazio: todos",
  "A note for people, without personal data": "Uma nota para pessoas, sem dados pessoais",
  "a caller paused it. `RETRIES_EXHAUSTED`: an event could not be delivered for 7 days. `GONE`: the endpoint answered 410.":
    "quem chama o pausou. `RETRIES_EXHAUSTED`: um evento não pôde ser entregue por 7 dias. `GONE`: o endpoint respondeu 410.",
  "Why it is not active; null while it is active": "Por que não está ativo; null enquanto está ativo",
  "The secret that verifies the signatures. It is returned only here, and not in a replay.":
    "O segredo que verifica as assinaturas. Ele só é retornado aqui, e não em uma repetição.",
  "`PAUSED` pauses the webhook, and `ACTIVE` resumes it": "`PAUSED` pausa o webhook, e `ACTIVE` o retoma",
  "Request body that changes a webhook. Only the fields present change.":
    "Corpo da requisição que altera um webhook. Só os campos presentes mudam.",
  "The types and groups of events; absent or empty: all": "Os tipos e grupos de eventos; ausente ou vazio: todos",
  "The id of the webhook's partner, in the caller's subtree. Default: the caller's own partner.":
    "O id do parceiro do webhook, na subárvore de quem chama. Padrão: o próprio parceiro de quem chama.",
  "Request body that creates a webhook": "Corpo da requisição que cria um webhook",
  "The events, in the order of their sequences": "Os eventos, na ordem das sequências",
  "Pass it as `after` to read on": "Envie-o como `after` para continuar a leitura",
  "The place of the event in the feed of its tree; it never changes": "O lugar do evento no feed da árvore; nunca muda",
  "The type of the event": "O tipo do evento",
  "When it happened": "Quando aconteceu",
  "The id of the partner that the record belonged to when it happened":
    "O id do parceiro ao qual o registro pertencia quando aconteceu",
  "The kind of the record": "O tipo do registro",
  "The version of the record after the change; null without versions":
    "A versão do registro depois da mudança; null se não há versões",
  "The record, and its version after the change; null for a record without versions":
    "O registro e a versão dele depois da mudança; null para um registro sem versões",
  "Ids, statuses, codes, amounts and times. No personal data.":
    "Ids, status, códigos, valores e instantes. Nenhum dado pessoal.",
  "The `X-Request-Id` of the request if it is a UUID, a ULID or a trace id, otherwise a hash; null without a request":
    "O `X-Request-Id` da requisição, se for um UUID, um ULID ou um trace id; senão, um hash; null sem requisição",
  "The id of the group that the API client belongs to": "O id do grupo do cliente da API",
  "The kind of the actor": "O tipo do autor",
  "The id of the user or API client, `operator`, `lender` or `lastro`":
    "O id do usuário ou do cliente da API, `operator`, `lender` ou `lastro`",
  "The actor that caused the event": "O autor que causou o evento",
  "Something that happened to a record": "Algo que aconteceu com um registro",
  "The type of the event. `proposal.*` has one type for each status that a proposal enters, in lower case.":
    "O tipo do evento. `proposal.*` tem um tipo para cada status em que uma proposta entra, em minúsculas.",
  "A type of event, such as `proposal.paid`, or a group of types, such as `user.*`":
    "Um tipo de evento, como `proposal.paid`, ou um grupo de tipos, como `user.*`",
  "The id of the entry": "O id do registro de auditoria",
  "When the action took place": "Quando a ação ocorreu",
  "The id of the user or API client; `host:` and an id for a user of the embedding service; `operator` for the command line; `lender` for its statements; `lastro` for an expiry":
    "O id do usuário ou do cliente da API; `host:` e um id para um usuário do serviço hospedeiro; `operator` para a linha de comando; `lender` para as informações da instituição; `lastro` para um vencimento",
  "The action, for programs": "A ação, para programas",
  "The id of the partner that the record belongs to": "O id do parceiro ao qual o registro pertence",
  "The `X-Request-Id` of the request if it is a UUID, a ULID or a trace id, otherwise a hash; null for other actions":
    "O `X-Request-Id` da requisição, se for um UUID, um ULID ou um trace id; senão, um hash; null para outras ações",
  "The paths of the changed fields": "Os caminhos dos campos alterados",
  "The record before the change, with personal data masked; null if there is none":
    "O registro antes da mudança, com dados pessoais mascarados; null se não há",
  "The record after the change, with personal data masked; null if there is none":
    "O registro depois da mudança, com dados pessoais mascarados; null se não há",
  "An audit entry": "Um registro de auditoria",
  "Sent to every active webhook of this type. Verify the signature over the exact body before you parse it.":
    "Enviado a cada webhook ativo deste tipo. Verifique a assinatura sobre o corpo exato antes de interpretá-lo.",
  "The webhook is disabled": "O webhook é desativado",
  "The event is delivered": "O evento foi entregue",
  "The delivery is repeated. `Retry-After` is honoured": "A entrega é repetida. `Retry-After` é respeitado",
  "A test has no place in the feed": "Um teste não tem lugar no feed"
}
