import { assert, describe, it } from "@effect/vitest"
import { commissionOracle } from "@lastro/testkit/scenarios"
import { Result } from "effect"
import * as fc from "fast-check"
import { accrualsOf, type PaidContract } from "../../src/commission/accruals.ts"
import { type ChainLink, freezeChain, planInForce, shareOf } from "../../src/commission/chain.ts"
import { closingLimit, judgeClosing } from "../../src/commission/Closing.ts"
import { adjustmentOf, clawbacksOf } from "../../src/commission/entries.ts"
import { judgeStrictlyBelow, parseNewPlan } from "../../src/commission/judgePlan.ts"
import { judgePayout, netAmountOf } from "../../src/commission/Payout.ts"
import { daysOfPeriod, nextPeriod, parsePeriod, type Period, periodOfEntry } from "../../src/commission/period.ts"
import { type StoredPlan, type StoredRate } from "../../src/commission/Plan.ts"
import {
  commissionOf,
  effectivePercent,
  parseShare,
  percentOfShare,
  type Share,
  sharePercentOf
} from "../../src/commission/Share.ts"
import { effectiveRates, shownOn, showPlan } from "../../src/commission/showPlan.ts"
import { type PartnerSums, summaryOf } from "../../src/commission/summary.ts"
import { fieldProblem, problem } from "../../src/input/FieldProblem.ts"
import { type Application } from "../../src/loan/Application.ts"
import { type FrozenCommission } from "../../src/loan/ContractFacts.ts"
import { evolve } from "../../src/loan/evolve.ts"
import { commissionSteps } from "../../src/origination/recordCommissions.ts"
import { type CalendarDate } from "../../src/values/CalendarDate.ts"
import { type Centavos, centavos, maxCentavos } from "../../src/values/Centavos.ts"
import { type PartnerId, type ProposalId } from "../../src/values/ids.ts"
import { type Timestamp } from "../../src/values/Timestamp.ts"
import { applyCommands, contractingApplication, eventsOf, startSubmission, updateContract } from "../loan/examples.ts"

const id = (text: string) => text as PartnerId
const day = (text: string) => text as CalendarDate
const month = (text: string) => text as Period
const at = "2026-03-10T15:00:00.000Z" as Timestamp

const share = fc.integer({ min: 0, max: 1_000_000 }).map((units) => units as Share)
const amount = fc.integer({ min: 0, max: 99_999_999_999 }).map(centavos)
const shares = fc.array(share, { minLength: 1, maxLength: 12 })

const codesOf = (
  result: Result.Result<unknown, { readonly problems: ReadonlyArray<{ field: string; code: string }> }>
) => Result.isFailure(result) ? result.failure.problems.map(({ code, field }) => `${field} ${code}`) : []

const plan = (fields: Partial<StoredPlan> = {}): StoredPlan => ({
  plan_id: "plan" as StoredPlan["plan_id"],
  partner_id: id("child"),
  valid_from: day("2026-01-01"),
  basis: null,
  rates: [],
  created_at: at,
  created_by: "writer",
  writer_partner_id: id("root"),
  above: [id("root")],
  moves: 0,
  ...fields
})

const rate = (percent: number, lender: string | null = null, table: string | null = null): StoredRate => ({
  lender,
  table,
  share: percent * 10_000 as Share
})

const link = (
  partner_id: string,
  rates: ReadonlyArray<StoredRate> | null,
  fields: Partial<StoredPlan> = {}
): ChainLink => ({
  partner_id: id(partner_id),
  moves: 0,
  plan: rates === null ? null : plan({ partner_id: id(partner_id), rates, ...fields })
})

const frozenOf = (list: ReadonlyArray<Share>): FrozenCommission => ({
  basis: "NET",
  lender: "sandbox",
  table: "ouro",
  chain: list.map((one, index) => ({ partner_id: id(`p${index}`), share: one }))
})

const paid = (list: ReadonlyArray<Share>, basis_amount: Centavos): PaidContract => ({
  proposal_id: "proposal" as ProposalId,
  frozen: frozenOf(list),
  basis_amount,
  reference: "C-1",
  paid_amount: centavos(90_000),
  paid_at: "2026-03-05T02:00:00.000Z" as Timestamp,
  at
})

