import { type Timestamp } from "../values/Timestamp.ts"
import { type Application, latestQuote } from "./Application.ts"
import { type ApplicationStatus, applicationStatus } from "./ApplicationStatus.ts"
import { type NextAction, nextAction } from "./nextAction.ts"
import { type ProposalStatus } from "./Proposal.ts"
import { clockInstants } from "./visibleVersion.ts"

/** The status and the next action of an application with a proposal, by the status of the proposal. */
const withProposal: Readonly<Record<ProposalStatus, readonly [ApplicationStatus, NextAction]>> = {
  SUBMITTING: ["CONTRACTING", "WAIT"],
  CORRECTION_NEEDED: ["CONTRACTING", "FIX_KYC"],
  AWAITING_SIGNATURE: ["CONTRACTING", "SIGN"],
  GUARANTEE_PENDING: ["CONTRACTING", "WAIT"],
  DISBURSING: ["CONTRACTING", "WAIT"],
  DISBURSEMENT_FAILED: ["CONTRACTING", "FIX_DISBURSEMENT"],
  PAID: ["CONTRACTED", "NONE"],
  CANCELLING: ["CONTRACTING", "WAIT"],
  CANCELLED: ["CANCELLED", "NONE"],
  REJECTED: ["CANCELLED", "NONE"],
  REFUND_PENDING: ["REFUNDING", "WAIT"],
  REFUNDED: ["CANCELLED", "NONE"],
  SETTLED: ["CONTRACTED", "NONE"]
}

/** Every status of an application without a proposal, with each next action that it can have. */
const withoutProposal: ReadonlyArray<readonly [ApplicationStatus, NextAction]> = [
  ["QUOTING", "WAIT"],
  ["REJECTED", "REQUOTE"],
  ["REJECTED", "RETRY_LATER"],
  ["REJECTED", "NONE"],
  ["QUOTE_FAILED", "REQUOTE"],
  ["QUOTE_FAILED", "NONE"],
  ["QUOTED", "SUBMIT_KYC"],
  ["QUOTED", "ACCEPT_OFFER"],
  ["QUOTED", "WAIT_FOR_SETTLEMENT"],
  ["EXPIRED", "REQUOTE"],
  ["EXPIRED", "NONE"],
  ["CANCELLED", "NONE"]
]

/**
 * The place of an application: its status, its next action and the status of its proposal (empty without a proposal).
 * Places are stored and counted, so that a list can filter by each of the three values.
 */
export type LoanPlace = `${ApplicationStatus}/${NextAction}/${ProposalStatus | ""}`

/** The three values of a place. */
export interface LoanPlaceParts {
  readonly status: ApplicationStatus
  readonly next_action: NextAction
  /** Null if no offer is accepted. */
  readonly proposal_status: ProposalStatus | null
}

const placeOf = ({ next_action, proposal_status, status }: LoanPlaceParts): LoanPlace =>
  `${status}/${next_action}/${proposal_status ?? ""}`

/** Every place that an application can have, with its three values. */
export const loanPlaces: ReadonlyMap<LoanPlace, LoanPlaceParts> = new Map(
  [
    ...withoutProposal.map(([status, next_action]) => ({ status, next_action, proposal_status: null })),
    ...(Object.keys(withProposal) as ReadonlyArray<ProposalStatus>).map((proposal_status) => {
      const [status, next_action] = withProposal[proposal_status]
      return { status, next_action, proposal_status }
    })
  ].map((parts) => [placeOf(parts), parts])
)

/** The place of an application after its last event, and the later places that it reaches as time passes. */
export interface LoanCourse {
  readonly place: LoanPlace
  /** In ascending order of time. Each event of the application replaces the whole course. */
  readonly later: ReadonlyArray<{ readonly from: Timestamp; readonly place: LoanPlace }>
}

const placeAtTime = (application: Application, at: Timestamp): LoanPlace =>
  placeOf({
    status: applicationStatus(application, at),
    next_action: nextAction(application, at),
    proposal_status: application.proposal?.status ?? null
  })

/**
 * Between two events, an application changes its place in three cases: an offer expires, the contract that blocks it is
 * expected to be settled, or the `retry_at` of a rejection is reached. Its course lists these places.
 * @rule FGTS-71
 */
export const courseOf = (application: Application): LoanCourse => {
  const { updated_at } = application
  const instants = [...clockInstants(latestQuote(application))].filter((at) => at > updated_at).toSorted()
  const place = placeAtTime(application, updated_at)
  const later: Array<LoanCourse["later"][number]> = []
  for (const from of instants) {
    const next = placeAtTime(application, from)
    if (next !== (later.at(-1)?.place ?? place)) later.push({ from, place: next })
  }
  return { place, later }
}

/**
 * At any time, an application has the latest place of its course that has begun. Before the first of them begins, it has
 * the place after its last event.
 * @rule FGTS-72
 */
export const placeOn = ({ later, place }: LoanCourse, at: Timestamp): LoanPlace =>
  later.findLast(({ from }) => from <= at)?.place ?? place

/** The values by which a list filters places. An absent filter matches every place. */
export interface PlaceFilters {
  readonly status?: ReadonlyArray<ApplicationStatus>
  readonly next_action?: ReadonlyArray<NextAction>
  readonly proposal_status?: ReadonlyArray<ProposalStatus>
}

/**
 * An application matches filters by status, next action and proposal status if its place has a value of each filter.
 * @rule FGTS-73
 */
export const placesFor = ({ next_action, proposal_status, status }: PlaceFilters): ReadonlyArray<LoanPlace> =>
  Array.from(loanPlaces)
    .filter(([, parts]) =>
      (status === undefined || status.includes(parts.status)) &&
      (next_action === undefined || next_action.includes(parts.next_action)) &&
      (proposal_status === undefined ||
        parts.proposal_status !== null && proposal_status.includes(parts.proposal_status))
    )
    .map(([place]) => place)

/**
 * An application of a deleted partner that could otherwise be quoted again, now or later, has no next action.
 * @rule FGTS-74
 */
export const placeWithoutPartner = (place: LoanPlace): LoanPlace => {
  const parts = loanPlaces.get(place)
  return parts?.next_action === "REQUOTE" || parts?.next_action === "RETRY_LATER"
    ? placeOf({ ...parts, next_action: "NONE" })
    : place
}
