import { type PartnerId } from "@lastro/domain/id"
import { type PasswordHash } from "@lastro/domain/identity"
import { Installation } from "@lastro/domain/operator"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { createHistories, historyRow, insertApplications, insertHistories } from "./applications.ts"
import { dropIndexes } from "./dropIndexes.ts"
import { draws } from "./expressions.ts"
import { classes, rounds } from "./histories.ts"
import { namePool } from "./names.ts"
import { countSubtrees, createPartners, indexHierarchy, insertPartners } from "./partners.ts"
import { createUsers, insertUsers } from "./users.ts"

export { mostSeeded } from "./expressions.ts"

/** Progress of one step: `done` of `total` rows, statements or tables. Each step is reported at least at its start and its end. */
export interface SeedProgress {
  readonly step: "partners" | "hierarchy" | "users" | "applications" | "counts" | "indexes" | "statistics"
  readonly done: number
  readonly total: number
}

/** Receives the progress of a seed. */
export type OnProgress = (progress: SeedProgress) => Effect.Effect<void>

/** Sizes of a seed, each at most {@link mostSeeded}. The same sizes and seed give the same rows. */
export interface SeedOptions {
  /** At least 1. All partners are in one tree. */
  readonly partners: number
  /** At least 1 if there are applications: users open them. */
  readonly users: number
  readonly applications: number
  readonly seed: number
  /** The stored hash of the password that all users share. */
  readonly passwordHash: PasswordHash
  readonly onProgress?: OnProgress | undefined
}

/** Result of a seed. */
export interface Seeded {
  readonly root_id: PartnerId
  /** E-mail address of the root's administrator, or null without users. */
  readonly administrator: string | null
  readonly proposals: number
}

/** The database already has partners. Made-up data is not mixed with other data. */
export class DatabaseNotEmpty extends Schema.TaggedError<DatabaseNotEmpty>()("DatabaseNotEmpty", {}) {}

/** Rows that one statement inserts. */
const chunk = { rows: 20_000, applications: 2_000, histories: 100 }

/**
 * Fills a migrated, empty database with one tree of partners, their users and applications. Runs in one transaction. Other nodes
 * that find the database empty wait for its end. No application is left waiting for the lender. Run `vacuum` afterwards.
 */
export const seed = Effect.fn("seed")(function*(options: SeedOptions) {
  const { applications, onProgress = () => Effect.void, partners, passwordHash, users } = options
  const sql = yield* SqlClient.SqlClient
  const installation = yield* Installation
  const draw = draws(options.seed)
  const run = (statement: string, parameters: ReadonlyArray<string> = []) =>
    sql.unsafe(statement, parameters).unprepared
  const runStep = Effect.fnUntraced(function*(step: SeedProgress["step"], statements: ReadonlyArray<string>) {
    for (const [done, statement] of statements.entries()) {
      yield* onProgress({ step, done, total: statements.length })
      yield* run(statement)
    }
    yield* onProgress({ step, done: statements.length, total: statements.length })
  })
  const insert = Effect.fnUntraced(function*(
    step: SeedProgress["step"],
    total: number,
    size: number,
    statement: (from: number, to: number) => string,
    parameters?: ReadonlyArray<string>
  ) {
    for (let done = 0; done < total; done += size) {
      yield* onProgress({ step, done, total })
      yield* run(statement(done, Math.min(total, done + size)), parameters)
    }
    yield* onProgress({ step, done: total, total })
  })
  return yield* sql.withTransaction(Effect.gen(function*() {
    if (!(yield* installation.isEmpty)) return yield* new DatabaseNotEmpty()
    yield* sql`select set_config('statement_timeout', '0', true), set_config('maintenance_work_mem', '256MB', true)`
    const restore = yield* dropIndexes(sql, ["partner", "app_user", "application", "quote", "proposal"])
    yield* run(
      "create temporary table seed_name (kind text, place int, name text, folded text, word text) on commit drop"
    )
    yield* run(
      "insert into seed_name select * from json_to_recordset($1::json) as (kind text, place int, name text, folded text, word text)",
      [
        JSON.stringify(namePool(options.seed))
      ]
    )
    yield* run("analyze seed_name")
    yield* Effect.forEach(createPartners(partners, draw), (statement) => run(statement), { discard: true })
    yield* insert("partners", partners, chunk.rows, insertPartners(draw))
    yield* runStep("hierarchy", [indexHierarchy])
    yield* run(createUsers)
    yield* insert("users", users, chunk.rows, insertUsers(draw, partners), [passwordHash])
    if (applications > 0) {
      yield* run(createHistories)
      const histories = Array.from({ length: classes * rounds }, (_, n) => historyRow(n, options.seed, draw))
      for (let done = 0; done < histories.length; done += chunk.histories) {
        yield* run(insertHistories, [JSON.stringify(histories.slice(done, done + chunk.histories))])
      }
      yield* run("analyze seed_user, seed_history")
    }
    yield* insert("applications", applications, chunk.applications, insertApplications(draw, users))
    yield* runStep("counts", [countSubtrees])
    yield* runStep("indexes", restore)
    const [made] = yield* sql<Seeded>`
      select id as root_id, (select count(*)::int from proposal) as proposals, (
        select email from app_user join seed_user using (id) where n = 0
      ) as administrator
      from seed_partner where n = 0`.unprepared
    return made ?? (yield* Effect.die(new RangeError("partners must be at least 1")))
  }))
})
