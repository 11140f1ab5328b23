import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { type ListingUser, signIn } from "./callers.ts"

/** A caller with its token and the records that its requests use. */
export interface Caller extends ListingUser {
  readonly token: string
  /** Partners in the caller's scope. */
  readonly partners: ReadonlyArray<string>
  /** Applications in the caller's scope. */
  readonly applications: ReadonlyArray<string>
  /** A partner and an application outside the caller's scope. Empty for a caller of the root. */
  readonly outside: ReadonlyArray<{ readonly partner: string; readonly application: string | null }>
}

/** Maximum number of records of each kind per caller. */
const sample = { partners: 80, applications: 20 }

/**
 * Signs a caller in and chooses records. Sorts the records by hashes of their ids, so that their order is mixed but the
 * same in each run.
 */
export const callerInputs = Effect.fn("callerInputs")(function*(
  sql: SqlClient.SqlClient,
  server: string,
  user: ListingUser
) {
  const inside = sql`(
    item.region_id in (select region_id from subtree_region where top_id = ${user.partner_id})
    or item.id in (select partner_id from subtree_partner where top_id = ${user.partner_id})
  )`
  const partners = yield* sql<{ readonly id: string }>`
    select item.id from partner item where ${inside} and item.deleted_at is null order by md5(item.id::text)
    limit ${sample.partners}`
  const applications = yield* sql<{ readonly id: string }>`
    select one.id from application one join partner item on item.id = one.partner_id
    where ${inside} order by md5(one.id::text) limit ${sample.applications}`
  const outside = yield* sql<{ readonly partner: string; readonly application: string | null }>`
    select item.id as partner, (
      select one.id from application one join partner item on item.id = one.partner_id where not ${inside}
      order by md5(one.id::text) limit 1
    ) as application
    from partner item where not ${inside} and item.deleted_at is null order by md5(item.id::text) limit 1`
  const caller: Caller = {
    ...user,
    token: yield* signIn(server, user),
    partners: partners.map(({ id }) => id),
    applications: applications.map(({ id }) => id),
    outside
  }
  return caller
})
