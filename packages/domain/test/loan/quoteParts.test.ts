import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { basicRequirements, type KycRequirements } from "../../src/kyc/KycRequirements.ts"
import { type Application, latestQuote } from "../../src/loan/Application.ts"
import {
  holdsAtEveryLender,
  isCompleted,
  lateDeadline,
  nextLender,
  nextPatience,
  rejectionOfParts
} from "../../src/loan/continueQuote.ts"
import { decide } from "../../src/loan/decide.ts"
import { isContractedBy } from "../../src/loan/decideAccept.ts"
import { isQuotable } from "../../src/loan/decideQuote.ts"
import { evolve, openApplication } from "../../src/loan/evolve.ts"
import { type LoanCommand, type RecordQuote } from "../../src/loan/LoanCommand.ts"
import { nextAction } from "../../src/loan/nextAction.ts"
import { missingForOffer, openParts, partsOf } from "../../src/loan/quoteParts.ts"
import { type QuotePart, type QuoteStrategy } from "../../src/offer/QuotePart.ts"
import { rejectionByLastro } from "../../src/offer/rejectionByLastro.ts"
import { type RejectionCode, rejectionReason } from "../../src/offer/RejectionReason.ts"
import { type OfferId } from "../../src/values/ids.ts"
import { type Timestamp } from "../../src/values/Timestamp.ts"
import { accept, completeKyc, customer, lenderOffer, msAfter, noon, noWish, quoteId, submitKyc } from "./examples.ts"

const patience_ms = 15_000
const deadline_ms = 24 * 3_600_000

interface Routed {
  readonly strategy: QuoteStrategy
  readonly codes: ReadonlyArray<string>
  readonly requirements?: Readonly<Record<string, KycRequirements>>
  /** Default: {@link patience_ms}. */
  readonly patience?: number
}

const opened = ({ codes, patience = patience_ms, requirements = {}, strategy }: Routed): Application => {
  const lenders = codes.map((code) => ({
    lender: { code, label: code.toUpperCase() },
    requirements: requirements[code] ?? basicRequirements
  }))
  return openApplication({
    _tag: "ApplicationOpened",
    at: noon,
    application_id: quoteId(900) as never,
    external_id: "one",
    partner_id: quoteId(901) as never,
    created_by: "client",
    customer,
    quote_id: quoteId(1),
    wish: noWish,
    lenders,
    routing: { strategy, patience_ms: patience }
  })
}

const after = (application: Application, command: LoanCommand): Application =>
  Result.getOrThrow(decide(command, application)).reduce(evolve, application)

const pass = (
  application: Application,
  ms: number,
  callable?: ReadonlyArray<string>,
  withheld: ReadonlyArray<string> = []
): Application =>
  after(application, {
    _tag: "PassPatience",
    at: msAfter(ms),
    quote_id: quoteId(1),
    deadline_ms,
    withheld,
    ...(callable === undefined ? {} : { callable })
  })

type Answer = RejectionCode | "OFFER" | "FAILED"

let offers = 0

const resultOf = (answer: Answer): RecordQuote["result"] =>
  answer === "OFFER"
    ? { kind: "PRICED", offers: [lenderOffer("one")], unpriced: [] }
    : answer === "FAILED"
    ? { kind: "FAILED", rejection: rejectionByLastro("NO_ANSWER") }
    : { kind: "REFUSED", rejection: rejectionReason(answer, "Operação não permitida.") }

const answered = (
  application: Application,
  lender: string,
  answer: Answer,
  ms: number,
  callable?: ReadonlyArray<string>,
  withheld: ReadonlyArray<string> = []
): Application =>
  after(application, {
    _tag: "RecordQuote",
    withheld,
    at: msAfter(ms),
    quote_id: quoteId(1),
    result: resultOf(answer),
    offer_ids: [quoteId(5_000 + ++offers) as never as OfferId],
    lender,
    max_monthly_rate: null,
    ...(callable === undefined ? {} : { callable })
  })

const outcomesOf = (application: Application) =>
  partsOf(latestQuote(application)).map(({ outcome }) => outcome).join(" ")
const outcomeOf = (application: Application) => latestQuote(application).outcome
const lendersOf = (application: Application) => latestQuote(application).offers.map(({ lender }) => lender)

const nextAfter = (application: Application, ms: number) =>
  nextPatience(latestQuote(application), msAfter(ms), deadline_ms)

