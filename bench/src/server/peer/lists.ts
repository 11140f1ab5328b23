import { authorizeOnly, callerColumns, run, type Statement, statement } from "./callers.ts"
import { Lru } from "./Lru.ts"
import { first, type Page, pageOf, type Query } from "./pages.ts"
import { pool } from "./setUp.ts"
import { type Token } from "./tokens.ts"

/** The stored numbers of records in a subtree. */
type Counts = Readonly<Record<"partners" | "users" | "proposals", number>>

/** The size of a subtree, which determines the statement of a list. */
interface Scope {
  readonly isTree: boolean
  /** Number of regions and single partners of the subtree. */
  readonly parts: number
  readonly counts: Counts
  /** The counts of the whole tree. */
  readonly tree: Counts
}

/** Maximum age of a size in milliseconds. */
const maxAge = 60_000

const scopes = new Lru<{ readonly read: number; readonly scope: Promise<Scope> }>(10_000)

const none = { partners: 0, users: 0, proposals: 0 }

const read = async (top: string): Promise<Scope> => {
  const { rows: [row] } = await pool.query<Scope>({
    name: "scope",
    text: `
      select item.parent_id is null as "isTree",
        (select count(*) from subtree_region where top_id = item.id)
          + (select count(*) from subtree_partner where top_id = item.id) as parts,
        (select row_to_json(one) from subtree_count one where one.partner_id = item.id) as counts,
        (select row_to_json(one) from subtree_count one where one.partner_id = item.root_id) as tree
      from partner item where item.id = $1`,
    values: [top]
  })
  return row ?? { isTree: false, parts: 0, counts: none, tree: none }
}

/** Returns the size of a subtree. Reads it at most once a minute. */
const scopeOf = (top: string): Promise<Scope> => {
  const now = Date.now()
  const cached = scopes.get(top)
  if (cached !== undefined && now - cached.read < maxAge) return cached.scope
  const scope = read(top)
  scopes.set(top, { read: now, scope })
  return scope
}

/** A list of records. */
export interface List {
  readonly permission: string
  readonly table: "partner" | "app_user" | "proposal"
  readonly owner: "id" | "partner_id"
  readonly counted: keyof Counts
  readonly present: "item.deleted_at is null" | "true"
  /** The columns of `item` to select. */
  readonly columns: string
  /** The column to sort by for each property. */
  readonly sorts: Readonly<Record<string, string>>
  /**
   * The SQL condition of each filter, in which `VALUE` stands for the value, and a function that converts the value.
   */
  readonly filters: Readonly<Record<string, readonly [string, (text: string) => string]>>
}

/**
 * The access path of a statement. `tree`: the scope is a whole tree, which is read. `walk`: reads the records of the
 * scope's tree, and skips those outside the scope. `merge`: reads each part of the scope, and merges the results.
 */
type Way = "tree" | "walk" | "merge"

interface Order {
  readonly by: (alias: string) => string
  readonly keys: string
}

const orderOf = ({ sorts }: List, { sort }: Page): Order => {
  const steps = sort.map(({ direction, property }) =>
    [sorts[property === "full_name" ? "name" : property] ?? "created_at", direction] as const
  )
  const all = [...steps, ["id", sort.at(-1)?.direction ?? "asc"] as const]
  return {
    by: (alias) => all.map(([column, direction]) => `${alias}.${column} ${direction}`).join(", "),
    keys: [...new Set(all.map(([column]) => `item.${column}`))].join(", ")
  }
}

const inScope = (id: string, region: string): string =>
  `(
  ${region} in (select region_id from subtree_region where top_id = $2)
  or ${id} in (select partner_id from subtree_partner where top_id = $2)
)`

const total = ({ counted }: List): string => `
  total as materialized (
    select of_top.${counted} + coalesce((
      select sum(delta.${counted}) from subtree_count_delta delta join partner owner on owner.id = delta.partner_id
      where ${inScope("owner.id", "owner.region_id")}
    ), 0) as value
    from subtree_count of_top where of_top.partner_id = $2
  )`

/**
 * Returns the SQL that reads a subtree in parts: regions and single partners. `select` makes the query of a part from
 * the condition `within`.
 */
const parts = ({ owner }: List, select: (within: string) => string): string => `
  select item.* from subtree_region part
    cross join lateral (${select("item.region_id = part.region_id")}) item where part.top_id = $2
  union all
  select item.* from subtree_partner part
    cross join lateral (${select(`item.${owner} = part.partner_id`)}) item where part.top_id = $2`

