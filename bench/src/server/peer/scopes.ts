import { pool } from "./database.ts"
import { Lru } from "./Lru.ts"

/** The kinds of listed records. Their number in each subtree is stored. */
export type Counted = "partners" | "users" | "proposals"

type Counts = Readonly<Record<Counted, number>>

/** The size of a subtree, which determines the statement of a list. */
export interface Scope {
  readonly isTree: boolean
  /** Number of regions and single partners of the subtree. */
  readonly parts: number
  readonly counts: Counts
  /** The counts of the whole tree. */
  readonly tree: Counts
}

/** Maximum age of a size in milliseconds. */
const maxAge = 60_000

const known = new Lru<{ readonly read: number; readonly scope: Promise<Scope> }>(10_000)

const read = async (top: string): Promise<Scope> => {
  const { rows: [row] } = await pool.query<{ is_tree: boolean; parts: number; counts: Counts; tree: Counts }>({
    name: "scope",
    text: `
      select item.parent_id is null as is_tree,
        (select count(*) from subtree_region where top_id = item.id)
          + (select count(*) from subtree_partner where top_id = item.id) as parts,
        (select row_to_json(one) from subtree_count one where one.partner_id = item.id) as counts,
        (select row_to_json(one) from subtree_count one where one.partner_id = item.root_id) as tree
      from partner item where item.id = $1`,
    values: [top]
  })
  const none = { partners: 0, users: 0, proposals: 0 }
  return row === undefined
    ? { isTree: false, parts: 0, counts: none, tree: none }
    : { isTree: row.is_tree, parts: row.parts, counts: row.counts, tree: row.tree }
}

/** Returns the size of a subtree. Reads it at most once a minute. */
export const scopeOf = (top: string): Promise<Scope> => {
  const now = Date.now()
  const one = known.get(top)
  if (one !== undefined && now - one.read < maxAge) return one.scope
  const scope = read(top)
  known.set(top, { read: now, scope })
  return scope
}