const all = (...codes: ReadonlyArray<string>) => opened({ strategy: "ALL", codes })
const first = (...codes: ReadonlyArray<string>) => opened({ strategy: "FIRST", codes })

describe("the parts of a quote", () => {
  it("QUOTE-01 a quote without stored parts has one part, with the outcome of the quote", () => {
    const { parts: _, routing: __, ...stored } = latestQuote(all("a"))
    assert.deepStrictEqual(partsOf(stored).map(({ outcome }) => outcome), ["PENDING"])
    assert.deepStrictEqual(partsOf({ ...stored, outcome: "REJECTED" }).map(({ outcome }) => outcome), ["REJECTED"])
  })

  it("QUOTE-02 offers with equal amounts are in the order of the routing", () => {
    const both = answered(answered(all("b", "a"), "a", "OFFER", 1_000), "b", "OFFER", 2_000)
    assert.deepStrictEqual(lendersOf(both), ["b", "a"])
  })

  it("QUOTE-03 QUOTE-04 each offer needs the fields of its own lender, and the application those of the lenders with offers", () => {
    const requirements = { b: { ...basicRequirements, kyc_fields: ["profession"] as const } }
    const start = opened({ strategy: "ALL", codes: ["a", "b", "c"], requirements })
    const one = answered(answered(answered(start, "a", "OFFER", 1_000), "b", "OFFER", 1_000), "c", "FAILED", 1_000)
    const quote = latestQuote(one)
    const needs = quote.offers.map((offer) => missingForOffer(one, quote, offer).includes("profession"))
    assert.deepStrictEqual(needs, [false, true])
    assert.deepStrictEqual(one.requirements.kyc_fields, ["profession"])
    const other = answered(answered(answered(start, "a", "OFFER", 1_000), "b", "FAILED", 1_000), "c", "FAILED", 1_000)
    assert.deepStrictEqual(other.requirements.kyc_fields, [])
  })

  it("QUOTE-04 with FIRST, an application needs no field of a lender that was not requested", () => {
    const requirements = { b: { ...basicRequirements, kyc_fields: ["profession"] as const } }
    const start = opened({ strategy: "FIRST", codes: ["a", "b"], requirements })
    assert.deepStrictEqual(start.requirements.kyc_fields, [])
    assert.deepStrictEqual(answered(start, "a", "FAILED", 1_000).requirements.kyc_fields, ["profession"])
  })

  it("QUOTE-05 QUOTE-06 a rejection that holds at every lender counts before a more hopeful one", () => {
    assert.isTrue(holdsAtEveryLender({ code: "NO_BALANCE" }))
    assert.isFalse(holdsAtEveryLender({ code: "NO_AUTHORIZATION" }))
    const codeOf = (...answers: ReadonlyArray<Answer>) => {
      const end = answers.reduce(
        (now, answer, index) => answered(now, "abc"[index] ?? "", answer, 1_000),
        all("a", "b", "c")
      )
      return latestQuote(end).rejection?.code
    }
    assert.strictEqual(codeOf("NO_AUTHORIZATION", "NO_BALANCE", "FAILED"), "NO_BALANCE")
    assert.strictEqual(codeOf("LENDER_POLICY", "FAILED", "NO_AUTHORIZATION"), "NO_AUTHORIZATION")
    assert.strictEqual(codeOf("LENDER_POLICY", "FAILED", "EXISTING_CONTRACT"), "UPSTREAM_UNAVAILABLE")
    assert.strictEqual(codeOf("LENDER_POLICY", "EXISTING_CONTRACT", "LENDER_POLICY"), "LENDER_POLICY")
    assert.isNull(rejectionOfParts([]))
  })

  it("QUOTE-06 QUOTE-09 a quote fails only if no lender answered", () => {
    const failed = answered(answered(all("a", "b"), "a", "FAILED", 1_000), "b", "FAILED", 2_000)
    assert.strictEqual(outcomeOf(failed), "FAILED")
    const rejected = answered(answered(all("a", "b"), "a", "FAILED", 1_000), "b", "LENDER_POLICY", 2_000)
    assert.strictEqual(outcomeOf(rejected), "REJECTED")
  })

  it("QUOTE-07 QUOTE-10 QUOTE-12 with ALL, a slow lender delays the offers only for the patience, and then joins", () => {
    const one = answered(all("a", "b"), "a", "OFFER", 1_000)
    assert.strictEqual(outcomeOf(one), "PENDING")
    assert.deepStrictEqual(latestQuote(one).offers, [], "nothing is acceptable before")
    assert.strictEqual(nextAfter(one, 1_000), msAfter(patience_ms))
    assert.isFalse(isCompleted(latestQuote(one), msAfter(patience_ms - 1)))
    assert.isTrue(isCompleted(latestQuote(one), msAfter(patience_ms)))
    assert.strictEqual(pass(one, patience_ms - 1), one)
    const due = pass(one, patience_ms)
    assert.deepStrictEqual([outcomeOf(due), outcomesOf(due), openParts(latestQuote(due))], [
      "COMPLETED",
      "COMPLETED PENDING",
      1
    ])
    const late = answered(due, "b", "OFFER", 60_000)
    assert.deepStrictEqual([lendersOf(late), late.version > due.version], [["a", "b"], true])
  })

  it("QUOTE-07 QUOTE-08 QUOTE-09 QUOTE-11 a lender whose circuit breaker withholds calls is not awaited, and can still join", () => {
    const withheld = ["a"]
    const one = answered(all("a", "b"), "b", "OFFER", 1_000, undefined, withheld)
    assert.deepStrictEqual([outcomeOf(one), outcomesOf(one)], ["COMPLETED", "PENDING COMPLETED"])
    assert.deepStrictEqual(lendersOf(answered(one, "a", "OFFER", 60_000)), ["a", "b"])
    const next = pass(first("a", "b"), 1, undefined, withheld)
    assert.deepStrictEqual([outcomeOf(next), outcomesOf(next)], ["PENDING", "PENDING PENDING"])
    const rejected = answered(all("a", "b"), "b", "NO_BALANCE", 1_000, undefined, withheld)
    assert.deepStrictEqual([outcomeOf(rejected), outcomesOf(rejected)], ["REJECTED", "SKIPPED REJECTED"])
    const hopeful = answered(all("a", "b"), "b", "LENDER_POLICY", 1_000, undefined, withheld)
    assert.deepStrictEqual([outcomeOf(hopeful), outcomesOf(hopeful)], ["PENDING", "PENDING REJECTED"])
    const none = pass(all("a", "b"), 1, undefined, ["a", "b"])
    assert.deepStrictEqual([outcomeOf(none), outcomesOf(none)], ["PENDING", "PENDING PENDING"])
  })

  it("QUOTE-15 a lender whose next request is after its waiting time is not awaited, and can still join", () => {
    const times = fc.integer({ min: 0, max: 3 * patience_ms })
    fc.assert(
      fc.property(fc.constantFrom("ALL", "FIRST"), times, times, fc.boolean(), (strategy, at, wait_ms, isFirst) => {
        const until = at + wait_ms
        const isPostponed = at < patience_ms && until >= patience_ms
        const postpone = (one: Application) =>
          after(one, {
            _tag: "PassPatience",
            at: msAfter(at),
            quote_id: quoteId(1),
            deadline_ms,
            postponed: { lender: "a", until: msAfter(until) }
          })
        const start = opened({ codes: ["a", "b"], strategy })
        if (strategy === "FIRST") {
          const next = postpone(start)
          assert.strictEqual(outcomesOf(next), isPostponed || at >= patience_ms ? "PENDING PENDING" : "PENDING WAITING")
          return
        }
        // The offers of the other lender come before or after the postponement.
        const quoted = isFirst
          ? postpone(answered(start, "b", "OFFER", at))
          : answered(postpone(start), "b", "OFFER", at)
        assert.strictEqual(outcomeOf(quoted), isPostponed || at >= patience_ms ? "COMPLETED" : "PENDING")
        assert.strictEqual(outcomesOf(quoted), "PENDING COMPLETED")
        const again = postpone(postpone(start))
        assert.strictEqual(again.version, start.version + (isPostponed ? 1 : 0), "it is recorded once")
        assert.strictEqual(outcomeOf(again), "PENDING", "a quote without offers waits")
        assert.deepStrictEqual(lendersOf(answered(quoted, "a", "OFFER", 3 * patience_ms + at)).length, 2)
      })
    )
  })

  it("QUOTE-15 only a pending lender of a pending quote is postponed", () => {
    const postpone = (application: Application, lender: string) =>
      after(application, {
        _tag: "PassPatience",
        at: msAfter(200),
        quote_id: quoteId(1),
        deadline_ms,
        postponed: { lender, until: msAfter(10 * patience_ms) }
      })
    const completed = answered(all("a", "b"), "b", "OFFER", 100, undefined, ["a"])
    assert.deepStrictEqual([outcomeOf(completed), outcomesOf(completed)], ["COMPLETED", "PENDING COMPLETED"])
    assert.strictEqual(postpone(completed, "a"), completed)
    const rejected = answered(all("a", "b"), "a", "NO_AUTHORIZATION", 100)
    const waiting = first("a", "b")
    for (const [one, lender] of [[rejected, "a"], [waiting, "b"], [waiting, "left"]] as const) {
      assert.strictEqual(postpone(one, lender), one, lender)
    }
  })

  it("QUOTE-11 a lender that is pending after the quote was completed has ten more minutes", () => {
    const one = answered(all("a", "b"), "a", "OFFER", 1_000)
    assert.isNull(lateDeadline(latestQuote(one)))
    const due = pass(one, patience_ms)
    assert.strictEqual(lateDeadline(latestQuote(due)), msAfter(patience_ms + 600_000))
  })

  it("QUOTE-10 QUOTE-13 a lender that is pending ten minutes after the quote was completed fails, and adds no offer any more", () => {
    const due = pass(answered(all("a", "b"), "a", "OFFER", 1_000), patience_ms)
    const end = patience_ms + 600_000
    assert.strictEqual(nextAfter(due, patience_ms), msAfter(end))
    assert.strictEqual(pass(due, end - 1), due)
    const ended = pass(due, end)
    assert.deepStrictEqual([outcomeOf(ended), outcomesOf(ended)], ["COMPLETED", "COMPLETED FAILED"])
    assert.isNull(nextAfter(ended, end))
    assert.strictEqual(answered(ended, "b", "OFFER", end + 1), ended)
  })

  it("QUOTE-10 QUOTE-13 a quote without an offer ends at the longest deadline, even if the job of a lender does not run", () => {
    const one = answered(all("a", "b"), "a", "LENDER_POLICY", 1_000)
    assert.strictEqual(nextAfter(one, patience_ms), msAfter(deadline_ms))
    assert.strictEqual(pass(one, deadline_ms - 1), one)
    const ended = pass(one, deadline_ms)
    assert.deepStrictEqual([outcomeOf(ended), outcomesOf(ended)], ["REJECTED", "REJECTED FAILED"])
    const next = pass(first("a", "b"), deadline_ms)
    assert.deepStrictEqual([outcomeOf(next), outcomesOf(next)], ["PENDING", "FAILED PENDING"])
  })

  it("QUOTE-08 QUOTE-10 with FIRST and no patience, all lenders are requested one after the other at once", () => {
    const start = opened({ strategy: "FIRST", codes: ["a", "b", "c"], patience: 0 })
    const second = pass(start, 0)
    assert.deepStrictEqual([outcomesOf(second), nextAfter(second, 0)], ["PENDING PENDING WAITING", noon])
    const third = pass(second, 0)
    assert.deepStrictEqual([outcomesOf(third), nextAfter(third, 0)], [
      "PENDING PENDING PENDING",
      msAfter(deadline_ms)
    ])
  })

  it("QUOTE-08 with FIRST, the next lender is requested after a rejection, or when the patience is over", () => {
    const start = first("a", "b", "c")
    assert.strictEqual(outcomesOf(start), "PENDING WAITING WAITING")
    const rejected = answered(start, "a", "NO_AUTHORIZATION", 1_000)
    assert.strictEqual(outcomesOf(rejected), "REJECTED PENDING WAITING")
    assert.strictEqual(outcomesOf(pass(rejected, 1_000 + patience_ms - 1)), "REJECTED PENDING WAITING")
    const nextAt = (ms: number) => nextLender(latestQuote(rejected), msAfter(1_000 + ms))?.lender.code
    assert.deepStrictEqual([nextAt(patience_ms - 1), nextAt(patience_ms)], [undefined, "c"])
    const both = pass(rejected, 1_000 + patience_ms)
    assert.strictEqual(outcomesOf(both), "REJECTED PENDING PENDING")
    const done = answered(both, "c", "OFFER", 20_000)
    assert.deepStrictEqual([outcomeOf(done), outcomesOf(done)], ["COMPLETED", "REJECTED PENDING COMPLETED"])
    const general = answered(start, "a", "NO_BALANCE", 1_000)
    assert.deepStrictEqual([outcomeOf(general), outcomesOf(general)], ["REJECTED", "REJECTED SKIPPED SKIPPED"])
  })

  it("QUOTE-08 with FIRST, the next lender is requested after a rejection, even if an earlier lender is still pending", () => {
    const both = pass(first("a", "b", "c"), patience_ms)
    assert.strictEqual(outcomesOf(both), "PENDING PENDING WAITING")
    assert.strictEqual(outcomesOf(answered(both, "a", "LENDER_POLICY", 16_000)), "REJECTED PENDING WAITING")
    assert.strictEqual(outcomesOf(answered(both, "b", "LENDER_POLICY", 16_000)), "PENDING REJECTED PENDING")
  })

  it("QUOTE-09 a lender that gets no new quotes any more is skipped", () => {
    const skipped = answered(first("a", "b", "c"), "a", "NO_AUTHORIZATION", 1_000, ["a", "c"])
    assert.strictEqual(outcomesOf(skipped), "REJECTED SKIPPED PENDING")
    const none = answered(first("a", "b"), "a", "NO_AUTHORIZATION", 1_000, ["a"])
    assert.deepStrictEqual([outcomeOf(none), outcomesOf(none)], ["REJECTED", "REJECTED SKIPPED"])
  })

  it("FGTS-13 after an acceptance or a cancellation, open parts are skipped and late answers change nothing", () => {
    const due = pass(answered(all("a", "b"), "a", "OFFER", 1_000), patience_ms)
    const cancelled = after(due, {
      _tag: "CancelApplication",
      at: msAfter(20_000),
      reason: "CUSTOMER_REQUEST",
      exits: null
    })
    assert.strictEqual(outcomesOf(cancelled), "COMPLETED SKIPPED")
    assert.strictEqual(answered(cancelled, "b", "OFFER", 30_000), cancelled)
  })

  it("FGTS-17 QUOTE-14 the offer of a stopped lender cannot be accepted, stays available, and can be replaced", () => {
    const quoted = after(answered(all("a"), "a", "OFFER", 1_000), submitKyc(completeKyc, msAfter(1_500)))
    const offer_id = latestQuote(quoted).offers[0]?.offer_id as OfferId
    const refused = decide({ ...accept(offer_id, msAfter(2_000)), contracting: ["b"] }, quoted)
    assert(Result.isFailure(refused) && refused.failure._tag === "OfferNotAvailable")
    assert.strictEqual(refused.failure.reason, "LENDER_STOPPED")
    const [{ lender }] = partsOf(latestQuote(quoted)) as readonly [QuotePart]
    assert.deepStrictEqual([[], ["a"], undefined].map((codes) => isContractedBy(lender, codes)), [false, true, true])
    assert.strictEqual(nextAction(quoted, msAfter(2_000)), "ACCEPT_OFFER")
    assert.isTrue(isQuotable(quoted, msAfter(2_000)))
  })

  it("FGTS-17 LENDER-27 an offer without a code cannot be accepted if no lender can contract it", () => {
    const quoted = answered(all("a"), "a", "OFFER", 1_000)
    const { parts: _parts, routing: _routing, ...quote } = latestQuote(quoted)
    const offers = quote.offers.map(({ lender: _, ...offer }) => offer)
    const stored: Application = { ...quoted, quotes: [{ ...quote, offers }] }
    const command = accept(offers[0]?.offer_id as OfferId, msAfter(2_000))
    const refused = decide({ ...command, contracting: [] }, stored)
    assert(Result.isFailure(refused) && refused.failure._tag === "OfferNotAvailable")
    assert.strictEqual(refused.failure.reason, "LENDER_STOPPED")
    const reached = decide({ ...command, contracting: ["only"] }, stored)
    assert(Result.isFailure(reached) && reached.failure._tag === "KycIncomplete")
  })
})

