import { assert, it } from "@effect/vitest"
import { Busy, CostlyReads, defaultCostlyLimits, makeCostlyTurns, readInTurn } from "@lastro/domain/ports"
import { Duration, Effect, Result, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { postgres } from "../databases.ts"

it.layer(postgres(), { excludeTestServices: true, timeout: "1 minute" })("a costly read in PostgreSQL", (it) => {
  it.effect("T62 PAGE-28 that takes too long is canceled on the server", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const read = yield* Effect.result(readInTurn({ key: "wide" }, sql`select pg_sleep(50)`))
      assert.deepStrictEqual(read, Result.fail(new Busy({ retry_after_seconds: 2 })))
      const running = sql<{ readonly count: number }>`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and state = 'active' and query like 'select pg_sleep%'`
      yield* Effect.repeat(running, { until: ([row]) => row?.count === 0, schedule: Schedule.spaced("10 millis") })
        .pipe(
          Effect.timeout("20 seconds")
        )
    }).pipe(
      Effect.provideService(
        CostlyReads,
        makeCostlyTurns({ ...defaultCostlyLimits, maxRun: Duration.millis(200) })
      )
    ))
})
