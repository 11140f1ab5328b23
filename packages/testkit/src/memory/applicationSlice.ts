import { type ListSlice, type SortKey } from "@lastro/domain/input"
import {
  type Application,
  applicationStatus,
  courseOf,
  currentRejection,
  lastExpiryOf,
  latestQuote,
  type LoanPlace,
  nextAction,
  placeOn,
  recordingTime
} from "@lastro/domain/loan"
import {
  abridgeApplication,
  type ApplicationQuery,
  type ApplicationSortField,
  listedUpdatedAt,
  statusesFor
} from "@lastro/domain/origination"
import { ReadBudgetExceeded } from "@lastro/domain/ports"
import { Effect } from "effect"
import { isBetween, ListOrder, matchesAny, matchesMetadata, matchesValue, readSlice } from "./readSlice.ts"

const passes = ({ at, filters }: Pick<ApplicationQuery, "at" | "filters">) => (application: Application): boolean =>
  matchesAny(applicationStatus(application, recordingTime(application, at)), statusesFor(filters))
  && matchesAny(nextAction(application, recordingTime(application, at)), filters.next_action)
  && matchesAny(application.proposal?.status ?? null, filters.proposal_status)
  && matchesAny(application.external_id, filters.external_id)
  && matchesValue(application.customer.cpf, filters.cpf)
  && matchesValue(currentRejection(application)?.code, filters.rejection_code)
  && matchesValue(application.partner_id, filters.partner_id)
  && matchesValue(application.created_by, filters.created_by)
  && matchesMetadata(application.metadata, filters.metadata)
  && isBetween(application.created_at, filters.created_from, filters.created_to)
  && isBetween(listedUpdatedAt(application), filters.updated_from, filters.updated_to)
  && isBetween(lastExpiryOf(latestQuote(application)), filters.expires_from, filters.expires_to)
  && isBetween(latestQuote(application).rejection?.retry_at ?? null, filters.retry_from, filters.retry_to)

const sortKeys: Readonly<Record<ApplicationSortField, SortKey<Application>>> = {
  created_at: ({ created_at }) => created_at,
  updated_at: listedUpdatedAt
}

const inOrder = new ListOrder(sortKeys, ({ application_id }) => application_id)

/** Returns all applications in scope that match a query, in its order. */
export const matchingApplications = (
  inScope: ReadonlyArray<Application>,
  query: Omit<ApplicationQuery, "page">
): ReadonlyArray<Application> =>
  inScope.filter(passes(query)).toSorted(inOrder.compare(query.sort)).map(abridgeApplication)

/** Reads a page of the applications in scope that match a query. */
export const applicationSlice = (
  inScope: ReadonlyArray<Application>,
  query: ApplicationQuery,
  budget: number | undefined
): Effect.Effect<ListSlice<Application>, ReadBudgetExceeded> =>
  Effect.map(
    readSlice({ inScope, passes: passes(query), query, order: inOrder, budget }),
    (slice) => ({ ...slice, items: slice.items.map(abridgeApplication) })
  )

/** The filters that places decide. A database has counts of places, so it examines no record for these filters. */
const filtersOfPlaces: ReadonlySet<string> = new Set(["next_action", "proposal_status", "status"])

/** Counts the applications in scope that match a query, by place. */
export const countPlaces = (
  inScope: ReadonlyArray<Application>,
  query: Pick<ApplicationQuery, "at" | "filters">,
  budget = Number.POSITIVE_INFINITY
): Effect.Effect<ReadonlyMap<LoanPlace, number>, ReadBudgetExceeded> => {
  const isFiltered = Object.keys(query.filters).some((name) => !filtersOfPlaces.has(name))
  if (isFiltered && inScope.length > budget) return Effect.fail(new ReadBudgetExceeded())
  const counts = new Map<LoanPlace, number>()
  for (const application of inScope.filter(passes(query))) {
    const place = placeOn(courseOf(application), query.at)
    counts.set(place, (counts.get(place) ?? 0) + 1)
  }
  return Effect.succeed(counts)
}
