import { Installation, type PartnerId, type PasswordHash } from "@lastro/domain"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"
import { indexParts } from "../hierarchy/fillRegions.ts"
import { RegionSize } from "../hierarchy/RegionSize.ts"
import { bareTables } from "./bareTables.ts"
import { countSubtrees } from "./countSubtrees.ts"
import { fillApplications, fillTable } from "./fill.ts"
import { partnerRows } from "./partnerRows.ts"
import { planApplications } from "./planApplications.ts"
import { planPartners } from "./planPartners.ts"
import { planUsers } from "./planUsers.ts"
import { type OnProgress, type SeedStep, untold } from "./Progress.ts"
import { administratorOf, userRows } from "./userRows.ts"

export { mostSeeded } from "./documents.ts"

/** How much is made, each at most {@link mostSeeded}: the same sizes and seed give the same rows. */
export interface SeedOptions {
  /** At least 1: they are one tree. */
  readonly partners: number
  /** At least 1 where there are applications: users open them. */
  readonly users: number
  readonly applications: number
  readonly seed: number
  /** The stored hash of the password that all users share. */
  readonly passwordHash: PasswordHash
  readonly onProgress?: OnProgress | undefined
}

/** What a seed made. */
export interface Seeded {
  readonly root_id: PartnerId
  /** The address by which the root's administrator signs in; null where there are no users. */
  readonly administrator: string | null
  /** How many of the applications led to a proposal. */
  readonly proposals: number
}

/** The database holds partners already: what is made up is not mixed with them. */
export class DatabaseNotEmpty extends Schema.TaggedError<DatabaseNotEmpty>()("DatabaseNotEmpty", {}) {}

const seededTables = ["partner", "app_user", "application", "quote", "proposal"] as const

/** Reports the beginning and the end of a step that is one statement. */
const oneStatement = <A>(onProgress: OnProgress, step: SeedStep, run: Effect.Effect<A, SqlError>) =>
  Effect.gen(function*() {
    yield* onProgress({ step, done: 0, total: 1 })
    yield* run
    yield* onProgress({ step, done: 1, total: 1 })
  })

/**
 * Fills a migrated, empty database with one tree of partners, their users and applications, hierarchy index and counts, in one
 * transaction: all of it or nothing. Whoever else finds the database empty waits until it ends. Nothing is left to be done for
 * any application, by us or by a lender. {@link settle} belongs after it.
 */
export const seed = Effect.fn("seed")(function*(options: SeedOptions) {
  const { onProgress = untold, passwordHash, seed } = options
  const sql = yield* SqlClient.SqlClient
  const installation = yield* Installation
  return yield* sql.withTransaction(Effect.gen(function*() {
    if (!(yield* installation.isEmpty)) return yield* new DatabaseNotEmpty()
    const partners = planPartners(options.partners, seed, yield* RegionSize)
    const users = planUsers(partners, options.users, seed)
    const applications = planApplications(partners, users, options.applications, seed)
    const [root_id] = partners.ids
    if (root_id === undefined) return yield* Effect.die(new RangeError("there is at least one partner"))
    yield* sql`select set_config('statement_timeout', '0', true), set_config('maintenance_work_mem', '256MB', true)`
    const restore = yield* bareTables(sql, seededTables)
    yield* fillTable(
      { table: "partner", step: "partners", total: options.partners, onProgress },
      partnerRows(partners, seed)
    )
    yield* oneStatement(onProgress, "hierarchy", indexParts(sql))
    yield* fillTable(
      { table: "app_user", step: "users", total: options.users, onProgress },
      userRows(users, partners, passwordHash, seed)
    )
    const proposals = yield* fillApplications(applications, { users, partners }, seed, onProgress)
    yield* oneStatement(onProgress, "counts", countSubtrees(sql))
    yield* restore(onProgress)
    const made: Seeded = { root_id, administrator: administratorOf(users, root_id, seed), proposals }
    return made
  }))
})
