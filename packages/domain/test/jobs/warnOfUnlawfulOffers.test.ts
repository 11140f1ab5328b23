import { assert, describe, it } from "@effect/vitest"
import { type QuoteAnswer, ScriptedLender, storeApplication, storeRootPartner, usualAnswer } from "@lastro/testkit"
import { Effect, Logger } from "effect"
import { jobStarted } from "../../src/jobs/Job.ts"
import { runJob } from "../../src/jobs/runJob.ts"
import { defaultLenderSettings, LenderSettings } from "../../src/lender/LenderSettings.ts"
import { latestQuote } from "../../src/loan/Application.ts"
import { applicationStatus } from "../../src/loan/ApplicationStatus.ts"
import { percent } from "../../src/values/Percent.ts"
import { currentTimestamp } from "../../src/values/Timestamp.ts"
import { loadApplication, runWithoutWorkers } from "../fixtures.ts"
import { spoiledAnswer } from "./spoiledAnswer.ts"

/** Quotes an application, and returns it with the log of the quote. */
const quoteWith = Effect.fnUntraced(function*(answer: QuoteAnswer) {
  const application = yield* storeApplication(yield* storeRootPartner(), { at: yield* currentTimestamp })
  yield* (yield* ScriptedLender).setQuoteAnswers(answer)
  const lines: Array<string> = []
  const logs = Logger.layer([Logger.map(Logger.formatJson, (line) => lines.push(line))])
  yield* Effect.provide(runJob({ kind: "quote", id: application.quotes[0].quote_id }, jobStarted), logs)
  return { before: application, after: yield* loadApplication(application), lines }
})

describe("warnOfUnlawfulOffers", () => {
  it.effect("LENDER-15 warns of an unlawful offer, with its rule and without personal data", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { after, before, lines } = yield* quoteWith(spoiledAnswer)
      const { offers, quote_id, unpriced } = latestQuote(after)
      assert.deepStrictEqual(offers.map(({ table }) => table.code), ["B"])
      assert.deepStrictEqual(unpriced.map(({ rejection, table }) => [table.code, rejection.code]), [[
        "A",
        "LENDER_POLICY"
      ]])
      assert.lengthOf(lines, 1)
      const { annotations, level, message } = JSON.parse(lines[0] ?? "{}")
      assert.strictEqual(level, "WARN")
      assert.include(String(message), "unlawful offer")
      assert.deepStrictEqual(annotations, {
        lender: "scripted",
        quote_id,
        table: "A",
        rule: "FGTS-38",
        detail: "a due date is not in the customer's birth month"
      })
      for (const secret of [before.customer.cpf, before.customer.name ?? "-", before.customer.birth_date]) {
        assert.notInclude(lines.join(), secret)
      }
    })))

  it.effect("LENDER-15 a lawful answer is not logged", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { after, lines } = yield* quoteWith(usualAnswer)
      assert.lengthOf(latestQuote(after).offers, 2)
      assert.deepStrictEqual(lines, [])
    })))

  it.effect("LENDER-15 FGTS-41 an offer above the operator's maximum rate is unpriced and logged", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { after, lines } = yield* Effect.provideService(quoteWith(usualAnswer), LenderSettings, {
        ...defaultLenderSettings,
        max_monthly_rate: percent(1.2)
      })
      assert.strictEqual(applicationStatus(after, after.updated_at), "REJECTED")
      assert.strictEqual(latestQuote(after).rejection?.code, "LENDER_POLICY")
      assert.deepStrictEqual(lines.map((line) => JSON.parse(line).annotations.rule), ["FGTS-41", "FGTS-41"])
    })))
})
