import { assert, describe, it } from "@effect/vitest"
import { ScriptedLender, storeApplication, storeContractedApplication, storeRootPartner } from "@lastro/testkit"
import { Effect, Metric } from "effect"
import { TestClock } from "effect/testing"
import { countOutcomes, startJobMetrics } from "../../src/jobs/outcomeMetrics.ts"
import { runContract } from "../../src/jobs/runContract.ts"
import { runQuote } from "../../src/jobs/runQuote.ts"
import { type Application, latestQuote } from "../../src/loan/Application.ts"
import { rejectionByLastro } from "../../src/offer/rejectionByLastro.ts"
import { type RejectionCode, rejectionCodes, rejectionReason } from "../../src/offer/RejectionReason.ts"
import { type ProposalId } from "../../src/values/ids.ts"
import { currentTimestamp } from "../../src/values/Timestamp.ts"
import { runWithoutWorkers } from "../fixtures.ts"

/** Returns the counters with a name, by outcome. */
const outcomesOf = (name: string) =>
  Effect.map(
    Metric.snapshot,
    (metrics) =>
      Object.fromEntries(metrics.flatMap(({ attributes = {}, id, state }) =>
        id === name && "incremental" in state ? [[attributes["outcome"], Number(state.count)]] : []
      ))
  )

const measured = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.provideService(runWithoutWorkers(test), Metric.MetricRegistry, new Map())

describe("the metrics of outcomes", () => {
  it.effect("count the outcome of a quote once, with the time since its request", () =>
    measured(Effect.gen(function*() {
      yield* startJobMetrics
      assert.deepStrictEqual(yield* outcomesOf("lastro_quotes_total"), { offered: 0, rejected: 0, failed: 0 })
      const application = yield* storeApplication(yield* storeRootPartner(), { at: yield* currentTimestamp })
      const { quote_id } = latestQuote(application)
      yield* TestClock.adjust("3 seconds")
      yield* Effect.all([runQuote(quote_id), runQuote(quote_id)], { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* outcomesOf("lastro_quotes_total"), { offered: 1, rejected: 0, failed: 0 })
      const times = (yield* Metric.snapshot).flatMap(({ id, state }) =>
        id === "lastro_quote_duration_seconds" && "buckets" in state ? [[state.count, state.sum]] : []
      )
      assert.deepStrictEqual(times, [[1, 3]])
    })))

  it.effect("count a quote without an offer by lender and rejection code, and an unknown code as OTHER", () =>
    measured(Effect.gen(function*() {
      yield* startJobMetrics
      const partner = yield* storeRootPartner()
      const reject = Effect.fnUntraced(function*(code: string) {
        const rejection = { ...rejectionReason("NO_BALANCE", "Operação não permitida."), code: code as RejectionCode }
        yield* (yield* ScriptedLender).setQuoteAnswers(() => Effect.succeed({ kind: "REFUSED", rejection }))
        const { quotes: [quote] } = yield* storeApplication(partner, { at: yield* currentTimestamp })
        yield* runQuote(quote.quote_id)
      })
      yield* reject("NO_BALANCE")
      yield* reject("NO_BALANCE")
      yield* reject("NO_FGTS_ACCOUNT")
      yield* reject("made up by an adapter")
      const counted = (yield* Metric.snapshot).flatMap(({ attributes = {}, id, state }) =>
        id === "lastro_quote_rejections_total" && "incremental" in state
          ? [[`${attributes["lender"]} ${attributes["code"]}`, Number(state.count)] as const]
          : []
      )
      assert.deepStrictEqual(Object.fromEntries(counted.filter(([, count]) => count > 0)), {
        "scripted NO_BALANCE": 2,
        "scripted NO_FGTS_ACCOUNT": 1,
        "scripted OTHER": 1
      })
      assert.strictEqual(counted.length, rejectionCodes.length + 1)
    })))

  it.effect("count the rejection of each lender of a quote for this lender, and the quote once", () =>
    measured(Effect.gen(function*() {
      const rejection = rejectionReason("NO_BALANCE", "Operação não permitida.")
      const stored = yield* storeApplication(yield* storeRootPartner(), { at: yield* currentTimestamp })
      const at = stored.created_at
      const before: Application = {
        ...stored,
        quotes: [{ ...latestQuote(stored), routing: { strategy: "ALL", patience_ms: 0 } }]
      }
      const answer = { at, unpriced: [], unlawful: [], rejection }
      yield* countOutcomes(before, [
        { _tag: "LenderRejected", lender: "blue", ...answer },
        { _tag: "LenderFailed", lender: "green", at, rejection: rejectionByLastro("NO_ANSWER") },
        { _tag: "QuoteRejected", ...answer }
      ], "green")
      const counted = (yield* Metric.snapshot).flatMap(({ attributes = {}, id, state }) =>
        id === "lastro_quote_rejections_total" && "incremental" in state && Number(state.count) > 0
          ? [`${attributes["lender"]} ${attributes["code"]} ${state.count}`]
          : []
      )
      assert.sameMembers(counted, ["blue NO_BALANCE 1", "green UPSTREAM_UNAVAILABLE 1"])
      assert.strictEqual((yield* outcomesOf("lastro_quotes_total"))["rejected"], 1)
    })))

  it.effect("count the outcomes of a contract once, also if it is polled concurrently", () =>
    measured(Effect.gen(function*() {
      yield* startJobMetrics
      const { proposal } = yield* storeContractedApplication(yield* storeRootPartner(), { at: yield* currentTimestamp })
      const id = proposal?.proposal_id as ProposalId
      const poll = Effect.andThen(TestClock.adjust("1 hour"), runContract(id, { attempt: 0, pauses: 0 }))
      yield* runContract(id)
      yield* (yield* ScriptedLender).moveContract(id, "PAID")
      yield* Effect.all([poll, poll, poll], { concurrency: "unbounded" })
      yield* (yield* ScriptedLender).moveContract(id, "REFUNDED")
      yield* poll
      assert.deepStrictEqual(yield* outcomesOf("lastro_contracts_total"), {
        paid: 1,
        disbursement_failed: 0,
        cancelled: 0,
        rejected: 0,
        refunded: 1,
        settled: 0
      })
    })))
})
