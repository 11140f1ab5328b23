import { resumeWebhook } from "@lastro/domain/operator"
import { parseUuid, type WebhookId } from "@lastro/domain/values"
import { type Webhook, WebhookRepository } from "@lastro/domain/webhook"
import { Effect, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { json, type ListForm, printList, printRecord } from "./records.ts"
import { mapRefusals, reportFinding } from "./refused.ts"
import { withPorts } from "./withPorts.ts"

/** The columns of a webhook. The URL is shown without its query, which may contain a secret. */
const form: ListForm<Webhook> = {
  empty: "There are no webhooks.",
  columns: {
    webhook_id: ({ webhook_id }) => webhook_id,
    partner_id: ({ partner_id }) => partner_id,
    status: ({ status }) => status,
    stop_reason: ({ stop_reason }) => stop_reason,
    last_success_at: ({ health }) => health.last_success_at,
    last_failure_at: ({ health }) => health.last_failure_at,
    last_failure: ({ health }) => health.last_failure,
    url: ({ url }) => url.replace(/\?.*$/, "?…")
  }
}

const limit = Flag.Int("limit").pipe(
  Flag.withDescription("Maximum number of webhooks, from 1 to 100000. Default: 1000"),
  Flag.withDefault(1_000),
  Flag.filter((value) => value >= 1 && value <= 100_000, () => "from 1 to 100000")
)

const list = Command.make("list", { json, limit }, ({ json, limit }) =>
  Effect.gen(function*() {
    const webhooks = yield* (yield* WebhookRepository).listAll(limit)
    yield* printList(json, webhooks, form)
  }).pipe(withPorts)).pipe(
    Command.withDescription(
      "List the webhooks of all partners, the newest first, one per line, as tab-separated columns with a header: id, partner, status (ACTIVE, PAUSED or " +
        "DISABLED), reason of a stop, time of the last success, time of the last failure, last failure, and URL."
    ),
    Command.withShortDescription("List webhooks"),
    Command.withExamples([{ command: "lastro webhooks list --json", description: "List the webhooks as JSON" }])
  )

const resume = Command.make("resume", {
  id: Argument.String("id").pipe(Argument.withDescription("Id of the webhook, as shown by lastro webhooks list")),
  json
}, ({ id, json }) =>
  Effect.gen(function*() {
    const missing = "No webhook has this id."
    const webhook_id = parseUuid(id)
    if (Result.isFailure(webhook_id)) return yield* reportFinding(missing)
    const resumed = yield* mapRefusals({ NotFound: missing })(resumeWebhook(webhook_id.success as WebhookId))
    yield* printRecord(json, resumed, `${id} is active. Its deliveries go on where they stopped.`)
  }).pipe(withPorts)).pipe(
    Command.withDescription(
      "Resume a webhook that is PAUSED or DISABLED. Its deliveries go on where they stopped, and none is lost. Leaves an audit entry."
    ),
    Command.withShortDescription("Resume a webhook"),
    Command.withExamples([{
      command: "lastro webhooks resume 0197f3a2-6c2d-7e4f-9a5b-0c1d2e3f4051",
      description: "Deliver again after the receiver was mended"
    }])
  )

export const webhooks = Command.make("webhooks").pipe(
  Command.withDescription("List the webhooks of all partners, and resume those that stopped"),
  Command.withSubcommands([list, resume])
)
