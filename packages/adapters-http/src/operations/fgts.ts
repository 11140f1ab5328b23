import {
  acceptOffer,
  type ApplicationId,
  createApplication,
  getApplication,
  getApplicationStatus,
  getKyc,
  idOrNobody,
  type OfferId,
  permits,
  requoteApplication,
  searchApplications,
  type StatusRead,
  submitKyc
} from "@lastro/domain"
import { Effect } from "effect"
import { type Answer, operation, type PathParams } from "../pipeline/Operation.ts"
import { bare, idIn, listed } from "./answers.ts"

const named = (params: PathParams) => idIn<ApplicationId>(params, "id")

/** Seconds between two looks at what somebody else is at work on, or for which there was no place to wait. */
const pollSeconds = 1

const status = ({ status, turned_away }: StatusRead): Answer => ({
  ...bare(status),
  ...(turned_away || status.next_action === "WAIT" ? { retry_after_seconds: pollSeconds } : {})
})

/** The operations of FGTS origination, by their names in the API definition. */
export const fgtsOperations = {
  searchApplications: operation({
    authorize: permits.searchApplications,
    body: "none",
    idempotent: false,
    handle: (allowed, { query }) => Effect.map(searchApplications(allowed, query), listed)
  }),
  createApplication: operation({
    authorize: permits.createApplication,
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
    authorize: permits.requoteApplication,
    body: "optional-json",
    idempotent: true,
    handle: (allowed, { body, params }) =>
      Effect.map(
        Effect.flatMap(named(params), (id) => requoteApplication(allowed, id, body)),
        (application) => ({ ...bare(application), status: 202 })
      )
  }),
  acceptOffer: operation({
    authorize: permits.acceptOffer,
    body: "json",
    idempotent: true,
    handle: (allowed, { body, params }) =>
      Effect.gen(function*() {
        const id = yield* named(params)
        // The application's hierarchy is judged before the offer's existence.
        const offer = idOrNobody<OfferId>(params["offer_id"] ?? "")
        return { status: 202, body: yield* acceptOffer(allowed, id, offer, body) }
      })
  }),
  getKyc: operation({
    authorize: permits.getKyc,
    body: "none",
    idempotent: false,
    handle: (allowed, { params }) => Effect.map(Effect.flatMap(named(params), (id) => getKyc(allowed, id)), bare)
  }),
  submitKyc: operation({
    authorize: permits.submitKyc,
    body: "json",
    idempotent: true,
    handle: (allowed, { body, params }) =>
      Effect.map(Effect.flatMap(named(params), (id) => submitKyc(allowed, id, body)), bare)
  }),
  getApplication: operation({
    authorize: permits.getApplication,
    body: "none",
    idempotent: false,
    handle: (allowed, { params, query }) =>
      Effect.map(Effect.flatMap(named(params), (id) => getApplication(allowed, id, query)), bare)
  }),
  getApplicationStatus: operation({
    authorize: permits.getApplicationStatus,
    body: "none",
    idempotent: false,
    handle: (allowed, { isKnown, params, query }) =>
      Effect.map(Effect.flatMap(named(params), (id) => getApplicationStatus(allowed, id, query, isKnown)), status)
  })
}
