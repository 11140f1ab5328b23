import { assert, it } from "@effect/vitest"
import { asOperator } from "@lastro/domain/hierarchy"
import { ApplicationRepository, DurableWork } from "@lastro/domain/origination"
import { UnitOfWork } from "@lastro/domain/ports"
import { currentTimestamp } from "@lastro/domain/values"
import { layerScriptedLender, ScriptedLender, storeApplication, storeRootPartner } from "@lastro/testkit"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { WorkRunner } from "../../src/jobs/WorkRunner.ts"
import { waitUntil } from "../coordination.ts"
import { migratedDatabase } from "../postgres.ts"
import { awaitQuote, openApplication } from "./fixtures.ts"
import { postgresNode } from "./nodes.ts"
import { countQuoteRequests } from "./scriptedLender.ts"

const node = Layer.unwrap(
  Effect.map(migratedDatabase, (url) => postgresNode(url, layerScriptedLender, { lockTimeout: "500 millis" }))
)

it.layer(node, { excludeTestServices: true, timeout: "1 minute" })(
  "durable jobs under contention and connection loss on PostgreSQL",
  (it) => {
    it.effect("are retried for as long as the application is locked", () =>
      Effect.gen(function*() {
        const script = yield* ScriptedLender
        const unit = yield* UnitOfWork
        const applications = yield* ApplicationRepository
        const root = yield* storeRootPartner()
        const application = yield* storeApplication(root, { at: yield* currentTimestamp })
        const held = yield* Deferred.make<void>()
        const release = yield* Deferred.make<void>()
        const holder = yield* Effect.forkChild(unit.atomically(Effect.gen(function*() {
          yield* applications.findForUpdate(asOperator.scope(root.partner_id), application.application_id)
          yield* Deferred.succeed(held, undefined)
          yield* Deferred.await(release)
        })))
        yield* Deferred.await(held)
        yield* (yield* DurableWork).startQuote(application.quotes[0].quote_id)
        yield* waitUntil(
          "the quote is requested for the third time",
          Effect.map(countQuoteRequests(script, application), (times) => times === 3)
        )
        yield* Deferred.succeed(release, undefined)
        yield* Fiber.join(holder)
        yield* awaitQuote(application)
      }))

    it.effect("fail to start with Busy while their table is locked, and the application is not opened", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const root = yield* storeRootPartner()
        const held = yield* Deferred.make<void>()
        const release = yield* Deferred.make<void>()
        const holder = yield* Effect.forkChild(sql.withTransaction(Effect.gen(function*() {
          yield* sql`lock table job in share row exclusive mode`
          yield* Deferred.succeed(held, undefined)
          yield* Deferred.await(release)
        })))
        yield* Deferred.await(held)
        const refused = yield* Effect.flip(openApplication(root))
        assert.strictEqual(refused._tag, "Busy")
        assert.deepStrictEqual(yield* sql`select from application where partner_id = ${root.partner_id}`, [])
        yield* Deferred.succeed(release, undefined)
        yield* Fiber.join(holder)
        yield* awaitQuote(yield* openApplication(root))
      }))

    it.effect("resume after all connections were closed", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const root = yield* storeRootPartner()
        yield* waitUntil(
          "a connection is closed",
          Effect.map(
            sql<{ readonly cut: number }>`
          select count(pg_terminate_backend(pid))::int as cut from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`,
            ([row]) => (row?.cut ?? 0) > 0
          )
        )
        const opened = yield* Effect.eventually(Effect.sandbox(openApplication(root)))
        yield* awaitQuote(opened).pipe(Effect.sandbox, Effect.eventually)
        const { isReady } = yield* WorkRunner
        yield* waitUntil("the runner is ready again", isReady)
      }))
  }
)
