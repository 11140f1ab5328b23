/** The definition of a list: its table, with the alias `item`, and the sort orders that an index supports. */
export interface Listing<Field extends string> {
  readonly table: "partner" | "app_user" | "proposal"
  /** The column of `item` with the id of the partner that owns the record. */
  readonly owner: "id" | "partner_id"
  /** The column of `subtree_count` that counts these records. */
  readonly count: "partners" | "users" | "proposals"
  /** The condition that excludes deleted records; `true` if records are never deleted. */
  readonly present: "item.deleted_at is null" | "true"
  /** The column to sort by for each field. */
  readonly sorts: Readonly<Record<Field, string>>
  /** The fields that have an index over all present records of a tree: `(root_id, column, id)`. */
  readonly indexed: ReadonlyArray<Field>
  /** The fields that also have such an index over a region: `(region_id, column, id)`. */
  readonly indexedInRegion: ReadonlyArray<Field>
  /** The columns of `item` to select. */
  readonly columns: string
}