const hold = 8 * 86_400_000

describe("shares", () => {
  it("COMM-01 a share is from 0 to 100 percent with at most four decimals, and survives the conversion", () => {
    const codeOf = (percent: number) =>
      Result.match(parseShare(percent), { onSuccess: Number, onFailure: ({ code }) => code })
    assert.deepStrictEqual(
      [0, -0, 100, 12.5, 0.0001, 99.9999, 12.34567, -0.1, 100.0001, Number.NaN].map(codeOf),
      [0, 0, 1_000_000, 125_000, 1, 999_999, "INVALID_FORMAT", "OUT_OF_RANGE", "OUT_OF_RANGE", "INVALID_TYPE"]
    )
    fc.assert(fc.property(share, (one) => Result.getOrThrow(parseShare(percentOfShare(one))) === one))
  })

  it("COMM-02 COMM-12 the amounts of a chain are those of the oracle, and none is negative", () => {
    fc.assert(fc.property(shares, amount, (list, basis) => {
      const entries = accrualsOf(paid(list, basis), hold)
      const expected = commissionOracle(
        basis,
        list.map((one, index) => ({ partner: `p${index}`, percent: percentOfShare(one).toFixed(4) }))
      )
      for (const entry of entries) assert.strictEqual(entry.amount, expected.get(entry.partner_id))
      const given = new Set<string>(entries.map(({ partner_id }) => partner_id))
      for (const [partner, one] of expected) assert.isTrue(one > 0 ? given.has(partner) : one === 0)
      const [first = 0 as Share] = list
      assert.strictEqual(entries.reduce((sum, entry) => sum + entry.amount, 0), commissionOf(basis, [first]))
    }))
  })

  it("COMM-02 rounds half up once, at the end of the chain", () => {
    const half = 500_000 as Share
    assert.strictEqual(commissionOf(centavos(1), [half]), 1)
    assert.strictEqual(commissionOf(centavos(1), [half, half]), 0)
    assert.strictEqual(commissionOf(centavos(3), [half, half]), 1)
  })

  it("COMM-03 the effective percent is rounded down to four decimals", () => {
    assert.strictEqual(effectivePercent([125_000 as Share, 600_000 as Share]), 7.5)
    assert.strictEqual(effectivePercent([1 as Share, 999_999 as Share]), 0)
    fc.assert(fc.property(shares, (list) => {
      const exact = list.reduce((product, one) => product * (one / 1_000_000), 100)
      const effective = effectivePercent(list)
      assert.isTrue(effective <= exact + 1e-9 && exact - effective < 0.0001 + 1e-9)
    }))
  })

  it("COMM-04 the share of an entry is rounded half up to four decimals, and null without a basis", () => {
    assert.strictEqual(sharePercentOf(centavos(1), centavos(3)), 33.3333)
    assert.strictEqual(sharePercentOf(centavos(2), centavos(3)), 66.6667)
    assert.strictEqual(sharePercentOf(centavos(-1), centavos(8)), -12.5)
    assert.isNull(sharePercentOf(centavos(1), null))
  })
})

