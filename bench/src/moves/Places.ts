import { type PartnerId } from "@lastro/domain/values"
import { Effect } from "effect"
import { type SqlClient } from "effect/sql"

/** A partner with the size of its subtree and its level. The level of a root is 1. */
export interface Place {
  readonly id: PartnerId
  readonly partners: number
  readonly users: number
  readonly level: number
}

/** The subtree that is moved, and its destinations. */
interface Places {
  readonly root: PartnerId
  /** Root of the subtree that is moved. */
  readonly branch: Place
  /** Original parent of the subtree. */
  readonly home: Place
  /** Another partner near the root, as a destination. */
  readonly near: Place
  /** A partner on the deepest level, as a destination. */
  readonly deep: Place
}

/**
 * Chooses the subtree to move and its destinations. The subtree is the one whose number of partners is closest to
 * `size`.
 */
export const places = Effect.fn("places")(function*(sql: SqlClient.SqlClient, size: number) {
  yield* sql`
    create table place as
    with recursive tree (id, parent_id, level, path) as (
      select id, parent_id, 1, array[id] from partner where parent_id is null
      union all
      select child.id, child.parent_id, level + 1, path || child.id
      from tree join partner child on child.parent_id = tree.id
    )
    select tree.id, tree.parent_id, level, path, partners, users
    from tree join subtree_count on subtree_count.partner_id = tree.id`
  const [branch] = yield* sql<Place & { readonly parent_id: PartnerId }>`
    select id, parent_id, level, partners, users from place where level > 1
    order by abs(ln(partners) - ln(${size}::float8)), id limit 1`
  if (branch === undefined) return yield* Effect.die(new Error("The tree is too flat"))
  const [home] = yield* sql<Place>`select id, level, partners, users from place where id = ${branch.parent_id}`
  const others = sql`place where not path @> array[${branch.id}::uuid] and id <> ${branch.parent_id}`
  const [near] = yield* sql<Place>`
    select id, level, partners, users from ${others} and level = 2 and not (
      select path @> array[place.id] from place branch where branch.id = ${branch.id}
    ) order by partners desc, id limit 1`
  const [deep] = yield* sql<Place>`select id, level, partners, users from ${others} order by level desc, id limit 1`
  const [root] = yield* sql<Place>`select id, level, partners, users from place where level = 1`
  yield* sql`drop table place`
  if (home === undefined || near === undefined || deep === undefined || root === undefined) {
    return yield* Effect.die(new Error("The tree is too small"))
  }
  return { root: root.id, branch, home, near, deep } satisfies Places
})
