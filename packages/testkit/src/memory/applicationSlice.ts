import { compareBy, type ListSlice, type SortKey } from "@lastro/domain/input"
import { type Application, currentRejection, placementOf, statusOfPlacement } from "@lastro/domain/loan"
import {
  abridgeApplication,
  type ApplicationQuery,
  type ApplicationSortField,
  listedUpdatedAt
} from "@lastro/domain/origination"
import { type ReadBudgetExceeded } from "@lastro/domain/ports"
import { Effect } from "effect"
import { isBetween, matchesMetadata, matchesValue, readSlice } from "./readSlice.ts"

const passes = ({ at, filters }: Pick<ApplicationQuery, "at" | "filters">) => (application: Application): boolean =>
  matchesValue(application.external_id, filters.external_id)
  && matchesValue(application.customer.cpf, filters.cpf)
  && matchesValue(statusOfPlacement(placementOf(application), at), filters.status)
  && matchesValue(currentRejection(application)?.code, filters.rejection_code)
  && matchesValue(application.partner_id, filters.partner_id)
  && matchesMetadata(application.metadata, filters.metadata)
  && isBetween(application.created_at, filters.created_from, filters.created_to)
  && isBetween(listedUpdatedAt(application), filters.updated_from, filters.updated_to)

const sortKeys: Readonly<Record<ApplicationSortField, SortKey<Application>>> = {
  created_at: ({ created_at }) => created_at,
  updated_at: listedUpdatedAt
}

const inOrder = compareBy(sortKeys, ({ application_id }) => application_id)

/** Returns all applications in scope that match a query, in its order. */
export const matchingApplications = (
  inScope: ReadonlyArray<Application>,
  query: Omit<ApplicationQuery, "page">
): ReadonlyArray<Application> => inScope.filter(passes(query)).toSorted(inOrder(query.sort)).map(abridgeApplication)

/** Reads a page of the applications in scope that match a query. */
export const applicationSlice = (
  inScope: ReadonlyArray<Application>,
  query: ApplicationQuery,
  budget: number | undefined
): Effect.Effect<ListSlice<Application>, ReadBudgetExceeded> =>
  Effect.map(
    readSlice({
      inScope,
      passes: passes(query),
      filters: query.filters,
      order: inOrder(query.sort),
      page: query.page,
      budget
    }),
    ({ items, total }) => ({ items: items.map(abridgeApplication), total })
  )
