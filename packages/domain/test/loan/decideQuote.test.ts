import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { type Application, latestQuote } from "../../src/loan/Application.ts"
import { applicationStatus } from "../../src/loan/ApplicationStatus.ts"
import { isQuotable, maxQuotes } from "../../src/loan/decideQuote.ts"
import { type RecordQuote } from "../../src/loan/LoanCommand.ts"
import { nextAction } from "../../src/loan/nextAction.ts"
import { orderOffers } from "../../src/offer/judgeAnswer.ts"
import { rejectionCodes, type RejectionReason, rejectionReason } from "../../src/offer/RejectionReason.ts"
import { centavos } from "../../src/values/Centavos.ts"
import { percent } from "../../src/values/Percent.ts"
import { type Timestamp } from "../../src/values/Timestamp.ts"
import {
  applyCommands,
  contractingApplication,
  decideOn,
  eventsOf,
  failQuote,
  hourMs,
  lenderOffer,
  msAfter,
  newApplication,
  noon,
  priceQuote,
  quotedApplication,
  rejectQuote,
  requote
} from "./examples.ts"

const codesOf = (application: Application): ReadonlyArray<string> =>
  latestQuote(application).offers.map(({ table }) => table.code)

describe("quoting", () => {
  it("FGTS-11 a refused quote can be retried depending on its code, from its retry_at on", () => {
    for (const code of rejectionCodes) {
      const refused = applyCommands(newApplication(), rejectQuote(1, code, noon, msAfter(1_000)))
      const { kind, retryable } = rejectionReason(code, "", noon)
      assert.strictEqual(isQuotable(refused, msAfter(1_000)), retryable, code)
      assert.strictEqual(isQuotable(refused, msAfter(999)), retryable && kind !== "TEMPORARY", code)
    }
  })

  it("FGTS-11 an application is not quotable while a quote is pending or after an acceptance", () => {
    assert.isFalse(isQuotable(newApplication(), noon))
    assert.isFalse(isQuotable(contractingApplication(), msAfter(48 * hourMs)))
    assert.isTrue(isQuotable(quotedApplication(), noon))
    assert.isTrue(isQuotable(quotedApplication(), msAfter(48 * hourMs)))
    assert.isTrue(isQuotable(applyCommands(newApplication(), failQuote(1)), noon))
  })

  it("FGTS-11 an application has at most 100 quotes", () => {
    let application = quotedApplication()
    for (let number = 2; number <= maxQuotes; number++) {
      application = applyCommands(application, requote(number), priceQuote(number))
    }
    assert.strictEqual(maxQuotes, 100)
    assert.strictEqual(application.quotes.length, 100)
    for (const at of [noon, msAfter(48 * hourMs)]) {
      assert.isFalse(isQuotable(application, at))
      const refused = decideOn(application, requote(101, at))
      assert.strictEqual(Result.isFailure(refused) ? refused.failure._tag : "", "ApplicationNotQuotable")
    }
    assert.strictEqual(nextAction(application, msAfter(48 * hourMs)), "NONE")
  })

  it("FGTS-12 a new quote is pending, has the next number and its own request, and keeps the KYC", () => {
    const before = quotedApplication()
    const wish = { max_installments: 2, desired_amount: centavos(100_00) }
    const after = applyCommands(before, requote(2, msAfter(1), wish))
    const { number, outcome, wish: wished } = latestQuote(after)
    assert.deepStrictEqual([number, outcome, wished], [2, "PENDING", wish])
    assert.strictEqual(after.kyc, before.kyc)
    assert.deepStrictEqual(after.quotes[0], before.quotes[0])
    assert.strictEqual(applicationStatus(after, msAfter(1)), "QUOTING")
    assert.isTrue(Result.isFailure(decideOn(after, requote(3, msAfter(2)))))
  })

  it("FGTS-13 T46 a result is recorded once, and only for its own quote", () => {
    const before = applyCommands(quotedApplication(), requote(2))
    const cases = [priceQuote(1), priceQuote(3), rejectQuote(1, "NO_BALANCE"), failQuote(1)]
    for (const late of cases) assert.deepStrictEqual(eventsOf(before, late), [])
    for (const first of [priceQuote(2), rejectQuote(2, "NO_BALANCE"), failQuote(2)]) {
      const after = applyCommands(before, first)
      for (const second of [priceQuote(2, msAfter(1)), rejectQuote(2, "EXISTING_CONTRACT"), failQuote(2)]) {
        assert.deepStrictEqual(eventsOf(after, second), [])
      }
    }
  })

  it("FGTS-14 offers are sorted by net amount, then by table, and none is lost", () => {
    const offers = fc.array(
      fc.record({ code: fc.constantFrom("a", "b", "c", "d", "e", "f"), fee: fc.constantFrom(0, 5_00, 10_00) }),
      { maxLength: 6 }
    ).map((given) => given.map(({ code, fee }) => lenderOffer(code, { fee })))
    fc.assert(
      fc.property(offers, (given) => {
        const sorted = orderOffers(given)
        assert.sameMembers([...sorted], [...given])
        for (const [index, { table, terms }] of sorted.entries()) {
          const before = sorted[index - 1]
          if (before === undefined) continue
          assert.isAtLeast(before.terms.net_amount, terms.net_amount)
          if (before.terms.net_amount === terms.net_amount) assert.isTrue(before.table.code <= table.code)
        }
      }),
      { numRuns: 300 }
    )
  })

  it("FGTS-14 ids are assigned in order; dropped offers are listed as unpriced", () => {
    const given = [
      lenderOffer("dear", { fee: 90_00 }),
      lenderOffer("broken", { amounts: [900_00] }),
      lenderOffer("best")
    ]
    const application = applyCommands(newApplication(), priceQuote(1, noon, given))
    const { offers, unpriced } = latestQuote(application)
    assert.deepStrictEqual(codesOf(application), ["best", "dear"])
    assert.strictEqual(new Set(offers.map(({ offer_id }) => offer_id)).size, 2)
    assert.deepStrictEqual(unpriced.map(({ rejection, table }) => [table.code, rejection.code]), [
      ["broken", "LENDER_POLICY"]
    ])
  })

  it("FGTS-43 without an offer the reason is the most hopeful one, or LENDER_POLICY without tables", () => {
    const broken = lenderOffer("broken", { amounts: [900_00] })
    const codes = ["BELOW_MINIMUM_INSTALLMENT", "UPSTREAM_UNAVAILABLE", "BIRTHDAY_WINDOW", "NO_AUTHORIZATION"] as const
    const quoteWith = (...rejections: ReadonlyArray<RejectionReason>) =>
      latestQuote(applyCommands(newApplication(), {
        ...priceQuote(1),
        result: {
          kind: "PRICED",
          offers: [broken],
          unpriced: rejections.map((rejection, index) => ({ table: { code: `t${index}`, label: "T" }, rejection }))
        }
      }))
    for (const [index, code] of codes.entries()) {
      const quote = quoteWith(...codes.slice(0, index + 1).map((one) => rejectionReason(one, "Não.")))
      assert.deepStrictEqual([quote.outcome, quote.rejection?.code], ["REJECTED", code])
      assert.deepStrictEqual(quote.unpriced.map(({ table }) => table.code).at(-1), "broken")
    }
    const first = rejectionReason("BELOW_MINIMUM_AMOUNT", "Pouco saldo.")
    assert.deepStrictEqual(quoteWith(first, rejectionReason("NO_FGTS_ACCOUNT", "Sem conta.")).rejection, first)
    const without = latestQuote(applyCommands(newApplication(), priceQuote(1, noon, [])))
    assert.deepStrictEqual([without.outcome, without.rejection?.code], ["REJECTED", "LENDER_POLICY"])
    assert.deepStrictEqual(quoteWith().rejection?.code, "LENDER_POLICY")
  })

  it("FGTS-38 FGTS-45 an offer is priced for a day from the request to the answer, or for the next business day", () => {
    const friday = "2026-01-30T15:00:00.000Z" as Timestamp
    const isOffered = (priced: Timestamp, answered: Timestamp) => {
      const offers = [lenderOffer("standard", { at: priced })]
      return latestQuote(applyCommands(newApplication(friday), priceQuote(1, answered, offers))).offers.length === 1
    }
    const day = (days: number) => msAfter(24 * hourMs * days, friday)
    assert.isTrue(isOffered(friday, friday))
    assert.isFalse(isOffered(day(-1), friday))
    assert.isFalse(isOffered(day(1), friday))
    for (const priced of [0, 1, 2, 3]) assert.isTrue(isOffered(day(priced), day(1)))
    assert.isFalse(isOffered(day(4), day(1)))
  })

  it("FGTS-59 records retry times of NO_BALANCE and BIRTHDAY_WINDOW, for the quote and for a table", () => {
    const rejectionOf = (command: RecordQuote) => latestQuote(applyCommands(newApplication(), command)).rejection
    assert.strictEqual(rejectionOf(rejectQuote(1, "NO_BALANCE"))?.retry_at, "2026-02-21T03:00:00.000Z")
    assert.strictEqual(rejectionOf(rejectQuote(1, "NO_BALANCE", noon, msAfter(5)))?.retry_at, msAfter(5))
    assert.strictEqual(rejectionOf(rejectQuote(1, "BIRTHDAY_WINDOW", noon, noon))?.retry_at, "2026-02-01T03:00:00.000Z")
    const rejection = rejectionReason("NO_BALANCE", "Sem saldo.")
    const unpriced = [{ table: { code: "standard", label: "Standard" }, rejection }]
    const table = { ...priceQuote(1), result: { kind: "PRICED" as const, offers: [], unpriced } }
    assert.strictEqual(rejectionOf(table)?.retry_at, "2026-02-21T03:00:00.000Z")
    const quote = latestQuote(applyCommands(newApplication(), table))
    assert.strictEqual(quote.unpriced[0]?.rejection.retry_at, "2026-02-21T03:00:00.000Z")
  })

  it("LENDER-14 FGTS-41 an offer above the operator's maximum rate is unpriced", () => {
    const record = (max_monthly_rate: number | null) => {
      const maximum = max_monthly_rate === null ? null : percent(max_monthly_rate)
      return latestQuote(applyCommands(newApplication(), { ...priceQuote(1), max_monthly_rate: maximum }))
    }
    assert.lengthOf(record(null).offers, 2)
    assert.lengthOf(record(1.8).offers, 2)
    const { offers, rejection, unpriced } = record(1.79)
    assert.lengthOf(offers, 0)
    assert.lengthOf(unpriced, 2)
    assert.strictEqual(rejection?.code, "LENDER_POLICY")
  })
})