describe("plans", () => {
  it("COMM-05 a caller decides only for partners below it, and for its own root where that is allowed", () => {
    const judge = (partner: string, own: string, ownRoot: boolean) =>
      Result.isSuccess(judgeStrictlyBelow({ partner_id: id(own), root_id: id("root") }, id(partner), { ownRoot }))
    assert.deepStrictEqual(
      [
        judge("child", "root", true),
        judge("root", "root", true),
        judge("root", "root", false),
        judge("child", "child", true)
      ],
      [true, true, false, false]
    )
  })

  it("COMM-06 a plan of a root has a basis and percents, every other plan parts of the parent's commission", () => {
    const facts = { isRoot: true, today: day("2026-03-10") }
    const below = { ...facts, isRoot: false }
    const body = (fields: object) => ({ valid_from: "2026-03-10", rates: [], ...fields })
    assert.deepStrictEqual(codesOf(parseNewPlan(body({}), facts)), [])
    assert.deepStrictEqual(codesOf(parseNewPlan(body({ valid_from: "2026-03-09" }), facts)), [
      "valid_from OUT_OF_RANGE"
    ])
    assert.deepStrictEqual(codesOf(parseNewPlan(body({ rates: [{ percent: 1 }] }), facts)), ["basis REQUIRED"])
    assert.deepStrictEqual(codesOf(parseNewPlan(body({ basis: "NET", rates: [{ percent: 1 }] }), facts)), [])
    assert.deepStrictEqual(codesOf(parseNewPlan(body({ basis: "NET", rates: [{ of_parent: 1 }] }), facts)), [
      "rates[0].of_parent UNKNOWN_FIELD",
      "rates[0].percent REQUIRED"
    ])
    assert.deepStrictEqual(codesOf(parseNewPlan(body({ basis: "NET", rates: [{ percent: 1 }] }), below)), [
      "basis UNKNOWN_FIELD",
      "rates[0].percent UNKNOWN_FIELD",
      "rates[0].of_parent REQUIRED"
    ])
    assert.deepStrictEqual(
      codesOf(parseNewPlan(body({ rates: [{ of_parent: 1, table: "ouro" }, { of_parent: 100.1 }] }), below)),
      ["rates[0].lender REQUIRED", "rates[1].of_parent OUT_OF_RANGE"]
    )
    const wrong = { valid_from: "2026-03-09", basis: "X", rates: [{ percent: "1" }, null, { table: "" }] }
    assert.sameMembers([...codesOf(parseNewPlan(wrong, below))], [
      "valid_from OUT_OF_RANGE",
      "basis UNKNOWN_FIELD",
      "rates[0].percent UNKNOWN_FIELD",
      "rates[0].of_parent REQUIRED",
      "rates[1] NOT_NULLABLE",
      "rates[2].of_parent REQUIRED",
      "rates[2].table TOO_SHORT"
    ])
    assert.deepStrictEqual(
      codesOf(parseNewPlan(
        body({ rates: [{ of_parent: 1, table: "ouro" }, { of_parent: 1 }, { of_parent: 2, lender: null }] }),
        below
      )),
      ["rates[0].lender REQUIRED", "rates[2] DUPLICATE"]
    )
    const many = Array.from({ length: 501 }, (_, index) => ({ of_parent: 1, lender: `l${index}` }))
    assert.deepStrictEqual(codesOf(parseNewPlan(body({ rates: many }), below)), ["rates TOO_LONG"])
    assert.deepStrictEqual(
      Result.getOrThrow(parseNewPlan(body({ rates: [{ lender: "a", of_parent: 12.5 }] }), below)),
      { valid_from: day("2026-03-10"), basis: null, rates: [rate(12.5, "a")] }
    )
  })

  it("COMM-07 the most specific rate counts, and a missing one is 0", () => {
    const rates = [rate(1), rate(2, "a"), rate(3, "a", "x")]
    const percentFor = (lender: string | null, table: string | null) => shareOf({ rates }, { lender, table }) / 10_000
    assert.deepStrictEqual(
      [percentFor("a", "x"), percentFor("a", "y"), percentFor("b", "x"), percentFor(null, "x")],
      [3, 2, 1, 1]
    )
    assert.strictEqual(shareOf({ rates: [rate(2, "a")] }, { lender: "b", table: "x" }), 0)
    assert.strictEqual(shareOf(null, { lender: "b", table: "x" }), 0)
  })

  it("COMM-08 the last plan that has begun at the present place counts", () => {
    const plans = [
      plan({ plan_id: "a" as StoredPlan["plan_id"], valid_from: day("2026-02-01") }),
      plan({ plan_id: "b" as StoredPlan["plan_id"], valid_from: day("2026-03-01") }),
      plan({ plan_id: "c" as StoredPlan["plan_id"], valid_from: day("2026-02-01") }),
      plan({ plan_id: "d" as StoredPlan["plan_id"], valid_from: day("2026-02-02"), above: [id("other")] }),
      plan({ plan_id: "e" as StoredPlan["plan_id"], valid_from: day("2026-02-02"), moves: 1 })
    ]
    const inForce = (on: string, parent: string, moves = 0) =>
      planInForce(plans, { parent_id: id(parent), moves }, day(on))?.plan_id ?? null
    assert.deepStrictEqual(
      [
        inForce("2026-01-31", "root"),
        inForce("2026-02-10", "root"),
        inForce("2026-03-01", "root"),
        inForce("2026-03-01", "other"),
        inForce("2026-03-01", "root", 1),
        inForce("2026-03-01", "root", 2)
      ],
      [null, "c", "b", "d", "e", null]
    )
  })

  it("COMM-09 accepting freezes the shares for the lender and the table, and nothing if the root earns nothing", () => {
    const of = { lender: "a", table: "x" }
    const links = [
      link("root", [rate(12.5)], { basis: "GROSS" }),
      link("child", [rate(60), rate(40, "a")]),
      link("seller", null)
    ]
    assert.deepStrictEqual(freezeChain(links, of), {
      basis: "GROSS",
      ...of,
      chain: [
        { partner_id: id("root"), share: 125_000 },
        { partner_id: id("child"), share: 400_000 },
        { partner_id: id("seller"), share: 0 }
      ]
    })
    assert.isNull(freezeChain([link("root", null), link("child", [rate(60)])], of))
    assert.isNull(freezeChain([link("root", [rate(0)], { basis: "NET" }), link("child", [rate(60)])], of))
  })
})

