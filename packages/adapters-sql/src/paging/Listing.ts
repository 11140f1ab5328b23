import { type Metadata } from "@lastro/domain/metadata"
import { type CountColumn } from "../hierarchy/countColumns.ts"
import { type Expiring } from "../hierarchy/countOf.ts"

/** The type of a column that a filter compares. */
type FilterType = "text" | "uuid" | "timestamptz" | "jsonb"

/**
 * A filter of a list: the column of `item` to compare, and the comparison.
 * - `contains`: The column contains the value. A trigram index supports this comparison.
 * - `equals`: The column is equal to the value.
 * - `includes`: The column, a JSON object, has every key of the value with the same text. An index over paths supports this comparison.
 * - `from`, `before`: The column is at or after the value, or before it.
 */
export interface ListFilter<Value> {
  readonly column: string
  readonly match: "contains" | "equals" | "includes" | "from" | "before"
  readonly type: FilterType
  /**
   * `records`: An index finds the records of all trees that pass the filter. `tree`: The index of a tree finds them, with
   * the columns `(root_id, column)`. Absent: no index, except that of a `contains` or `includes` filter.
   */
  readonly index?: "records" | "tree"
  /** Returns the value to bind. Default: the filter value itself. */
  readonly toValue?: (value: Value) => unknown
}

/** The filter by metadata, which is the same in all lists. An index contains only the records that have metadata. */
export const metadataFilter: ListFilter<Metadata> = {
  column: "metadata",
  match: "includes",
  type: "jsonb",
  toValue: (metadata) => JSON.stringify(metadata)
}

/**
 * The records that pass a combination of filters, if an index contains them in the order of the list: `(root_id, columns of the filters,
 * sort column, id)`, and so on for `region_id` and `partner_id`. Their counts are stored, like those of all records.
 */
export interface Partition {
  /** The count of the records, or the counts by the value of a filter. One statement then serves all values of this filter. */
  readonly count: CountColumn | { readonly filter: string; readonly columns: Readonly<Record<string, CountColumn>> }
  /** Only if the clock decides which of the records in a part of the index pass. */
  readonly expiring?: {
    /** The name of the filter whose value is the time of the query plus one millisecond. */
    readonly bound: string
    readonly sign: Expiring["sign"]
    /** The count of the other records in this part of the index. */
    readonly others: CountColumn
  }
}

/** The definition of a list: its table, with the alias `item`, and the filters and sort orders that an index supports. */
export interface Listing<Field extends string, Filters> {
  readonly table: "partner" | "app_user" | "proposal" | "application"
  /** The column of `item` with the id of the partner that owns the record. */
  readonly owner: "id" | "partner_id"
  /** The column of `subtree_count` that counts these records. */
  readonly count: CountColumn
  /** The condition that excludes deleted records; `true` if records are never deleted. */
  readonly present: "item.deleted_at is null" | "true"
  /** The filters by name. */
  readonly filters: { readonly [K in keyof Filters]-?: ListFilter<NonNullable<Filters[K]>> }
  /** The column to sort by for each field. */
  readonly sorts: Readonly<Record<Field, string>>
  /** The fields that have an index over all present records of a tree: `(root_id, column, id)`. */
  readonly indexed: ReadonlyArray<Field>
  /** The fields that also have such an index over a region: `(region_id, column, id)`. */
  readonly indexedInRegion: ReadonlyArray<Field>
  /** Returns the partition that contains exactly the records that pass the filters. Default: none. */
  readonly partitionOf?: (filters: Filters) => Partition | undefined
  /** The columns of `item` to select. */
  readonly columns: string
}

/** A table with records that are listed. Every SQL fragment of a list needs these parts of the definition. */
export type ListedTable = Pick<Listing<never, never>, "table" | "owner" | "count" | "present">
