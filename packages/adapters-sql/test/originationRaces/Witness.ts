import {
  acceptOffer,
  type Allowed,
  type ApplicationId,
  createApplication,
  type OfferId,
  requoteApplication
} from "@lastro/domain"
import { type Origination } from "@lastro/testkit/scenarios"
import { Context, Effect, Layer } from "effect"

type Told = Origination["told"][number]

/** Remembers what callers were told. */
export class Witness extends Context.Service<Witness, {
  readonly told: Array<Told>
}>()("@lastro/adapters-sql/test/originationRaces/Witness") {}

/** Callers that were told nothing yet. */
export const layerWitness: Layer.Layer<Witness> = Layer.sync(Witness, () => ({ told: [] }))

const remembered = (told: Told) => Effect.map(Witness, (witness) => witness.told.push(told))

type Writer = Allowed<"fgts:write">

/** Opens an application, as a caller that remembers the answer. */
export const opens = (writer: Writer, body: unknown) =>
  Effect.tap(
    createApplication(writer, body),
    ({ application_id, quote: { quote_id } }) => remembered({ _tag: "Quoting", application_id, quote_id })
  )

/** Has an application quoted anew, as a caller that remembers the answer. */
export const requotes = (writer: Writer, id: ApplicationId, body: unknown = undefined) =>
  Effect.tap(
    requoteApplication(writer, id, body),
    ({ application_id, quote: { quote_id } }) => remembered({ _tag: "Quoting", application_id, quote_id })
  )

/** Accepts an offer, as a caller that remembers the answer. */
export const accepts = (writer: Writer, id: ApplicationId, offer: OfferId) =>
  Effect.tap(
    acceptOffer(writer, id, offer, { terms_accepted: true }),
    (answer) => remembered({ _tag: "Accepted", answer })
  )
