/** A statement, in the form that `pg` takes. */
export interface ClientStatement {
  readonly text: string
  readonly values: Array<unknown>
  /** `extended`: the text has exactly one statement. */
  readonly queryMode?: "extended"
  /** Replaces the parsers of column values for this statement. `type` is the object id of the column's type. */
  readonly types?: { readonly getTypeParser: (type: number) => (value: string) => unknown }
}

/** The answer to a statement, in the form that `pg` returns. */
export interface ClientRows {
  readonly rows: ReadonlyArray<unknown>
  readonly rowCount: number | null
}

/** One connection of the host to the database, such as a `Client` or a `PoolClient` of `pg`. A `Pool` is not one connection. */
export interface DatabaseClient {
  query(statement: ClientStatement): Promise<ClientRows>
}