const codes: ReadonlyArray<Answer> = [
  "OFFER",
  "FAILED",
  "NO_BALANCE",
  "NO_AUTHORIZATION",
  "LENDER_POLICY",
  "EXISTING_CONTRACT",
  "OPERATION_IN_PROGRESS"
]
const general: ReadonlySet<Answer> = new Set(["NO_BALANCE"])
/** From the most to the least hopeful one. */
const hope: ReadonlyArray<Answer> = [
  "NO_AUTHORIZATION",
  "OPERATION_IN_PROGRESS",
  "FAILED",
  "LENDER_POLICY",
  "EXISTING_CONTRACT"
]

interface Script {
  readonly strategy: QuoteStrategy
  /** The answer of each lender, and the seconds that it takes. */
  readonly lenders: ReadonlyArray<{ readonly answer: Answer; readonly takes: number }>
}

const script = fc.record({
  strategy: fc.constantFrom<QuoteStrategy>("ALL", "FIRST"),
  lenders: fc.array(fc.record({ answer: fc.constantFrom(...codes), takes: fc.integer({ min: 1, max: 50 }) }), {
    minLength: 1,
    maxLength: 4
  })
})

/** The expected end of a quote, second by second, without events. */
const oracle = (
  { lenders, strategy }: Script
): { readonly at: number; readonly outcome: string; readonly code: string | null } => {
  const patience = patience_ms / 1_000
  const asked = lenders.map((_, index) => strategy === "ALL" || index === 0 ? 0 : Infinity)
  for (let now = 0;; now++) {
    for (;;) {
      const got = new Set(
        lenders.filter((one, index) => (asked[index] ?? 0) + one.takes <= now).map(({ answer }) => answer)
      )
      const inOrder = lenders.filter((one, index) => (asked[index] ?? 0) + one.takes <= now)
      const isPending = lenders.some((one, index) =>
        (asked[index] ?? 0) <= now && (asked[index] ?? 0) + one.takes > now
      )
      const isOver = now >= patience
      if (got.has("OFFER") && (strategy === "FIRST" || isOver || !isPending)) {
        return { at: now, outcome: "COMPLETED", code: null }
      }
      const found = inOrder.find(({ answer }) => general.has(answer))
      if (found !== undefined) {
        if (!got.has("OFFER") && (isOver || !isPending)) {
          return { at: now, outcome: "REJECTED", code: found.answer }
        }
        break
      }
      const next = asked.indexOf(Infinity)
      const last = next - 1
      const lastEnded = (asked[last] ?? 0) + (lenders[last]?.takes ?? 0) <= now
      if (next >= 0 && (lastEnded || now - (asked[last] ?? 0) >= patience)) {
        asked[next] = now
        continue
      }
      if (isPending || next >= 0) break
      if (inOrder.every(({ answer }) => answer === "FAILED")) {
        return { at: now, outcome: "FAILED", code: "UPSTREAM_UNAVAILABLE" }
      }
      const best = hope.find((answer) => got.has(answer)) ?? null
      const finals = inOrder.find(({ answer }) => answer === "LENDER_POLICY" || answer === "EXISTING_CONTRACT")
      const isFinal = best === "LENDER_POLICY" || best === "EXISTING_CONTRACT"
      return {
        at: now,
        outcome: "REJECTED",
        code: best === "FAILED" ? "UPSTREAM_UNAVAILABLE" : isFinal ? finals?.answer ?? null : best
      }
    }
  }
}

