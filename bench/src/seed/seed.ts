import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { indexTree } from "./indexTree.ts"
import { load } from "./load.ts"
import { partnerIds, partnerRows } from "./partnerRows.ts"
import { planPartners } from "./planPartners.ts"
import { planUsers } from "./planUsers.ts"
import { settle } from "./settle.ts"
import { userRows } from "./userRows.ts"
import { withoutIndexes } from "./withoutIndexes.ts"

/** What is made: the same sizes and seed give the same rows. */
export interface SeedOptions {
  readonly partners: number
  readonly users: number
  readonly seed: number
  /** The stored hash of the password that all users share. */
  readonly passwordHash: string
}

/**
 * Fills a migrated, empty database with one tree of partners and their users, the hierarchy index and the counts, in
 * one transaction; then lets the database gather its statistics.
 */
export const seed = Effect.fn("seed")(function*({ partners, passwordHash, seed, users }: SeedOptions) {
  const sql = yield* SqlClient.SqlClient
  const plan = planPartners(partners, seed)
  const ids = partnerIds(plan, seed)
  yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql`select set_config('statement_timeout', '0', true), set_config('maintenance_work_mem', '256MB', true)`
    yield* withoutIndexes(sql, "partner", load(sql, "partner", partnerRows(plan, ids, seed)))
    yield* withoutIndexes(
      sql,
      "app_user",
      load(sql, "app_user", userRows(planUsers(plan, users, seed), ids, passwordHash, seed))
    )
    yield* indexTree(sql)
  }))
  yield* settle(sql)
})
