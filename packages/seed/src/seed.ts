import { type PasswordHash } from "@lastro/domain/identity"
import { Installation } from "@lastro/domain/operator"
import { type PartnerId } from "@lastro/domain/values"
import { Clock, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import {
  allHistories,
  createHistories,
  type HistoryKey,
  historyRow,
  insertApplications,
  selectHistories,
  startJobs
} from "./applications.ts"
import { createChains, insertEntries, insertPlans, settleMonths, storeViews } from "./commissions.ts"
import { draws } from "./expressions.ts"
import { timelineAt } from "./histories.ts"
import { dropIndexes } from "./maintenance.ts"
import { countSubtrees, createPartners, indexHierarchy, insertPartners } from "./partners.ts"
import { placeStatements } from "./places.ts"
import { createUsers, insertUsers } from "./users.ts"

export { mostSeeded } from "./expressions.ts"

/**
 * The progress of one step: `done` of `total` rows, statements or tables. Each step is reported at least at its start
 * and its end.
 */
export interface SeedProgress {
  readonly step:
    | "partners"
    | "hierarchy"
    | "users"
    | "applications"
    | "plans"
    | "commissions"
    | "counts"
    | "indexes"
    | "statistics"
  readonly done: number
  readonly total: number
}

export type OnProgress = (progress: SeedProgress) => Effect.Effect<void>

/** The sizes of a seed, each at most {@link mostSeeded}. The same sizes, `seed` and day give the same rows. */
export interface SeedOptions {
  /** Number of partners, at least 1, all in one tree. */
  readonly partners: number
  /** Number of users. At least 1 if there are applications, because users open the applications. */
  readonly users: number
  readonly applications: number
  readonly seed: number
  /** The stored hash of the password that all users share. */
  readonly passwordHash: PasswordHash
  /**
   * A time in milliseconds since 1970. The data ends at the start of its day in São Paulo. Default: the current time.
   */
  readonly now?: number | undefined
  readonly onProgress?: OnProgress | undefined
}

/** The result of a seed. */
export interface Seeded {
  readonly root_id: PartnerId
  /** E-mail address of the root's administrator. Null if there are no users. */
  readonly administrator: string | null
  readonly proposals: number
}

/** The database already has partners. Seeded data is not mixed with existing data. */
export class DatabaseNotEmpty extends Schema.TaggedError<DatabaseNotEmpty>()("DatabaseNotEmpty", {}) {}

/**
 * Fills a migrated, empty database with one tree of partners, their users and applications, in one transaction. A node
 * that starts meanwhile waits for the end of the transaction. The data covers two years until the current day. Some
 * applications of the last days wait for the sandbox lender. Run `vacuum` after the seed.
 */
export const seed = Effect.fn("seed")(function*(options: SeedOptions) {
  const { applications, onProgress = () => Effect.void, partners, passwordHash, users } = options
  const sql = yield* SqlClient.SqlClient
  const installation = yield* Installation
  const timeline = timelineAt(options.now ?? (yield* Clock.currentTimeMillis))
  const draw = draws(options.seed)
  const run = (statement: string, parameters: ReadonlyArray<string> = []) =>
    sql.unsafe(statement, parameters).unprepared
  /** Runs a step of `total` rows in batches. Each statement processes `size` rows. */
  const runStep = Effect.fnUntraced(function*(
    step: SeedProgress["step"],
    [total, size]: readonly [number, number],
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
    // Disable the timeouts: between two statements, this process computes the histories of the applications. On a slow
    // machine, this takes longer than the idle timeout.
    yield* sql`select set_config('statement_timeout', '0', true),
      set_config('idle_in_transaction_session_timeout', '0', true), set_config('maintenance_work_mem', '256MB', true),
      set_config('work_mem', '64MB', true)`
    const restore = yield* dropIndexes(sql, [
      "partner",
      "app_user",
      "application",
      "quote",
      "proposal",
      "commission_plan",
      "commission_entry",
      "commission_visible",
      "commission_sum",
      "commission_closing",
      "commission_payout"
    ])
    for (const statement of createPartners(partners, draw, timeline)) yield* run(statement)
    yield* runStep("partners", [partners, 20_000], insertPartners(draw))
    yield* runStep("hierarchy", [1, 1], () => indexHierarchy)
    for (const statement of createChains(draw)) yield* run(statement)
    yield* run(createUsers)
    yield* runStep("users", [users, 20_000], insertUsers(draw, partners, timeline), [passwordHash])
    if (applications > 0) {
      yield* run(createHistories)
      // A few applications need few of the histories, whose computation takes about a second.
      const keys = applications < allHistories.length
        ? yield* sql.unsafe<HistoryKey>(selectHistories(draw, users, applications)).unprepared
        : allHistories
      const histories = keys.map((key) => historyRow(key, timeline))
      yield* run("insert into seed_history select * from json_populate_recordset(null::seed_history, $1::json)", [
        JSON.stringify(histories)
      ])
      yield* run("analyze seed_user, seed_history")
    }
    yield* runStep("applications", [applications, 5_000], insertApplications(draw, users))
    yield* run(startJobs)
    yield* runStep("plans", [partners, 20_000], insertPlans(draw))
    for (const statement of settleMonths(draw, timeline.until)) yield* run(statement)
    const [{ entries = 0 } = {}] = yield* sql<{ readonly entries: number }>`
      select coalesce(max(n), 0)::int as entries from seed_entry`.unprepared
    yield* runStep("commissions", [entries, 20_000], insertEntries)
    for (const statement of storeViews) yield* run(statement)
    yield* runStep("counts", [1, 1], () => countSubtrees)
    for (const statement of placeStatements) yield* run(statement)
    yield* runStep("indexes", [restore.length, 1], (index) => restore[index] ?? "")
    const [seeded] = yield* sql<Seeded>`
      select id as root_id, (select count(*)::int from proposal) as proposals, (
        select email from app_user join seed_user using (id) where n = 0
      ) as administrator
      from seed_partner where n = 0`.unprepared
    return seeded ?? (yield* Effect.die(new RangeError("partners must be at least 1")))
  }))
})