/**
 * Plays a script with the commands that the jobs send. Returns null if two answers come in the same second, because then their
 * order decides.
 */
const play = ({ lenders, strategy }: Script): { readonly end: Application; readonly at: number } | null => {
  const names = lenders.map((_, index) => "abcd"[index] ?? "")
  let application = opened({ strategy, codes: names })
  const secondOf = (at: Timestamp | null): number =>
    at === null ? Infinity : (Date.parse(at) - Date.parse(noon)) / 1_000
  for (let now = 0;; now++) {
    const due = names.filter((_, index) => {
      const part = partsOf(latestQuote(application))[index]
      return part?.outcome === "PENDING" && secondOf(part.asked_at) + (lenders[index]?.takes ?? 0) === now
    })
    if (due.length > 1) return null
    for (const name of due) {
      application = answered(application, name, lenders[names.indexOf(name)]?.answer ?? "FAILED", now * 1_000)
    }
    application = pass(application, now * 1_000)
    if (outcomeOf(application) !== "PENDING") return { end: application, at: now }
  }
}

describe("quotes at several lenders, played second by second", () => {
  it("QUOTE-07 QUOTE-08 QUOTE-09 the end of a quote is that of an oracle", () => {
    fc.assert(
      fc.property(script, (scripted) => {
        const played = play(scripted)
        fc.pre(played !== null)
        const { at, end } = played
        const expected = oracle(scripted)
        assert.deepStrictEqual(
          { at, outcome: outcomeOf(end), code: latestQuote(end).rejection?.code ?? null },
          expected
        )
      }),
      { numRuns: 2_000 }
    )
  })
})
