import { ApplicationStatus, type PlacementBounds, placementsWith, placesFor } from "@lastro/domain/loan"
import {
  type ApplicationFilters,
  type ApplicationQuery,
  type ApplicationSortField,
  statusesFor
} from "@lastro/domain/origination"
import { type CountColumn } from "../hierarchy/countColumns.ts"
import { type Listing, metadataFilter, type Partition, type PlacesAt } from "../paging/Listing.ts"
import { listedColumns } from "./applicationRow.ts"
import { countOfPlacement } from "./countChanges.ts"

/**
 * The filters of a list of applications, one per compared column. A single status becomes a filter by the bounds of its
 * placements (FGTS-50). Any other filters by status, next action and proposal status become one filter by place.
 */
interface ListFilters
  extends Omit<ApplicationFilters, "next_action" | "proposal_status" | "status">, Partial<PlacementBounds>
{
  readonly placed?: PlacesAt
}

/** Converts the filters by status, next action and proposal status to those of {@link ListFilters}. */
export const toListFilters = (
  { at, filters }: Pick<ApplicationQuery, "at" | "filters">
): ListFilters => {
  const { next_action, proposal_status, status: _, ...others } = filters
  const status = statusesFor(filters)
  const isDerived = next_action !== undefined || proposal_status !== undefined
  if (isDerived || status !== undefined && status.length !== 1) {
    const derived = {
      ...next_action === undefined ? {} : { next_action },
      ...proposal_status === undefined ? {} : { proposal_status },
      ...status === undefined ? {} : { status }
    }
    return { ...others, placed: { places: placesFor(derived), at } }
  }
  const [single] = status ?? []
  return single === undefined ? others : { ...others, ...placementsWith(single, at) }
}

/** Returns the filter by place if it is the only filter. */
const placesOf = ({ placed, ...others }: ListFilters): PlacesAt | undefined =>
  Object.keys(others).length === 0 ? placed : undefined

const partitioned: ReadonlySet<string> = new Set<keyof ListFilters>(["stage", "live_from", "live_before"])

/**
 * The column with the stored count of each stage. QUOTED and EXPIRED are not included, because they depend on the
 * clock.
 */
const countsByStage: Readonly<Record<string, CountColumn>> = Object.fromEntries(
  ApplicationStatus.literals.flatMap((stage) =>
    stage === "QUOTED" || stage === "EXPIRED" ? [] : [[stage, countOfPlacement({ stage, live_until: null })]]
  )
)

/** Returns the partition of the applications with a status if the status is the only filter. Otherwise undefined. */
const partitionOf = (filters: ListFilters): Partition | undefined => {
  const { live_before, live_from, stage } = filters
  if (stage === undefined || Object.keys(filters).some((name) => !partitioned.has(name))) return undefined
  if (stage !== "QUOTED") return { count: { filter: "stage", columns: countsByStage } }
  const [quoted, expired] = ["applications_quoted", "applications_expired"] as const
  if (live_from !== undefined) return { count: quoted, expiring: { bound: "live_from", sign: "-", others: expired } }
  return live_before !== undefined
    ? { count: expired, expiring: { bound: "live_before", sign: "+", others: quoted } }
    : undefined
}

/** The path of `retry_at` of the rejection in the column `listed`. */
const retryAt = "{quotes,-1,rejection,retry_at}"

export const listing: Listing<ApplicationSortField, ListFilters> = {
  table: "application",
  owner: "partner_id",
  count: "applications",
  present: "true",
  filters: {
    cpf: { column: "cpf", match: "equals", type: "text", index: "records" },
    external_id: { column: "external_id", match: "oneOf", type: "text", index: "tree" },
    created_by: { column: "created_by", match: "equals", type: "text", index: "records" },
    partner_id: { column: "partner_id", match: "equals", type: "uuid", index: "records" },
    rejection_code: { column: "rejection_code", match: "equals", type: "text", index: "tree" },
    metadata: metadataFilter,
    created_from: { column: "created_at", match: "from", type: "timestamptz", index: "tree" },
    created_to: { column: "created_at", match: "before", type: "timestamptz", index: "tree" },
    updated_from: { column: "updated_at", match: "from", type: "timestamptz", index: "tree" },
    updated_to: { column: "updated_at", match: "before", type: "timestamptz", index: "tree" },
    expires_from: { column: "live_until", match: "from", type: "timestamptz" },
    expires_to: { column: "live_until", match: "before", type: "timestamptz" },
    retry_from: { column: "listed", path: retryAt, match: "from", type: "timestamptz" },
    retry_to: { column: "listed", path: retryAt, match: "before", type: "timestamptz" },
    stage: { column: "stage", match: "equals", type: "text", index: "tree" },
    live_from: { column: "live_until", match: "from", type: "timestamptz" },
    live_before: { column: "live_until", match: "before", type: "timestamptz" },
    placed: { column: "place", match: "placed", type: "text", index: "tree" }
  },
  sorts: { created_at: "created_at", updated_at: "updated_at" },
  indexed: ["created_at", "updated_at"],
  indexedInRegion: ["created_at"],
  partitionOf,
  placesOf,
  columns: listedColumns
}
