import { type Allowed } from "@lastro/domain/access"
import { type Once, type SentKey } from "@lastro/domain/idempotency"
import { acceptOffer, createApplication, requoteApplication } from "@lastro/domain/origination"
import { type ApplicationId, type OfferId } from "@lastro/domain/values"
import { type OriginationRecords } from "@lastro/testkit/scenarios"
import { Context, Effect, Layer } from "effect"

type Answer = OriginationRecords["responses"][number]

/** The answers that callers received, in order. */
export class AnswerLog extends Context.Service<AnswerLog, {
  readonly answers: Array<Answer>
}>()("@lastro/adapters-sql/test/application/races/AnswerLog") {}

export const layerAnswerLog: Layer.Layer<AnswerLog> = Layer.sync(AnswerLog, () => ({ answers: [] }))

const logAnswer = (answer: Answer) => Effect.map(AnswerLog, ({ answers }) => answers.push(answer))

const answerOf = <A, E, R>(command: Effect.Effect<Once<A>, E, R>) => Effect.map(command, ({ answer }) => answer)

type Writer = Allowed<"fgts:write">

/** Opens an application and logs the answer. */
export const createAndLog = (writer: Writer, body: unknown) =>
  Effect.tap(
    answerOf(createApplication(writer, body)),
    ({ application_id, quote: { quote_id } }) => logAnswer({ _tag: "Quoting", application_id, quote_id })
  )

/** Requests a new quote and logs the answer. */
export const requoteAndLog = (writer: Writer, id: ApplicationId, body: unknown = undefined) =>
  Effect.tap(
    answerOf(requoteApplication(writer, id, body)),
    ({ application_id, quote: { quote_id } }) => logAnswer({ _tag: "Quoting", application_id, quote_id })
  )

/** Accepts an offer and logs the answer. */
export const acceptAndLog = (writer: Writer, id: ApplicationId, offer: OfferId, sent?: SentKey) =>
  Effect.tap(
    answerOf(acceptOffer(writer, id, offer, { terms_accepted: true }, sent)),
    (answer) => logAnswer({ _tag: "Accepted", answer })
  )
