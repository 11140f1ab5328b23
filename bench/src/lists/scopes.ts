import { asOperator, type SubtreeScope } from "@lastro/domain/hierarchy"
import { type PartnerId } from "@lastro/domain/values"
import { Effect } from "effect"
import { type SqlClient } from "effect/sql"

/** Number of records of each kind in a subtree. */
export interface Sizes {
  readonly partners: number
  readonly users: number
  readonly proposals: number
}

/** The scope of a list and its size. */
export interface ListedScope extends Sizes {
  readonly name: string
  readonly scope: SubtreeScope
}

interface Row extends Sizes {
  readonly id: PartnerId
}

const listed = (name: string, { id, ...sizes }: Row): ListedScope => ({ name, scope: asOperator.scope(id), ...sizes })

/**
 * Finds the subtree whose numbers of partners and users are closest to the given share of the whole tree. Returns the
 * root only if the share is 1.
 */
const closest = Effect.fn("closest")(function*(sql: SqlClient.SqlClient, name: string, share: number) {
  const [row] = yield* sql<Row>`
    select one.partner_id as id, one.partners, one.users, one.proposals
    from subtree_count one, (select max(partners) as partners, max(users) as users from subtree_count) whole
    where one.users > 0 and (one.partners < whole.partners or ${share}::float8 = 1)
    order by abs(ln(one.partners / (${share}::float8 * whole.partners)))
      + abs(ln(one.users / (${share}::float8 * whole.users))), one.partner_id
    limit 1`
  return row === undefined ? [] : [listed(name, row)]
})

/** Finds a leaf with users that has the median number of users of all such leaves. */
const leaf = Effect.fn("leaf")(function*(sql: SqlClient.SqlClient) {
  const [row] = yield* sql<Row>`
    with leaf as (select * from subtree_count where partners = 1 and users > 0)
    select partner_id as id, partners, users, proposals from leaf
    where users = (select percentile_disc(0.5) within group (order by users) from leaf) order by partner_id limit 1`
  return row === undefined ? [] : [listed("leaf", row)]
})

/** Finds the scopes that every run measures, from the whole tree to a leaf. */
export const namedScopes = Effect.fn("namedScopes")(function*(sql: SqlClient.SqlClient) {
  const [whole] = yield* sql<{ readonly partners: number }>`select max(partners) as partners from subtree_count`
  const tenPartners = 10 / (whole?.partners ?? 10)
  return [
    ...yield* closest(sql, "root", 1),
    ...yield* closest(sql, "10 %", 0.1),
    ...yield* closest(sql, "0.5 %", 0.005),
    ...yield* closest(sql, "ten partners", tenPartners),
    ...yield* leaf(sql)
  ]
})

/**
 * Finds at most `limit` scopes, from which the slowest one is chosen. Half of them contain 0.1 to 5 % of the users.
 * Scopes of that size are slow: neither reading the whole scope nor filtering the whole tree is cheap. The other half
 * have other sizes.
 */
export const manyScopes = Effect.fn("manyScopes")(function*(sql: SqlClient.SqlClient, limit: number) {
  const rows = yield* sql<Row>`
    with sized as (
      select partner_id as id, partners, users, proposals, users / max(users) over ()::float8 as share from subtree_count
    ),
    spread as (
      select *, row_number() over (
        partition by share between 0.001 and 0.05, floor(3 * ln(users)) order by md5(id::text)
      ) as turn
      from sized where users > 20 and share < 0.5
    ),
    ranked as (
      select *, row_number() over (partition by share between 0.001 and 0.05 order by turn, id) as place from spread
    )
    select id, partners, users, proposals from ranked where place <= ${Math.ceil(limit / 2)}::int order by place, id`
  return rows.map((row) => listed("", row))
})
