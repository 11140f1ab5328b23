import { Effect, Schema } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { scopeOf } from "../hierarchy/Scope.ts"
import { field } from "../input/field.ts"
import { parseFilters } from "../input/ListQuery.ts"
import { type RawQuery } from "../input/RawQuery.ts"
import { ApplicationStatus } from "../loan/ApplicationStatus.ts"
import { type LoanPlace, loanPlaces } from "../loan/LoanPlace.ts"
import { NextAction } from "../loan/nextAction.ts"
import { ProposalStatus } from "../loan/Proposal.ts"
import { readByPartner } from "../ports/partnerFilter.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { ApplicationRepository } from "./ApplicationRepository.ts"
import { withErasedForm } from "./erasedExternalId.ts"
import { applicationFilterGroups, applicationFilters, judgeCpfFilter } from "./ListApplications.ts"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
  description: "Number of applications",
  examples: [0]
})

const countsBy = <const L extends ReadonlyArray<string>>(literals: L) => Schema.Record(Schema.Literals(literals), Count)

/** The number of applications: total, and by status, next action and proposal status. */
export const FgtsApplicationSummary = Schema.Struct({
  data: Schema.Struct({
    total: field(Count, "Number of applications", 3),
    by_status: countsBy(ApplicationStatus.literals).annotate({ description: "Number of applications by status" }),
    by_next_action: countsBy(NextAction.literals).annotate({ description: "Number of applications by next action" }),
    by_proposal_status: countsBy(ProposalStatus.literals).annotate({
      description:
        "Number of applications by the status of their proposal. Applications without a proposal are not included."
    })
  }).annotate({ description: "The numbers of applications" })
}).annotate({
  identifier: "FgtsApplicationSummary",
  description: "The number of applications, in all and by status, next action and status of the proposal"
})
export interface FgtsApplicationSummary extends Schema.Schema.Type<typeof FgtsApplicationSummary> {}

const countBy = <K extends string>(
  literals: ReadonlyArray<K>,
  counts: ReadonlyMap<LoanPlace, number>,
  keyOf: (place: LoanPlace) => K | null | undefined
) => {
  const sums = new Map<string, number>(literals.map((literal) => [literal, 0]))
  for (const [place, count] of counts) {
    const key = keyOf(place)
    if (key !== null && key !== undefined) sums.set(key, (sums.get(key) ?? 0) + count)
  }
  return Object.fromEntries(sums) as Readonly<Record<K, number>>
}

/**
 * A summary counts each application that matches the filters once by its status, once by its next action and, if it has
 * a proposal, once by the proposal's status.
 * @rule FGTS-75
 */
export const summaryOf = (counts: ReadonlyMap<LoanPlace, number>): FgtsApplicationSummary["data"] => ({
  total: Array.from(counts.values()).reduce((sum, count) => sum + count, 0),
  by_status: countBy(ApplicationStatus.literals, counts, (place) => loanPlaces.get(place)?.status),
  by_next_action: countBy(NextAction.literals, counts, (place) => loanPlaces.get(place)?.next_action),
  by_proposal_status: countBy(ProposalStatus.literals, counts, (place) => loanPlaces.get(place)?.proposal_status)
})

/** The stages of a loan, in order. */
export const funnelStages = ["opened", "quoted", "kyc", "accepted", "signed", "paid"] as const
/** A stage of a loan that the funnel counts. */
export type FunnelStage = typeof funnelStages[number]

const paidStatuses = ["PAID", "REFUND_PENDING", "REFUNDED", "SETTLED"] as const
const signedStatuses = [...paidStatuses, "GUARANTEE_PENDING", "DISBURSING", "DISBURSEMENT_FAILED"] as const

/**
 * The funnel counts, for each stage, the applications that have reached it. An application that ended without a
 * contract counts as quoted if its offers have expired, and otherwise only as opened. A contract that ended before its
 * payment counts as accepted. `kyc` are the accepted applications and those that only wait for the acceptance of an
 * offer.
 * @rule FGTS-76
 */
export const funnelOf = (
  { by_next_action, by_proposal_status, by_status, total }: FgtsApplicationSummary["data"]
): Readonly<Record<FunnelStage, number>> => {
  const sumOf = (statuses: ReadonlyArray<ProposalStatus>) =>
    statuses.reduce((sum, status) => sum + by_proposal_status[status], 0)
  const accepted = sumOf(ProposalStatus.literals)
  return {
    opened: total,
    quoted: accepted + by_status.QUOTED + by_status.EXPIRED,
    kyc: accepted + by_next_action.ACCEPT_OFFER,
    accepted,
    signed: sumOf(signedStatuses),
    paid: sumOf(paidStatuses)
  }
}

const parseQuery = parseFilters({ filters: applicationFilters, groups: applicationFilterGroups })

/** Counts the applications in the caller's subtree. The query is untrusted. */
export const summarizeApplications = Effect.fnUntraced(function*(
  allowed: Allowed<"fgts:read">,
  query: RawQuery,
  budget?: number
) {
  yield* Effect.fromResult(judgeCpfFilter(allowed.caller, query))
  const parsed = yield* Effect.fromResult(parseQuery(query))
  const at = yield* currentTimestamp
  const { countPlaces } = yield* ApplicationRepository
  const data = yield* readByPartner(
    scopeOf(allowed),
    parsed,
    (scope, given) =>
      Effect.flatMap(
        withErasedForm(given),
        (filters) => Effect.map(countPlaces(scope, { filters, at }, budget), summaryOf)
      ),
    summaryOf(new Map())
  )
  const summary: FgtsApplicationSummary = { data }
  return summary
})
