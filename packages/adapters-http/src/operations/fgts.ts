import {
  acceptOffer,
  type ApplicationId,
  authorize,
  createApplication,
  getApplication,
  getApplicationStatus,
  getKyc,
  type OfferId,
  requoteApplication,
  searchApplications,
  type StatusRead,
  submitKyc
} from "@lastro/domain"
import { Effect, Option } from "effect"
import { type Answer, operation, type PathParams } from "../pipeline/Operation.ts"
import { bare, existing, idIn, listed } from "./answers.ts"

/** Stands where a path names no offer that can exist, so that the application's hierarchy is judged before the offer's existence. */
const noOffer = "" as OfferId

const named = (params: PathParams) => existing(idIn<ApplicationId>(params, "id"))

/** Seconds between two looks at what somebody else is at work on, or for which there was no place to wait. */
const pollSeconds = 1

const status = ({ status, turned_away }: StatusRead): Answer => ({
  ...bare(status),
  ...(turned_away || status.next_action === "WAIT" ? { retry_after_seconds: pollSeconds } : {})
})

/** The operations of FGTS origination, by their names in the API definition. */
export const fgtsOperations = {
  searchApplications: operation({
    authorize: (caller) => authorize(caller, "fgts:read"),
    body: "none",
    idempotent: false,
    handle: (allowed, { query }) => Effect.map(searchApplications(allowed, query), listed)
  }),
  createApplication: operation({
    authorize: (caller) => authorize(caller, "fgts:write"),
    body: "json",
    idempotent: true,
    handle: (allowed, { body }) =>
      Effect.map(createApplication(allowed, body), (application) => ({
        ...bare(application),
        status: 201,
        location: `/api/v1/fgts/applications/${application.application_id}`
      }))
  }),
  requoteApplication: operation({
    authorize: (caller) => authorize(caller, "fgts:write"),
    body: "optional-json",
    idempotent: true,
    handle: (allowed, { body, params }) =>
      Effect.map(
        Effect.flatMap(named(params), (id) => requoteApplication(allowed, id, body)),
        (application) => ({ ...bare(application), status: 202 })
      )
  }),
  acceptOffer: operation({
    authorize: (caller) => authorize(caller, "fgts:write"),
    body: "json",
    idempotent: true,
    handle: (allowed, { body, params }) =>
      Effect.gen(function*() {
        const id = yield* named(params)
        const offer = Option.getOrElse(idIn<OfferId>(params, "offer_id"), () => noOffer)
        return { status: 202, body: yield* acceptOffer(allowed, id, offer, body) }
      })
  }),
  getKyc: operation({
    authorize: (caller) => authorize(caller, "kyc:read"),
    body: "none",
    idempotent: false,
    handle: (allowed, { params }) => Effect.map(Effect.flatMap(named(params), (id) => getKyc(allowed, id)), bare)
  }),
  submitKyc: operation({
    authorize: (caller) => authorize(caller, "fgts:write"),
    body: "json",
    idempotent: true,
    handle: (allowed, { body, params }) =>
      Effect.map(Effect.flatMap(named(params), (id) => submitKyc(allowed, id, body)), bare)
  }),
  getApplication: operation({
    authorize: (caller) => authorize(caller, "fgts:read"),
    body: "none",
    idempotent: false,
    handle: (allowed, { params, query }) =>
      Effect.map(Effect.flatMap(named(params), (id) => getApplication(allowed, id, query)), bare)
  }),
  getApplicationStatus: operation({
    authorize: (caller) => authorize(caller, "fgts:read"),
    body: "none",
    idempotent: false,
    handle: (allowed, { isKnown, params, query }) =>
      Effect.map(Effect.flatMap(named(params), (id) => getApplicationStatus(allowed, id, query, isKnown)), status)
  })
}
