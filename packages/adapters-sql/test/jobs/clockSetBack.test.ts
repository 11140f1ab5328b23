import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { LenderUnavailable } from "@lastro/domain/lender"
import { storeRootPartner, usualAnswer } from "@lastro/testkit"
import { Context, Deferred, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { PgDatabase } from "../../src/index.ts"
import { WorkRunner } from "../../src/jobs/WorkRunner.ts"
import { waitUntil } from "../coordination.ts"
import { freshDatabase } from "../postgres.ts"
import { awaitQuote, openApplication } from "./fixtures.ts"
import { postgresNode, startNode } from "./nodes.ts"
import { makeScriptedLender } from "./scriptedLender.ts"

const clockOf = (name: string) =>
  `create function clock.${name}() returns timestamptz stable language sql as
    'select pg_catalog.${name}() + (select ms from clock.ahead) * interval ''1 millisecond'''`

/** Gives a database a clock that can be ahead. All statements use it through the `search_path`. */
const setUpClock = [
  "create schema clock",
  "create table clock.ahead (ms int)",
  "insert into clock.ahead values (0)",
  clockOf("now"),
  clockOf("clock_timestamp"),
  "do $$ begin execute format('alter database %I set search_path = clock, pg_catalog, public', current_database()); end $$"
]

it.live(
  "JOB-09 jobs that were postponed while the clock of the database was 10 minutes ahead run soon after it is right again",
  () =>
    Effect.gen(function*() {
      const url = yield* freshDatabase
      const administrator = Context.get(
        yield* Layer.build(PgDatabase.layer({ url, maxConnections: 1 })),
        PgClient.PgClient
      )
      yield* Effect.forEach(setUpClock, (statement) => administrator.unsafe(statement))
      const setAhead = (ms: number) => administrator`update clock.ahead set ms = ${ms}`
      const { lender, script } = yield* makeScriptedLender
      // One after the other: the first one migrates the database.
      const nodes = [
        yield* startNode(postgresNode(url, lender, { node: "one" })),
        yield* startNode(postgresNode(url, lender, { node: "other" }))
      ] as const
      const [one] = nodes
      const { problem } = yield* one.run(WorkRunner)

      const isAhead = yield* Deferred.make<void>()
      yield* script.setQuoteAnswers(() =>
        Effect.andThen(Deferred.await(isAhead), Effect.fail(new LenderUnavailable({ reason: "ASKED", detail: "" })))
      )
      const root = yield* one.run(storeRootPartner())
      const applications = yield* one.run(
        Effect.forEach(Array.from({ length: 8 }), () => openApplication(root), { concurrency: 4 })
      )
      yield* waitUntil("all quotes are requested", Effect.map(script.calls, (calls) => calls.length === 8))
      yield* setAhead(600_000)
      yield* waitUntil("the node notices", Effect.map(problem, (text) => text?.includes("600 s behind") === true))
      yield* Deferred.succeed(isAhead, undefined)
      yield* waitUntil(
        "all jobs are postponed",
        Effect.map(
          one.run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select from job where owner is null`)),
          (rows) => rows.length === 8
        )
      )
      yield* waitUntil(
        "a node is present",
        Effect.map(
          administrator`select from clock.node where seen_at > pg_catalog.now() + interval '5 minutes'`,
          (rows) => rows.length > 0
        )
      )
      yield* script.setQuoteAnswers(usualAnswer)
      yield* setAhead(0)
      const [elapsed] = yield* Effect.timed(
        one.run(Effect.forEach(applications, (application) => awaitQuote(application), { discard: true }))
      )
      // Before the rule, they waited for ten minutes.
      assert.isBelow(Duration.toSeconds(elapsed), 15)
    }),
  60_000
)