describe("entries", () => {
  it("COMM-10 a period is a month of the calendar", () => {
    assert.deepStrictEqual(
      ["2026-01", " 2026-12 ", "2026-13", "2026-00", "2026-1", "1899-12", "2200-01"].map((text) =>
        Result.isSuccess(parsePeriod(text))
      ),
      [true, true, false, false, false, false, false]
    )
    assert.deepStrictEqual(
      ["1900-02", "2028-02", "2026-04", "2199-12"].map((period) => Object.values(daysOfPeriod(month(period)))),
      [
        ["1900-02-01", "1900-02-28"],
        ["2028-02-01", "2028-02-29"],
        ["2026-04-01", "2026-04-30"],
        ["2199-12-01", "2199-12-31"]
      ]
    )
  })

  it("COMM-11 an entry counts in its São Paulo month, or in the next one that is not closed", () => {
    const first = "2026-04-01T02:59:59.999Z" as Timestamp
    assert.strictEqual(periodOfEntry(first, new Set()), "2026-03")
    assert.strictEqual(periodOfEntry("2026-04-01T03:00:00.000Z" as Timestamp, new Set()), "2026-04")
    assert.strictEqual(periodOfEntry(first, new Set([month("2026-03"), month("2026-04")])), "2026-05")
    assert.strictEqual(nextPeriod(month("2026-12")), "2027-01")
  })

  it("COMM-12 an accrual is payable after the hold, and seen by its partner and those above it in the chain", () => {
    const [ofRoot, ofSeller] = accrualsOf(paid([100_000 as Share, 250_000 as Share], centavos(100_000)), hold)
    assert.deepStrictEqual(
      [ofRoot?.amount, ofRoot?.viewers, ofSeller?.amount, ofSeller?.viewers],
      [7_500, ["p0"], 2_500, ["p1", "p0"]]
    )
    // 5 March, 02:00 UTC, is 4 March in São Paulo.
    assert.deepStrictEqual([ofRoot?.payable_on, ofRoot?.happened_on], ["2026-03-12", "2026-03-04"])
    assert.deepStrictEqual([ofRoot?.seller_partner_id, ofRoot?.status, ofRoot?.occurred_at], ["p1", "OPEN", at])
  })

  it("COMM-13 clawbacks negate the accruals, and are payable neither before their day nor before the accrual", () => {
    fc.assert(fc.property(shares, amount, (list, basis) => {
      const accruals = accrualsOf(paid(list, basis), hold)
      const clawbacks = clawbacksOf(accruals.map((one) => ({ ...one, status: "PAID" })), at)
      assert.deepStrictEqual(clawbacks.map((one) => -one.amount), accruals.map((one) => one.amount))
      for (const one of clawbacks) {
        assert.deepStrictEqual([one.kind, one.status, one.payable_on, one.happened_on], [
          "CLAWBACK",
          "OPEN",
          "2026-03-12",
          "2026-03-10"
        ])
      }
    }))
    const [late] = clawbacksOf(
      accrualsOf(paid([500_000 as Share], centavos(100)), hold),
      "2026-05-01T12:00:00.000Z" as Timestamp
    )
    assert.strictEqual(late?.payable_on, "2026-05-01")
  })

  it("COMM-14 an adjustment is payable on its day, and seen by the partners above it now", () => {
    const path = [id("child"), id("root")]
    const entry = adjustmentOf({ amount: centavos(-5), note: "Fix", proposal_id: null }, path, id("child"), at)
    assert.deepStrictEqual([entry.kind, entry.amount, entry.viewers, entry.payable_on, entry.basis_amount], [
      "ADJUSTMENT",
      centavos(-5),
      path,
      day("2026-03-10"),
      null
    ])
  })
})