const rows = ({ columns, table }: List, { by }: Order): string => `
  select ${callerColumns}, total.value as total, page.id as key, ${columns}
  from caller cross join total left join (page join ${table} item on item.id = page.id) on true
  order by ${by("item")}`

/** Returns the statement for an unfiltered page. Parameter `$4` is the offset. */
const unfiltered = (list: List, order: Order, way: Way, size: number): string => {
  const { owner, present, table } = list
  const limit = `limit ${size} offset $4::bigint`
  const ways: Readonly<Record<Way, string>> = {
    tree: `
      select item.id from ${table} item where item.root_id = $2 and ${present} order by ${order.by("item")} ${limit}`,
    walk: `
      select item.id from ${table} item
      where item.root_id = (select root_id from partner where id = $2) and ${present}
        and ${inScope(`item.${owner}`, "item.region_id")}
      order by ${order.by("item")} ${limit}`,
    merge: `
      select item.id from (${
      parts(list, (within) => `
        select ${order.keys} from ${table} item where ${within} and ${present}
        order by ${order.by("item")} limit ${size} + $4::bigint`)
    }) item order by ${order.by("item")} ${limit}`
  }
  return `, ${total(list)}, page as materialized (${ways[way]}) ${rows(list, order)}`
}

/** Returns the statement for a filtered page. Parameter `$4` is the offset, followed by the values of the filters. */
const filtered = (list: List, order: Order, way: Way, size: number, names: ReadonlyArray<string>): string => {
  const { owner, present, table } = list
  const conditions = names.map((name, index) => list.filters[name]?.[0].replace("VALUE", `$${index + 5}`))
  const select = (within: string) => `
    select ${order.keys} from ${table} item where ${[within, present, ...conditions].join(" and ")}`
  const matched = way === "merge"
    ? parts(list, select)
    : select(way === "tree" ? "item.root_id = $2" : inScope(`item.${owner}`, "item.region_id"))
  return `, matched as materialized (${matched}), total as (select count(*) as value from matched),
    page as materialized (
      select item.id from matched item order by ${order.by("item")} limit ${size} offset $4::bigint
    ) ${rows(list, order)}`
}

/**
 * For a filtered list, a subtree with at most this number of records is read completely. A larger one is searched
 * through an index.
 */
const small = 2_000

/** Chooses the access path with the lowest estimated number of rows to read. */
const wayOf = ({ counted }: List, { counts, isTree, parts, tree }: Scope, wanted: number, isFiltered: boolean): Way => {
  if (isTree) return "tree"
  if (isFiltered) return counts[counted] > small ? "walk" : "merge"
  const walked = wanted * tree[counted] / Math.max(1, counts[counted])
  return walked < 4 * parts + 0.4 * Math.min(counts[counted], parts * wanted) ? "walk" : "merge"
}

const statements = new Map<string, Statement>()

/** Returns the statement for a page. Creates it at its first use. */
const statementOf = (list: List, page: Page, way: Way, names: ReadonlyArray<string>): Statement => {
  const sorted = page.sort.map(({ direction, property }) => `${property} ${direction}`).join(" ")
  const name = `${list.table} ${way} ${page.size} ${sorted} ${names.join(" ")}`
  const cached = statements.get(name)
  if (cached !== undefined) return cached
  const order = orderOf(list, page)
  const body = names.length === 0
    ? unfiltered(list, order, way, page.size)
    : filtered(list, order, way, page.size, names)
  const prepared = statement(name, body)
  statements.set(name, prepared)
  return prepared
}

/** Reads the page of a query. If the query is invalid, the permission is checked first: its refusal has precedence. */
const authorizedPage = async ({ permission, sorts }: List, token: Token, query: Query): Promise<Page> => {
  try {
    return pageOf(query, sorts)
  } catch (refusal) {
    await authorizeOnly(token, permission)
    throw refusal
  }
}

/** Reads one page of a list and its total. */
export const readPage = async <R extends object>(list: List, token: Token, query: Query) => {
  const page = await authorizedPage(list, token, query)
  const names = Object.keys(list.filters).filter((name) => first(query, name) !== "")
  const skip = page.number * page.size
  const scope = await scopeOf(token.partner_id)
  const prepared = statementOf(list, page, wayOf(list, scope, skip + page.size, names.length > 0), names)
  const values = names.map((name) => list.filters[name]?.[1](first(query, name)))
  const rows = await run<R & { readonly key: string | null; readonly total: number }>(
    prepared,
    token,
    list.permission,
    [skip, ...values]
  )
  const [top] = rows
  return { page, total: Number(top?.total ?? 0), rows: top?.key === null ? [] : rows as ReadonlyArray<R> }
}
