import { assert, it } from "@effect/vitest"
import { ApplicationRepository, asOperator, DurableWork, now, UnitOfWork } from "@lastro/domain"
import { givenApplication, givenRoot, layerScriptedLender, ScriptedLender } from "@lastro/testkit"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { WorkRunner } from "../../src/work/WorkRunner.ts"
import { freshDatabase } from "../postgres.ts"
import { openedApplication, untilQuoted } from "./fixtures.ts"
import { postgresNode } from "./nodes.ts"
import { timesAsked } from "./scriptedLender.ts"
import { until } from "./until.ts"

const node = Layer.unwrap(Effect.map(freshDatabase, (url) => postgresNode(url, layerScriptedLender)))

it.layer(node, { excludeTestServices: true, timeout: "1 minute" })("durable work on a PostgreSQL in trouble", (it) => {
  it.effect("waits for what others hold, however long", () =>
    Effect.gen(function*() {
      const script = yield* ScriptedLender
      const unit = yield* UnitOfWork
      const applications = yield* ApplicationRepository
      const root = yield* givenRoot()
      const application = yield* givenApplication(root, { at: yield* now })
      const held = yield* Deferred.make<void>()
      const release = yield* Deferred.make<void>()
      const holder = yield* Effect.forkChild(unit.atomically(Effect.gen(function*() {
        yield* applications.findForUpdate(asOperator.scope(root.partner_id), application.application_id)
        yield* Deferred.succeed(held, undefined)
        yield* Deferred.await(release)
      })))
      yield* Deferred.await(held)
      yield* (yield* DurableWork).startQuote(application.quotes[0].quote_id)
      yield* until(
        "it is tried for the third time",
        Effect.map(timesAsked(script, application), (times) => times === 3)
      )
      yield* Deferred.succeed(release, undefined)
      yield* Fiber.join(holder)
      yield* untilQuoted(application)
    }))

  it.effect("cannot be started while its table is held: Busy, and nothing has happened", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const root = yield* givenRoot()
      const held = yield* Deferred.make<void>()
      const release = yield* Deferred.make<void>()
      const holder = yield* Effect.forkChild(sql.withTransaction(Effect.gen(function*() {
        yield* sql`lock table lastro_work_messages in share row exclusive mode`
        yield* Deferred.succeed(held, undefined)
        yield* Deferred.await(release)
      })))
      yield* Deferred.await(held)
      const refused = yield* Effect.flip(openedApplication(root))
      assert.strictEqual(refused._tag, "Busy")
      assert.deepStrictEqual(yield* sql`select from application where partner_id = ${root.partner_id}`, [])
      yield* Deferred.succeed(release, undefined)
      yield* Fiber.join(holder)
      yield* untilQuoted(yield* openedApplication(root))
    }))

  it.effect("goes on after all its connections were cut", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const root = yield* givenRoot()
      yield* until(
        "a connection can be cut",
        Effect.map(
          sql<{ readonly cut: number }>`
          select count(pg_terminate_backend(pid))::int as cut from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`,
          ([row]) => (row?.cut ?? 0) > 0
        )
      )
      const opened = yield* Effect.eventually(Effect.sandbox(openedApplication(root)))
      yield* untilQuoted(opened).pipe(Effect.sandbox, Effect.eventually)
      const { isReady } = yield* WorkRunner
      yield* until("the runner is ready again", isReady)
    }))
})
