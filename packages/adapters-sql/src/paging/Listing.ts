import { type LoanPlace } from "@lastro/domain/loan"
import { type Metadata, type Timestamp } from "@lastro/domain/values"
import { type CountColumn } from "../hierarchy/countColumns.ts"
import { type Expiring } from "../hierarchy/countOf.ts"

/** The type of a column that a filter compares. */
type FilterType = "text" | "uuid" | "timestamptz" | "jsonb"

/** The places that a filter selects, and the time at which applications are in them. */
export interface PlacesAt {
  readonly places: ReadonlyArray<LoanPlace>
  readonly at: Timestamp
}

/**
 * A filter of a list: the column of `item` to compare, and the comparison.
 * - `contains`: The text of the column contains the value. A trigram index supports it.
 * - `equals`: The column equals the value.
 * - `includes`: The column is a JSON object that has every key of the value, with the same text. A JSON path index
 * supports it.
 * - `oneOf`: The column equals one of the values.
 * - `placed`: At the time in the value, the place of the application is one of the places in the value.
 * - `from`: The column is at or after the value.
 * - `before`: The column is before the value.
 */
export interface ListFilter<Value> {
  readonly column: string
  /** The path of the compared text in a JSON column. Absent: the whole column is compared. */
  readonly path?: string
  readonly match: "contains" | "equals" | "includes" | "oneOf" | "placed" | "from" | "before"
  readonly type: FilterType
  /**
   * The index that finds the matching records. `records`: an index on the column, over the records of all trees.
   * `tree`: an index on `root_id` and the column, over the records of one tree. Absent: a `contains` or `includes`
   * filter has its trigram or JSON path index; any other filter has none.
   */
  readonly index?: "records" | "tree"
  /** Returns the value to bind. Default: the filter value itself. */
  readonly toValue?: (value: Value) => unknown
}

/** The filter by metadata, equal in all lists. Its index contains only records with metadata. */
export const metadataFilter: ListFilter<Metadata> = {
  column: "metadata",
  match: "includes",
  type: "jsonb",
  toValue: (metadata) => JSON.stringify(metadata)
}

/**
 * The records that match a combination of filters for which special indexes and stored counts exist. The columns of
 * these indexes are `(root_id, filter columns, sort column, id)`. Two similar indexes start with `region_id` and
 * `partner_id` instead of `root_id`. The number of records in a partition is stored per subtree.
 */
export interface Partition {
  /**
   * The column with the number of records. If one filter has several possible values, an object: the filter's name, and
   * the column for each value. So one statement serves all values.
   */
  readonly count: CountColumn | { readonly filter: string; readonly columns: Readonly<Record<string, CountColumn>> }
  /**
   * Present only if the records depend on the time of the query, as for applications with live or expired offers. The
   * index range then also contains records that do not match.
   */
  readonly expiring?: {
    /** The name of the filter that bounds `live_until`. Its value is the query time plus 1 ms. */
    readonly bound: string
    readonly sign: Expiring["sign"]
    /** The count column of the records in the index range that do not match. */
    readonly others: CountColumn
  }
}

/** The definition of a list: its table (alias `item`), its filters and sort orders, and the indexes for them. */
export interface Listing<Field extends string, Filters> {
  readonly table: "partner" | "app_user" | "proposal" | "application"
  /** The column of `item` with the id of the partner that owns the record. */
  readonly owner: "id" | "partner_id"
  /** The column of `subtree_count` that counts these records. */
  readonly count: CountColumn
  /** The condition that excludes deleted records. `true` if records are never deleted. */
  readonly present: "item.deleted_at is null" | "true"
  /** The filters of the list, by name. */
  readonly filters: { readonly [K in keyof Filters]-?: ListFilter<NonNullable<Filters[K]>> }
  /** The column to sort by for each field. */
  readonly sorts: Readonly<Record<Field, string>>
  /** The fields whose absent values come last in both directions. Default: none. */
  readonly nullsLast?: ReadonlyArray<Field>
  /** The fields for which each tree has an index on all records that are not deleted: `(root_id, column, id)`. */
  readonly indexed: ReadonlyArray<Field>
  /** The fields for which each region also has such an index: `(region_id, column, id)`. */
  readonly indexedInRegion: ReadonlyArray<Field>
  /** Returns the partition of exactly the records that match the filters. Default: none. */
  readonly partitionOf?: (filters: Filters) => Partition | undefined
  /**
   * Returns the filter `placed` if it is the only filter. Its records have stored counts and special indexes. Default:
   * none.
   */
  readonly placesOf?: (filters: Filters) => PlacesAt | undefined
  /** The columns of `item` to select. */
  readonly columns: string
}

/** The parts of a list's definition that every SQL fragment of the list needs. */
export type ListedTable = Pick<Listing<never, never>, "table" | "owner" | "count" | "present">
