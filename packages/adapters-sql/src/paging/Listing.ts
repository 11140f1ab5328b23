/** How a kind of record is listed. Its table is read as `item`. */
export interface Listing<Field extends string> {
  readonly table: "partner" | "app_user" | "proposal"
  /** The column of `item` that holds the partner it belongs to. */
  readonly owner: "id" | "partner_id"
  /** The column of the maintained counts that counts it. */
  readonly count: "partners" | "users" | "proposals"
  /** The condition on `item` that takes out what was deleted; `true` where nothing ever is. */
  readonly kept: "item.deleted_at is null" | "true"
  /** The columns of `item` that the fields sort by. */
  readonly sorts: Readonly<Record<Field, string>>
  /** The fields with an index over a whole tree in their order, `(root_id, column, id)`, of what is kept. */
  readonly indexed: ReadonlyArray<Field>
  /** Those of them with an index over a region too, `(region_id, column, id)`. */
  readonly indexedInRegion: ReadonlyArray<Field>
  /** The columns to read, of `item`. */
  readonly columns: string
}
