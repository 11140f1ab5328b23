import { assert, it } from "@effect/vitest"
import { ApplicationRepository, DurableWork, latestQuote, now, rejectionReason, UnitOfWork } from "@lastro/domain"
import {
  answered,
  givenApplication,
  givenRoot,
  held,
  layerScriptedLender,
  refusing,
  requoted,
  saving,
  ScriptedLender,
  usualAnswer
} from "@lastro/testkit"
import { Duration, Effect, Exit, Latch, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { checkWork } from "../../src/index.ts"
import { purgeWork } from "../../src/work/purgeWork.ts"
import { WorkRunner } from "../../src/work/WorkRunner.ts"
import { freshDatabase } from "../postgres.ts"
import { acceptedApplication, openedApplication, untilMoved, untilQuoted } from "./fixtures.ts"
import { pgliteNode, postgresNode } from "./nodes.ts"
import { timesAsked } from "./scriptedLender.ts"
import { until } from "./until.ts"

const databases = [
  ["PostgreSQL", Layer.unwrap(Effect.map(freshDatabase, (url) => postgresNode(url, layerScriptedLender)))],
  ["PGlite", pgliteNode("memory", layerScriptedLender)]
] as const

/** How many rows the engine keeps, and of how many works that have not ended. */
const kept = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [rows] = yield* sql<{ readonly messages: number; readonly replies: number; readonly unfinished: number }>`
    select (select count(*)::int from lastro_work_messages) as messages,
      (select count(*)::int from lastro_work_replies) as replies,
      (select count(*)::int from lastro_work_messages where tag = 'run' and not processed) as unfinished`
  return rows
})

const idle = until("all work has ended", Effect.map(kept, (rows) => rows?.unfinished === 0))

for (const [name, node] of databases) {
  it.layer(node, { excludeTestServices: true, timeout: "1 minute" })(`durable work on ${name}`, (it) => {
    it.effect("leaves no trace when the transaction that promised it is undone, be it the very first", () =>
      Effect.gen(function*() {
        const root = yield* givenRoot()
        const before = yield* kept
        const exit = yield* Effect.exit((yield* UnitOfWork).atomically(Effect.gen(function*() {
          yield* openedApplication(root)
          assert.notDeepEqual(yield* kept, before)
          return yield* Effect.die("undone")
        })))
        assert.isTrue(Exit.isFailure(exit))
        assert.deepStrictEqual(yield* kept, before)
        yield* untilQuoted(yield* openedApplication(root))
      }))

    it.effect("goes on after a defect", () =>
      Effect.gen(function*() {
        const script = yield* ScriptedLender
        yield* script.answersQuotes(() => Effect.die("a bug"), () => Effect.die("the same again"), usualAnswer)
        const application = yield* openedApplication(yield* givenRoot())
        yield* untilQuoted(application)
        assert.strictEqual(yield* timesAsked(script, application), 3)
        yield* idle
      }))

    it.effect("T46 drops an answer that comes after its quote was superseded", () =>
      Effect.gen(function*() {
        const script = yield* ScriptedLender
        const work = yield* DurableWork
        const answer = Latch.makeUnsafe()
        yield* script.answersQuotes(held(answer, refusing("NO_BALANCE")), usualAnswer)
        const application = yield* openedApplication(yield* givenRoot())
        yield* until("the lender is asked", Effect.map(timesAsked(script, application), (times) => times === 1))
        const failed = yield* saving(
          application,
          yield* answered(application, {
            kind: "FAILED",
            rejection: rejectionReason("UPSTREAM_UNAVAILABLE", "Meanwhile.")
          })
        )
        const again = yield* saving(failed, yield* requoted(failed))
        yield* answer.open
        yield* idle
        const found = yield* (yield* ApplicationRepository).ofQuote(application.quotes[0].quote_id)
        assert.deepStrictEqual(Option.getOrNull(found), again)
        yield* work.startQuote(latestQuote(again).quote_id)
        yield* idle
      }))

    it.effect("looks at a contract until it is paid", () =>
      Effect.gen(function*() {
        const script = yield* ScriptedLender
        const { proposal } = yield* acceptedApplication(yield* givenRoot())
        const { proposal_id } = proposal
        yield* untilMoved(proposal_id, "AWAITING_SIGNATURE")
        yield* idle
        yield* script.moves(proposal_id, "GUARANTEE_PENDING")
        yield* untilMoved(proposal_id, "GUARANTEE_PENDING")
        yield* script.moves(proposal_id, "PAID")
        const paid = yield* untilMoved(proposal_id, "PAID")
        assert.deepStrictEqual(paid.proposal?.status_history.map(({ status }) => status), [
          "SUBMITTING",
          "AWAITING_SIGNATURE",
          "GUARANTEE_PENDING",
          "DISBURSING",
          "PAID"
        ])
      }))

    it.effect("is taken away when it has ended, and not before; starting it again changes nothing", () =>
      Effect.gen(function*() {
        const script = yield* ScriptedLender
        const root = yield* givenRoot()
        const answer = Latch.makeUnsafe()
        yield* script.answersQuotes(held(answer, usualAnswer), usualAnswer)
        yield* idle
        const waiting = yield* openedApplication(root)
        yield* until("the lender is asked", Effect.map(timesAsked(script, waiting), (times) => times === 1))
        const done = yield* openedApplication(root)
        yield* untilQuoted(done)
        yield* until("one work is left", Effect.map(kept, (rows) => rows?.unfinished === 1))
        assert.strictEqual(yield* purgeWork(Duration.hours(1)), 0)
        assert.isAtLeast(yield* purgeWork(Duration.zero), 1)
        assert.deepStrictEqual(yield* kept, { messages: 1, replies: 0, unfinished: 1 })
        yield* (yield* DurableWork).startQuote(done.quotes[0].quote_id)
        yield* answer.open
        yield* untilQuoted(waiting)
        yield* idle
        assert.strictEqual(yield* timesAsked(script, done), 1)
        assert.strictEqual(yield* timesAsked(script, waiting), 1)
        assert.strictEqual(yield* purgeWork(Duration.zero), 2)
        assert.deepStrictEqual(yield* kept, { messages: 0, replies: 0, unfinished: 0 })
      }))

    it.effect("is found missing where nobody promised it", () =>
      Effect.gen(function*() {
        yield* idle
        assert.deepStrictEqual(yield* checkWork, [])
        const application = yield* givenApplication(yield* givenRoot(), { at: yield* now })
        const { quote_id } = application.quotes[0]
        assert.deepStrictEqual(yield* checkWork, [
          { invariant: "Every pending quote is worked on", count: 1, examples: [quote_id] }
        ])
        yield* (yield* DurableWork).startQuote(quote_id)
        yield* untilQuoted(application)
        assert.deepStrictEqual(yield* checkWork, [])
      }))

    it.effect("is done while the runner says that it is ready", () =>
      Effect.gen(function*() {
        yield* until("the runner is ready", (yield* WorkRunner).isReady)
      }))
  })
}