describe("what a reader sees", () => {
  const links = [
    link("root", [rate(10, "a"), rate(8)], { basis: "NET", above: [] }),
    link("parent", [rate(50)]),
    link("child", [rate(50, "a", "x"), rate(40)], { above: [id("parent"), id("root")] })
  ]
  const own = links[2]?.plan ?? plan()
  const show = (reader: string, shown = own) =>
    showPlan(shown, { partner_id: id(reader), seesWriter: reader === "root" }, links)

  it("COMM-15 the keys are those of every plan of the chain, and the rest", () => {
    assert.deepStrictEqual(
      effectiveRates(links).map(({ effective_percent, lender, table }) => [lender, table, effective_percent]),
      [["a", "x", 2.5], ["a", null, 2], [null, null, 1.6]]
    )
  })

  it("COMM-16 a plan is shown for today, or for its first day if that is later", () => {
    assert.strictEqual(shownOn({ valid_from: day("2026-01-01") }, day("2026-02-01")), "2026-02-01")
    assert.strictEqual(shownOn({ valid_from: day("2026-03-01") }, day("2026-02-01")), "2026-03-01")
  })

  it("COMM-17 only partners above see the part of the parent, and the partner itself effective percents", () => {
    assert.deepStrictEqual(show("parent").rates.map(({ of_parent }) => of_parent), [50, 40])
    assert.deepStrictEqual(show("root").created_by, "writer")
    assert.isNull(show("parent").created_by)
    assert.deepStrictEqual(
      show("newcomer").rates.map(({ effective_percent, of_parent }) => [of_parent, effective_percent]),
      [
        [null, null],
        [null, null]
      ]
    )
    const seen = show("child")
    assert.deepStrictEqual(seen.rates, effectiveRates(links))
    assert.strictEqual(seen.basis, "NET")
    const stale = show("child", { ...own, moves: 3 })
    assert.deepStrictEqual(stale.rates.map((one) => [one.of_parent, one.percent, one.effective_percent]), [
      [null, null, null],
      [null, null, null]
    ])
  })

  it("COMM-17 a root sees the percents of its own plan", () => {
    const [first] = links
    const shown = showPlan(first?.plan ?? plan(), { partner_id: id("root"), seesWriter: true }, links.slice(0, 1))
    assert.deepStrictEqual(shown.rates.map(({ effective_percent, percent }) => [percent, effective_percent]), [
      [10, 10],
      [8, 8]
    ])
  })
})

