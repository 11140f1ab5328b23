import { assert, describe, it } from "@effect/vitest"
import { aQuoteRequest } from "@lastro/testkit"
import { impossible, lenderSuite, sandboxLenderFixtures } from "@lastro/testkit/suites"
import { Duration, Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import * as runner from "vitest"
import { layerSandboxLender } from "../../../src/adapters/sandbox/layerSandboxLender.ts"
import { sandboxCpf } from "../../../src/adapters/sandbox/sandboxCpf.ts"
import {
  defaultScenario,
  sandboxDigits,
  sandboxScenario,
  sandboxScenarios
} from "../../../src/adapters/sandbox/sandboxScenarios.ts"
import { Lender, type LenderQuotation } from "../../../src/lender/Lender.ts"
import { judgeLenderOffer } from "../../../src/offer/judgeLenderOffer.ts"
import { rejectionCodes, type RejectionReason } from "../../../src/offer/RejectionReason.ts"
import { addMillis } from "../../../src/values/Timestamp.ts"

const { requested_at } = aQuoteRequest("00")

/** The answers to each quote and attempt for a CPF with this ending, without delays. */
const answerTo = (digits: string, number = 1, attempt = 1) =>
  Effect.gen(function*() {
    const lender = yield* Lender
    const request = yield* Effect.forkChild(
      Effect.result(lender.quote(aQuoteRequest(digits, { number, attempt }))),
      { startImmediately: true }
    )
    yield* TestClock.adjust(Duration.millis(sandboxScenario(digits).answers_after_ms))
    return Result.match(yield* Fiber.join(request), { onSuccess: summary, onFailure: ({ reason }) => reason })
  }).pipe(Effect.provide(layerSandboxLender({ stepMs: 0 })))

const summary = (quotation: LenderQuotation): string =>
  quotation.kind !== "PRICED"
    ? quotation.kind === "PENDING" ? "PENDING" : quotation.rejection.code
    : [
      quotation.offers.map(({ table, terms }) => `${table.code} ${terms.installments.length}`).join(", "),
      ...quotation.unpriced.map(({ rejection, table }) => `no ${table.code}: ${rejection.code}`)
    ].join("; ")

const priced = "standard 3, plus 3, light 3"

/** For each CPF ending, the answers to the first and second quote. */
const quotes: ReadonlyArray<readonly [digits: string, first: string, second: string]> = [
  ["90", "OPERATION_IN_PROGRESS", priced],
  ["91", "NO_AUTHORIZATION", priced],
  ["92", "NOT_OPTED_IN", "NOT_OPTED_IN"],
  ["93", "BIRTHDAY_WINDOW", priced],
  ["94", "OPT_OUT_IN_PROGRESS", "OPT_OUT_IN_PROGRESS"],
  ["95", "ACCOUNT_CHANGES_PENDING", priced],
  ["96", "ASKED", "ASKED"],
  ["97", "ASKED", "ASKED"],
  ["98", priced, priced],
  ["89", "NO_BALANCE", "NO_BALANCE"],
  ["88", priced, priced],
  ["87", priced, priced],
  ["86", priced, priced],
  ["85", priced, priced],
  ["84", "BELOW_MINIMUM_INSTALLMENT", "BELOW_MINIMUM_INSTALLMENT"],
  ["83", "EXISTING_CONTRACT", "EXISTING_CONTRACT"],
  ["82", "OPT_IN_WAITING_PERIOD", "OPT_IN_WAITING_PERIOD"],
  ["81", "BIRTH_DATE_MISMATCH", "BIRTH_DATE_MISMATCH"],
  ["80", priced, priced],
  ["68", priced, priced],
  ["69", priced, priced],
  ["70", "PENDING", "PENDING"],
  ["71", "THROTTLED", "THROTTLED"],
  ["72", priced, priced],
  ["73", priced, priced],
  ["74", priced, priced],
  ["75", priced, priced],
  ["76", priced, priced],
  ["77", "PENDING", "PENDING"],
  ["79", "standard 2, plus 2, light 2", "standard 2, plus 2, light 2"],
  [
    "78",
    "standard 3, light 3; no plus: FEES_EXCEED_PRINCIPAL",
    "standard 3, light 3; no plus: FEES_EXCEED_PRINCIPAL"
  ]
]

const rejectionOf = (quotation: LenderQuotation): RejectionReason =>
  quotation.kind === "REFUSED" ? quotation.rejection : assert.fail("it was not refused")

const quoted = Effect.fnUntraced(function*(digits: string) {
  return yield* (yield* Lender).quote(aQuoteRequest(digits))
}, Effect.provide(layerSandboxLender({ stepMs: 0 })))

describe("sandbox lender scenarios", () => {
  for (const [digits, first, second] of quotes) {
    it.effect(`SANDBOX-01 SANDBOX-03 a CPF ending in ${digits} gets ${first}, then ${second}`, () =>
      Effect.gen(function*() {
        assert.strictEqual(yield* answerTo(digits), first)
        assert.strictEqual(yield* answerTo(digits, 2), second)
      }))
  }

  it("SANDBOX-01 every scenario is tested, and any other ending gets the default scenario", () => {
    assert.deepStrictEqual(quotes.map(([digits]) => digits).toSorted(), Array.from(sandboxScenarios.keys()).toSorted())
    for (let ending = 0; ending < 100; ending++) {
      const digits = String(ending).padStart(2, "0")
      const cpf = sandboxCpf(digits)
      assert.strictEqual(sandboxDigits(cpf), digits)
      assert.strictEqual(sandboxScenario(digits), sandboxScenarios.get(digits) ?? defaultScenario)
    }
  })

  it.effect("SANDBOX-03 any other customer gets three offers", () =>
    Effect.forEach(
      ["00", "42", "69", "99"],
      (digits) => Effect.map(answerTo(digits), (answer) => assert.strictEqual(answer, priced))
    ))

  it.effect("SANDBOX-03 96 never answers; 97 answers the third attempt", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* answerTo("96", 1, 3), "ASKED")
      assert.strictEqual(yield* answerTo("96", 2, 1_000), "ASKED")
      assert.strictEqual(yield* answerTo("97", 1, 2), "ASKED")
      assert.strictEqual(yield* answerTo("97", 1, 3), priced)
      assert.strictEqual(yield* answerTo("97", 2, 1), "ASKED")
    }))

  it.effect("SANDBOX-03 98 answers after five seconds and not earlier", () =>
    Effect.gen(function*() {
      const request = yield* Effect.forkChild(quoted("98"), { startImmediately: true })
      yield* TestClock.adjust("4999 millis")
      assert.isUndefined(request.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.isDefined(request.pollUnsafe())
    }))

  it.effect("SANDBOX-03 93 can be retried after 3 s, and its message names no day, because that day has come", () =>
    Effect.gen(function*() {
      const rejection = rejectionOf(yield* quoted("93"))
      assert.strictEqual(rejection.retry_at, addMillis(requested_at, 3_000))
      assert.strictEqual(rejection.message, "Operação não permitida neste período do mês de aniversário.")
      assert.isTrue(rejection.retryable)
    }))

  it.effect("SANDBOX-03 93 counts the 3 s from the answer if the request waited for almost as long", () =>
    Effect.gen(function*() {
      const retryAfter = Effect.fnUntraced(function*(waited_ms: number) {
        yield* TestClock.setTime(Date.parse(addMillis(requested_at, waited_ms)))
        return rejectionOf(yield* quoted("93")).retry_at
      })
      assert.strictEqual(yield* retryAfter(1_999), addMillis(requested_at, 3_000))
      assert.strictEqual(yield* retryAfter(2_000), addMillis(requested_at, 5_000))
      assert.strictEqual(yield* retryAfter(9_000), addMillis(requested_at, 12_000))
    }))

  it.effect("SANDBOX-03 82 requires a wait of 90 days", () =>
    Effect.gen(function*() {
      const rejection = rejectionOf(yield* quoted("82"))
      assert.strictEqual(rejection.retry_at, "2027-03-01T15:00:00.000Z")
      assert.include(rejection.message, "antes de 01/03/2027")
    }))

  it.effect("SANDBOX-03 85 keeps its offers valid for two seconds after the request; the others set no validity", () =>
    Effect.gen(function*() {
      const until = (quotation: LenderQuotation) =>
        quotation.kind === "PRICED" ? quotation.offers.map(({ valid_until }) => valid_until) : []
      const end = addMillis(requested_at, 2_000)
      assert.deepStrictEqual(until(yield* quoted("85")), [end, end, end])
      assert.deepStrictEqual(until(yield* quoted("00")), [null, null, null])
    }))

  it.effect("SANDBOX-04 every offer satisfies the rules for lender offers", () =>
    Effect.forEach(["00", "85", "79", "78"], (digits) =>
      Effect.map(quoted(digits), (quotation) => {
        const offers = quotation.kind === "PRICED" ? quotation.offers : []
        assert.isNotEmpty(offers)
        for (const { terms } of offers) {
          assert.isTrue(Result.isSuccess(judgeLenderOffer(aQuoteRequest(digits), terms)))
        }
      })))

  it("every scenario has a description, and its refusal codes exist", () => {
    for (const { outcome } of sandboxScenarios.values()) {
      assert.isNotEmpty(outcome)
      for (const [code] of outcome.matchAll(/\b[A-Z]+(?:_[A-Z]+)+\b/g)) {
        if (code !== "QUOTE_FAILED" && code !== "IN_ANALYSIS") assert.include(rejectionCodes, code)
      }
    }
  })
})

lenderSuite("sandbox, step by step", layerSandboxLender({ stepMs: 1_000 }), runner)

lenderSuite("sandbox, all at once", layerSandboxLender({ stepMs: 0 }), runner, {
  outcomes: {
    ...sandboxLenderFixtures,
    in_analysis: impossible("without steps, no contract is in analysis"),
    cancelled: impossible("without steps, every contract is paid before it can be cancelled"),
    signature_link: impossible("without steps, no contract awaits its signature")
  }
})
