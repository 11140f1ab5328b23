import { asOperator, type PartnerId, type Scope } from "@lastro/domain"
import { Effect } from "effect"
import { type SqlClient } from "effect/sql"

/** A subtree to list, and how much is in it. */
export interface ListedScope {
  readonly name: string
  readonly scope: Scope
  readonly partners: number
  readonly users: number
}

interface Row {
  readonly id: PartnerId
  readonly partners: number
  readonly users: number
}

const listed = (name: string, { id, partners, users }: Row): ListedScope => ({
  name,
  scope: asOperator.scope(id),
  partners,
  users
})

/**
 * The subtree that comes closest to holding this share of both partners and users; the root itself is left out unless
 * the whole is asked for.
 */
const closest = Effect.fn("closest")(function*(sql: SqlClient.SqlClient, name: string, share: number) {
  const [row] = yield* sql<Row>`
    select one.partner_id as id, one.partners, one.users
    from subtree_count one, (select max(partners) as partners, max(users) as users from subtree_count) whole
    where one.users > 0 and (one.partners < whole.partners or ${share}::float8 = 1)
    order by abs(ln(one.partners / (${share}::float8 * whole.partners)))
      + abs(ln(one.users / (${share}::float8 * whole.users))), one.partner_id
    limit 1`
  return row === undefined ? [] : [listed(name, row)]
})

/** A leaf with as many users as the median leaf that has any. */
const leaf = Effect.fn("leaf")(function*(sql: SqlClient.SqlClient) {
  const [row] = yield* sql<Row>`
    with leaf as (select partner_id, users from subtree_count where partners = 1 and users > 0)
    select partner_id as id, 1 as partners, users from leaf
    where users = (select percentile_disc(0.5) within group (order by users) from leaf) order by partner_id limit 1`
  return row === undefined ? [] : [listed("leaf", row)]
})

/** The scopes that are always measured, from the whole tree to a leaf. */
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

/** Every subtree with more than 20 users that holds less than half of them, at most `limit`, over all sizes alike. */
export const manyScopes = Effect.fn("manyScopes")(function*(sql: SqlClient.SqlClient, limit: number) {
  const rows = yield* sql<Row>`
    select id, partners, users from (
      select partner_id as id, partners, users, row_number() over (
        partition by floor(3 * ln(users)) order by md5(partner_id::text)
      ) as turn
      from subtree_count where users > 20 and users < 0.5 * (select max(users) from subtree_count)
    ) spread
    order by turn, id limit ${limit}`
  return rows.map((row) => listed("", row))
})
