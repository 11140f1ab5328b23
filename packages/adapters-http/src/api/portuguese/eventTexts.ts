import { type NameIn } from "../Api.ts"
import { type OperationText } from "./peopleTexts.ts"

/** The operations of events and webhooks, and of the lenders' callbacks, in Portuguese. */
export const eventTexts: Readonly<Record<NameIn<"events" | "webhooks" | "callbacks">, OperationText>> = {
  listEvents: {
    summary: "Ler o feed de eventos",
    description:
      "Retorna o que aconteceu com o parceiro de quem chama e com os parceiros abaixo dele, conforme a árvore no momento do " +
      "fato, na ordem de `sequence`. Um consumidor que lê até o fim e continua de `next` nunca perde e nunca repete um evento. " +
      "É o modo de acompanhar mudanças: uma lista filtrada por `updated_from` pode perder uma mudança que foi confirmada tarde. " +
      "Eventos são excluídos depois de 90 dias, se o operador não definiu outro prazo. Um `after` a partir do qual já houve " +
      "exclusões recebe 410. Exige `events:read`."
  },
  listWebhooks: {
    summary: "Listar webhooks",
    description: "Retorna uma página dos webhooks na subárvore de quem chama. Exige `webhooks:write`."
  },
  createWebhook: {
    summary: "Criar um webhook",
    description:
      "Cria um webhook do parceiro de quem chama, ou de `partner_id` na subárvore dele. Ele recebe os eventos gravados de agora " +
      "em diante. A resposta contém o segredo, que não é retornado de novo. Um parceiro tem no máximo 20 webhooks. Exige " +
      "`webhooks:write`."
  },
  getWebhook: {
    summary: "Consultar um webhook",
    description: "Retorna um webhook na subárvore de quem chama. Exige `webhooks:write`."
  },
  updateWebhook: {
    summary: "Alterar um webhook",
    description:
      "Altera os campos que o corpo contém. `status` `PAUSED` pausa as entregas, e `ACTIVE` as retoma de onde pararam. " +
      "`partner_id` é imutável. Exige `webhooks:write`."
  },
  deleteWebhook: {
    summary: "Excluir um webhook",
    description: "Exclui um webhook com as entregas dele. Exige `webhooks:write`."
  },
  rotateWebhookSecret: {
    summary: "Trocar o segredo de um webhook",
    description:
      "Substitui o segredo e retorna o novo. Ele não é retornado de novo, nem em uma resposta repetida. Por 24 horas, as " +
      "entregas são assinadas com os dois segredos. Exige `webhooks:write`."
  },
  testWebhook: {
    summary: "Testar um webhook",
    description:
      "Envia um evento do tipo `webhook.test` uma vez, qualquer que seja o status do webhook. Ele não está no feed. Veja o " +
      "resultado nas entregas. Exige `webhooks:write`."
  },
  listWebhookDeliveries: {
    summary: "Listar as entregas de um webhook",
    description:
      "Retorna uma página das entregas, as mais novas primeiro. Entregas encerradas há mais de 7 dias são excluídas. Exige " +
      "`webhooks:write`."
  },
  redeliverEvent: {
    summary: "Entregar um evento de novo",
    description:
      "Envia um evento de novo, com o mesmo `webhook-id`. Se o webhook não está ativo, a entrega espera. Para um evento cuja " +
      "entrega foi excluída, use a repetição de eventos. Exige `webhooks:write`."
  },
  replayWebhook: {
    summary: "Repetir eventos",
    description:
      "Entrega de novo os eventos a partir de `from_sequence`, inclusive, cada um com o mesmo `webhook-id` de antes. Exige " +
      "`webhooks:write`."
  },
  receiveLenderCallback: {
    summary: "Receber um callback da instituição",
    description:
      "Recebe um callback (webhook) da instituição. O corpo pode ter qualquer tipo de mídia. A instituição é autenticada por uma " +
      "assinatura ou por um segredo, como a documentação dele descreve. Um callback só faz o servidor consultar o estado atual " +
      "na instituição: o conteúdo não é considerado confiável. A resposta é 204 para todo callback autêntico, mesmo que ele não " +
      "mencione nada que o servidor conheça. Pode ser repetido com segurança."
  }
}