describe("settlement", () => {
  const sums = fc.record({
    partner_id: fc.constant(id("child")),
    accrued: amount,
    clawed_back: amount.map((one) => centavos(-one)),
    adjusted: fc.integer({ min: -10_000, max: 10_000 }).map(centavos),
    paid: fc.integer({ min: -10_000, max: 1_000_000 }).map(centavos),
    contracts: fc.integer({ min: -10, max: 10 }),
    earlier: fc.integer({ min: -1_000_000, max: 1_000_000 }).map(centavos)
  })

  it("COMM-19 only a debt is carried over, and nothing below 0 is payable", () => {
    fc.assert(fc.property(sums, (one: PartnerSums) => {
      const { balance, carried, payable } = summaryOf(one)
      assert.strictEqual(balance, one.accrued + one.clawed_back + one.adjusted)
      assert.strictEqual(carried, one.earlier < 0 ? one.earlier : 0)
      assert.strictEqual(payable, Math.max(0, balance + carried - one.paid))
    }))
  })

  it("COMM-19 a sum can exceed the bounds of one amount", () => {
    const most = centavos(maxCentavos)
    const none = centavos(0)
    const one = { partner_id: id("child"), accrued: most, clawed_back: none, adjusted: most, paid: none, contracts: 1 }
    assert.strictEqual(summaryOf({ ...one, earlier: none }).payable, 2 * maxCentavos)
  })

  it("COMM-20 the withheld taxes are at most the amount", () => {
    const withheld = [{ kind: "ISS" as const, amount: centavos(5) }, { kind: "IRRF" as const, amount: centavos(15) }]
    assert.deepStrictEqual(netAmountOf({ amount: centavos(20), withheld }), Result.succeed(centavos(0)))
    assert.deepStrictEqual(netAmountOf({ amount: centavos(20) }), Result.succeed(centavos(20)))
    const refused = Result.fail(fieldProblem("withheld", problem("OUT_OF_RANGE", { max: 0.19 })))
    assert.deepStrictEqual(netAmountOf({ amount: centavos(19), withheld }), refused)
    const huge = { kind: "OTHER" as const, amount: centavos(maxCentavos) }
    assert.deepStrictEqual(netAmountOf({ amount: centavos(19), withheld: [huge, huge] }), refused)
  })

  it("COMM-21 a payout pays exactly what is closed, and nothing if that is not more than 0", () => {
    const tagOf = (paidOut: number, closed: number) =>
      Result.match(judgePayout(centavos(paidOut), centavos(closed)), {
        onSuccess: () => "paid",
        onFailure: (error) => error._tag
      })
    assert.deepStrictEqual(
      [tagOf(10, 10), tagOf(10, 0), tagOf(10, -5), tagOf(10, 11), tagOf(12, 11)],
      ["paid", "NothingToPay", "NothingToPay", "ValidationFailed", "ValidationFailed"]
    )
  })

  it("COMM-27 no entries are closed while 50 000 of a partner can be paid, except those of a root", () => {
    const limit = (entries: number, amount: number) => closingLimit({ entries, amount: centavos(amount) })
    assert.deepStrictEqual([limit(0, 0), limit(49_999, 1), limit(50_000, 1), limit(60_000, 1)], [5_000, 5_000, 0, 0])
    assert.deepStrictEqual([limit(50_000, 0), limit(50_000, -1), closingLimit(null)], [5_000, 5_000, 5_000])
  })

  it("COMM-22 a period is closed after its month", () => {
    assert.isTrue(Result.isSuccess(judgeClosing(month("2026-02"), month("2026-03"))))
    for (const [present, last] of [["2026-03", "2026-02"], ["2026-01", "2025-12"]] as const) {
      const refused = fieldProblem("period", problem("OUT_OF_RANGE", { max: last }))
      assert.deepStrictEqual(judgeClosing(month(present), month(present)), Result.fail(refused))
    }
  })

  it("COMM-18 a contract accrues at its first payment and is clawed back at its end, only if a chain was frozen", () => {
    const accepted = applyCommands(contractingApplication(), startSubmission())
    const commission: FrozenCommission = { basis: "NET", lender: null, table: "ouro", chain: [] }
    const earning = { ...accepted, proposal: accepted.proposal && { ...accepted.proposal, commission } }
    const kindsOf = (application: Application, ...statuses: ReadonlyArray<"PAID" | "REFUND_PENDING" | "REFUNDED">) =>
      statuses.reduce<{ readonly now: Application; readonly kinds: ReadonlyArray<string> }>(
        ({ kinds, now }, status) => {
          const events = eventsOf(now, updateContract(status))
          const steps = commissionSteps(now, events).map(({ kind }) => kind)
          return { now: events.reduce(evolve, now), kinds: [...kinds, ...steps] }
        },
        { now: application, kinds: [] }
      ).kinds
    assert.deepStrictEqual(kindsOf(accepted, "PAID", "REFUNDED"), [])
    assert.deepStrictEqual(kindsOf(earning, "PAID", "REFUND_PENDING", "PAID", "REFUNDED"), ["PAID", "REVERSED"])
  })
})
