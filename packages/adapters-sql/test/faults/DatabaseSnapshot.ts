import { type PGlite } from "@electric-sql/pglite"

/** The values of a row as JSON texts. */
type Row = Readonly<Record<string, string>>

/** All rows by table. */
export type Content = ReadonlyMap<string, ReadonlyArray<Row>>

/** The columns by table whose values differ between two equal runs, such as counters and encrypted values. */
export type Volatile = ReadonlyMap<string, ReadonlySet<string>>

/** Saves, reads and restores the rows of all tables, whatever they are. */
export class DatabaseSnapshot {
  readonly #session: Pick<PGlite, "exec" | "query">
  readonly #columns: ReadonlyMap<string, string>
  /** The tables with rows, by the name of the saved copy. */
  readonly #saved = new Map<string, ReadonlySet<string>>()

  private constructor(session: Pick<PGlite, "exec" | "query">, columns: ReadonlyMap<string, string>) {
    this.#session = session
    this.#columns = columns
  }

  static async of(session: Pick<PGlite, "exec" | "query">): Promise<DatabaseSnapshot> {
    const { rows } = await session.query<{ readonly name: string; readonly columns: string }>(`
      select table_name as name, string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
      from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' and is_generated = 'NEVER'
      group by table_name order by table_name`)
    const parts = rows.map(({ name }) => `select '${name}' as name where exists (select from public.${name})`)
    await session.exec(`prepare list_filled as ${parts.join(" union all ")}`)
    return new DatabaseSnapshot(session, new Map(rows.map(({ columns, name }) => [name, columns])))
  }

  /** Lists the tables that have rows. Most have none, and planning the statements below takes longer than running them. */
  async #listFilled(): Promise<ReadonlyArray<string>> {
    const { rows } = await this.#session.query<{ readonly name: string }>("execute list_filled")
    return rows.map(({ name }) => name)
  }

  /** Saves all rows under a name. Rows that were saved under this name before are replaced. */
  async save(name: string): Promise<void> {
    const filled = new Set(await this.#listFilled())
    const earlier = this.#saved.get(name)
    const statements = earlier === undefined
      ? [
        `create schema ${name};`,
        ...this.#tables(() => true, (table) => `create table ${name}.${table} (like public.${table});`)
      ]
      : this.#tables((table) => earlier.has(table), (table) => `delete from ${name}.${table};`)
    const copies = this.#tables(
      (table) => filled.has(table),
      (table) => `insert into ${name}.${table} table public.${table};`
    )
    await this.#session.exec([...statements, ...copies].join("\n"))
    this.#saved.set(name, filled)
  }

  async restore(name: string): Promise<void> {
    const saved = this.#saved.get(name) ?? new Set()
    const filled = new Set(await this.#listFilled())
    const deletions = this.#tables((table) => filled.has(table), (table) => `delete from public.${table};`)
    const copies = this.#tables((table) => saved.has(table), (table) => {
      const columns = this.#columns.get(table)
      return `insert into public.${table} (${columns}) overriding system value select ${columns} from ${name}.${table};`
    })
    const changes = [...deletions, ...copies].join("\n")
    await this.#session.exec(`begin; set local session_replication_role = replica; ${changes} commit;`)
  }

  /** Makes a statement for each of these tables. */
  #tables(isIncluded: (table: string) => boolean, statementOf: (table: string) => string): ReadonlyArray<string> {
    return Array.from(this.#columns.keys()).filter(isIncluded).map(statementOf)
  }

  async read(): Promise<Content> {
    const empty = Array.from(this.#columns.keys(), (name) => [name, []] as const)
    const parts = (await this.#listFilled()).map((name) =>
      `select '${name}' as name, coalesce(jsonb_agg(texts), '[]') as rows from public.${name} x, lateral (
        select jsonb_object_agg(key, value::text) as texts from jsonb_each(to_jsonb(x))) y`
    )
    if (parts.length === 0) return new Map(empty)
    const { rows } = await this.#session.query<{ readonly name: string; readonly rows: ReadonlyArray<Row> }>(
      parts.join(" union all ")
    )
    return new Map([...empty, ...rows.map(({ name, rows: all }) => [name, all] as const)])
  }
}

const columnsOf = (rows: ReadonlyArray<Row>): ReadonlySet<string> => new Set(rows.flatMap((row) => Object.keys(row)))

const valuesOf = (rows: ReadonlyArray<Row>, column: string): string => rows.map((row) => row[column]).toSorted().join()

/** Finds the columns whose values differ between the contents after two equal runs. */
export const findVolatile = (one: Content, other: Content): Volatile =>
  new Map(Array.from(one, ([name, rows]) => {
    const others = other.get(name) ?? []
    const differing = Array.from(columnsOf(rows)).filter((column) =>
      valuesOf(rows, column) !== valuesOf(others, column)
    )
    return [name, new Set(differing)]
  }))

/** Returns the rows of each table as sorted texts, without the volatile columns. */
export const normalize = (
  content: Content,
  volatile: Volatile
): Readonly<Record<string, ReadonlyArray<string>>> =>
  Object.fromEntries(Array.from(content, ([name, rows]) => {
    const isCompared = (column: string) => !volatile.get(name)?.has(column)
    return [
      name,
      rows.map((row) => JSON.stringify(Object.entries(row).filter(([column]) => isCompared(column)))).toSorted()
    ]
  }))
