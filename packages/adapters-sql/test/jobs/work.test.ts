import { assert, it } from "@effect/vitest"
import { latestQuote } from "@lastro/domain/loan"
import { rejectionReason } from "@lastro/domain/offer"
import { ApplicationRepository, DurableWork } from "@lastro/domain/origination"
import { UnitOfWork } from "@lastro/domain/ports"
import { currentTimestamp } from "@lastro/domain/values"
import {
  answerQuote,
  held,
  layerScriptedLender,
  refusing,
  requestAnotherQuote,
  saveApplication,
  ScriptedLender,
  storeApplication,
  storeRootPartner,
  usualAnswer
} from "@lastro/testkit"
import { Effect, Exit, Latch, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { checkWork } from "../../src/index.ts"
import { WorkRunner } from "../../src/jobs/WorkRunner.ts"
import { waitUntil } from "../coordination.ts"
import { migratedDatabase } from "../postgres.ts"
import { awkwardSchema } from "../schema/roles.ts"
import { acceptApplication, awaitProposalStatus, awaitQuote, openApplication } from "./fixtures.ts"
import { pgliteNode, postgresNode } from "./nodes.ts"
import { countQuoteRequests } from "./scriptedLender.ts"

const databases = [
  ["PostgreSQL", Layer.unwrap(Effect.map(migratedDatabase, (url) => postgresNode(url, layerScriptedLender)))],
  ["PGlite", pgliteNode("memory", layerScriptedLender, { schema: awkwardSchema })]
] as const

/** Counts the stored jobs: all of them, and those that a node runs. */
const countJobs = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [jobs] = yield* sql<{ readonly all: number; readonly running: number }>`
    select count(*)::int as all, count(owner)::int as running from job`
  return jobs
})

const awaitIdle = waitUntil("no job is running", Effect.map(countJobs, (jobs) => jobs?.running === 0))

for (const [name, node] of databases) {
  it.layer(node, { excludeTestServices: true, timeout: "1 minute" })(`durable jobs on ${name}`, (it) => {
    it.effect("leave no rows if the transaction that starts them is rolled back, even the first job ever", () =>
      Effect.gen(function*() {
        const root = yield* storeRootPartner()
        const before = yield* countJobs
        const exit = yield* Effect.exit((yield* UnitOfWork).atomically(Effect.gen(function*() {
          yield* openApplication(root)
          assert.notDeepEqual(yield* countJobs, before)
          return yield* Effect.die("undone")
        })))
        assert.isTrue(Exit.isFailure(exit))
        assert.deepStrictEqual(yield* countJobs, before)
        yield* awaitQuote(yield* openApplication(root))
      }))

    it.effect("are in the schema of their node", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const [job] = yield* sql<{ readonly schema: string }>`
          select nspname::text as schema from pg_namespace join pg_class on relnamespace = pg_namespace.oid
          where pg_class.oid = 'job'::regclass`
        assert.strictEqual(job?.schema, name === "PGlite" ? awkwardSchema : "public")
      }))

    it.effect("are retried after a defect", () =>
      Effect.gen(function*() {
        const script = yield* ScriptedLender
        yield* script.setQuoteAnswers(() => Effect.die("a bug"), () => Effect.die("the same bug"), usualAnswer)
        const application = yield* openApplication(yield* storeRootPartner())
        yield* awaitQuote(application)
        assert.strictEqual(yield* countQuoteRequests(script, application), 3)
        yield* awaitIdle
      }))

    it.effect("T46 drop an answer that arrives after its quote was superseded", () =>
      Effect.gen(function*() {
        const script = yield* ScriptedLender
        const work = yield* DurableWork
        const answer = Latch.makeUnsafe()
        yield* script.setQuoteAnswers(held(answer, refusing("NO_BALANCE")), usualAnswer)
        const application = yield* openApplication(yield* storeRootPartner())
        yield* waitUntil(
          "the lender receives the request",
          Effect.map(countQuoteRequests(script, application), (times) => times === 1)
        )
        const failed = yield* saveApplication(
          application,
          yield* answerQuote(application, {
            kind: "FAILED",
            rejection: rejectionReason("UPSTREAM_UNAVAILABLE", "Timeout.")
          })
        )
        const again = yield* saveApplication(failed, yield* requestAnotherQuote(failed))
        yield* answer.open
        yield* awaitIdle
        const found = yield* (yield* ApplicationRepository).ofQuote(application.quotes[0].quote_id)
        assert.deepStrictEqual(Option.getOrNull(found), again)
        yield* work.startQuote(latestQuote(again).quote_id)
        yield* awaitIdle
      }))

    it.effect("follow a contract until it is paid", () =>
      Effect.gen(function*() {
        const script = yield* ScriptedLender
        const { proposal } = yield* acceptApplication(yield* storeRootPartner())
        const { proposal_id } = proposal
        yield* awaitProposalStatus(proposal_id, "AWAITING_SIGNATURE")
        yield* awaitIdle
        yield* script.moveContract(proposal_id, "GUARANTEE_PENDING")
        yield* awaitProposalStatus(proposal_id, "GUARANTEE_PENDING")
        yield* script.moveContract(proposal_id, "PAID")
        const paid = yield* awaitProposalStatus(proposal_id, "PAID")
        assert.deepStrictEqual(paid.proposal?.status_history.map(({ status }) => status), [
          "SUBMITTING",
          "AWAITING_SIGNATURE",
          "GUARANTEE_PENDING",
          "DISBURSING",
          "PAID"
        ])
      }))

    it.effect("leave no row after their end; starting one again runs it without effect", () =>
      Effect.gen(function*() {
        const script = yield* ScriptedLender
        const sql = yield* SqlClient.SqlClient
        yield* script.setQuoteAnswers(usualAnswer)
        const done = yield* openApplication(yield* storeRootPartner())
        yield* awaitQuote(done)
        const { quote_id } = done.quotes[0]
        const isGone = Effect.map(sql`select from job where id = ${quote_id}`, (rows) => rows.length === 0)
        yield* waitUntil("the job is gone", isGone)
        yield* (yield* DurableWork).startQuote(quote_id)
        yield* waitUntil("the job is gone again", isGone)
        assert.strictEqual(yield* countQuoteRequests(script, done), 1)
      }))

    it.effect("are reported as missing by checkWork if they were not started", () =>
      Effect.gen(function*() {
        yield* awaitIdle
        assert.deepStrictEqual(yield* checkWork, [])
        const application = yield* storeApplication(yield* storeRootPartner(), { at: yield* currentTimestamp })
        const { quote_id } = application.quotes[0]
        assert.deepStrictEqual(yield* checkWork, [
          { invariant: "Every pending quote has a job", count: 1, examples: [quote_id] }
        ])
        yield* (yield* DurableWork).startQuote(quote_id)
        yield* awaitQuote(application)
        assert.deepStrictEqual(yield* checkWork, [])
      }))

    it.effect("run on a worker that becomes ready", () =>
      Effect.gen(function*() {
        yield* waitUntil("the runner is ready", (yield* WorkRunner).isReady)
      }))
  })
}
