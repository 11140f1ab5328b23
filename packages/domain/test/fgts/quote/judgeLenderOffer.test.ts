import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { fgtsPolicies, policyOn } from "../../../src/fgts/policy/Policy.ts"
import { type PricedOffer } from "../../../src/fgts/pricing/PricedOffer.ts"
import { judgeLenderOffer } from "../../../src/fgts/quote/judgeLenderOffer.ts"
import { type Centavos, centavos, maxCentavos } from "../../../src/money/Centavos.ts"
import { calendarDate } from "../../../src/time/CalendarDate.ts"
import { lenderOffer, noWish } from "../examples.ts"

const present = policyOn(calendarDate("2026-01-31"))
const sound = lenderOffer("standard", { fee: 10_00 }).terms

/** `accepted`, or the code of the refusal. */
const judged = (terms: PricedOffer, max_installments: number | null = null, policy = present): string =>
  Result.match(judgeLenderOffer(policy, { ...noWish, max_installments }, terms), {
    onSuccess: () => "passed on",
    onFailure: ({ code }) => code
  })

const amounts = [
  "gross_amount",
  "principal_amount",
  "iof_daily_amount",
  "iof_additional_amount",
  "iof_amount",
  "fee_amount",
  "net_amount"
] as const
const parts = ["amount", "principal_amount", "interest_amount"] as const

const plus = (amount: Centavos, more: number): Centavos => (amount + more) as Centavos

/** The terms with changed amounts, of the total and of the first instalment. */
const changed = (
  whole: Partial<Record<typeof amounts[number], number>>,
  part: Partial<Record<typeof parts[number], number>> = {}
): PricedOffer => ({
  ...sound,
  ...Object.fromEntries(amounts.map((name) => [name, plus(sound[name], whole[name] ?? 0)])),
  installments: sound.installments.map((installment, index) =>
    index > 0 ? installment : {
      ...installment,
      ...Object.fromEntries(parts.map((name) => [name, plus(installment[name], part[name] ?? 0)]))
    }
  )
})

describe("judgeLenderOffer", () => {
  it("FGTS-16 passes offers priced by our own rules, whatever the policy, instalments and fee", () => {
    const offers = fc.record({
      policy: fc.constantFrom(...fgtsPolicies),
      fee: fc.integer({ min: 0, max: 50_00 }),
      count: fc.integer({ min: 1, max: 10 }),
      amount: fc.integer({ min: 100_00, max: 500_00 })
    })
    fc.assert(
      fc.property(offers, ({ amount, count, fee, policy }) => {
        const kept = Math.min(count, policy.max_installments)
        const { terms } = lenderOffer("a", { fee, amounts: Array.from({ length: kept }, () => amount) })
        assert.strictEqual(judged(terms, null, policy), "passed on")
        assert.strictEqual(judged(terms, kept, policy), "passed on")
        if (kept > 1) assert.strictEqual(judged(terms, kept - 1, policy), "LENDER_POLICY")
      }),
      { numRuns: 300 }
    )
  })

  it("FGTS-16 T49 rejects any amount that is off by one centavo", () => {
    assert.strictEqual(judged(sound), "passed on")
    for (const by of [-1, 1, -10_000, 10_000, 0.5]) {
      for (const name of amounts) assert.strictEqual(judged(changed({ [name]: by })), "LENDER_POLICY", name)
      for (const name of parts) assert.strictEqual(judged(changed({}, { [name]: by })), "LENDER_POLICY", name)
    }
  })

  it("FGTS-16 T49 rejects consistent amounts with a negative part, or with more principal than repayment", () => {
    const { fee_amount, iof_additional_amount, iof_daily_amount } = sound
    const fee = fee_amount + 1
    const additional = iof_additional_amount + 1
    const daily = iof_daily_amount + 1
    const interest = sound.gross_amount - sound.principal_amount + 1
    const more = { net_amount: interest, principal_amount: interest }
    for (
      const terms of [
        changed({ fee_amount: -fee, net_amount: fee }),
        changed({ iof_additional_amount: -additional, iof_daily_amount: additional }),
        changed({ iof_additional_amount: daily, iof_daily_amount: -daily }),
        changed(more, { principal_amount: interest, interest_amount: -interest })
      ]
    ) assert.strictEqual(judged(terms), "LENDER_POLICY")
    const [first, second, ...rest] = sound.installments
    const shifted = [
      { ...first!, principal_amount: centavos(-1), interest_amount: plus(first!.amount, 1) },
      {
        ...second!,
        principal_amount: plus(second!.principal_amount, first!.principal_amount + 1),
        interest_amount: plus(second!.interest_amount, -first!.principal_amount - 1)
      },
      ...rest
    ]
    assert.strictEqual(judged({ ...sound, installments: shifted }), "LENDER_POLICY")
    const all = sound.gross_amount - sound.principal_amount
    const free = changed(
      { net_amount: all, principal_amount: all },
      { principal_amount: all, interest_amount: -all }
    )
    assert.strictEqual(judged(free), "passed on")
  })

  it("FGTS-16 rejects an offer whose costs consume the principal", () => {
    assert.strictEqual(
      judged(changed({ fee_amount: sound.net_amount, net_amount: -sound.net_amount })),
      "FEES_EXCEED_PRINCIPAL"
    )
    assert.strictEqual(judged(changed({ net_amount: -2 * sound.net_amount })), "FEES_EXCEED_PRINCIPAL")
  })

  it("FGTS-16 T50 rejects instalments out of the policy's bounds, too many or none", () => {
    const of = (...given: ReadonlyArray<number>) => lenderOffer("a", { amounts: given }).terms
    assert.strictEqual(judged(of(500_00, 100_00)), "passed on")
    assert.strictEqual(judged(of(500_01, 100_00)), "LENDER_POLICY")
    assert.strictEqual(judged(of(500_00, 99_99)), "LENDER_POLICY")
    assert.strictEqual(judged(of(100_00, 100_00, 100_00, 100_00, 100_00)), "passed on")
    assert.strictEqual(judged(of(100_00, 100_00, 100_00, 100_00, 100_00, 100_00)), "LENDER_POLICY")
    assert.strictEqual(judged({ ...sound, installments: [] }), "LENDER_POLICY")
    assert.strictEqual(judged(of(300_00, 200_00), 10), "passed on")
  })

  it("FGTS-16 T49 judges amounts of any size without throwing", () => {
    const any = fc.oneof(
      fc.constantFrom(0, 1, -1, 0.5, maxCentavos, -maxCentavos, Number.MAX_VALUE, -Number.MAX_VALUE, 500_00),
      fc.integer({ min: -maxCentavos, max: maxCentavos })
    )
    const whole = fc.record(Object.fromEntries(amounts.map((name) => [name, any])), { requiredKeys: [] })
    const part = fc.record(Object.fromEntries(parts.map((name) => [name, any])), { requiredKeys: [] })
    for (const policy of fgtsPolicies) {
      fc.assert(
        fc.property(whole, fc.array(part, { maxLength: 12 }), (given, installments) => {
          const terms = {
            ...sound,
            ...given,
            installments: installments.map((amount, index) => ({ ...sound.installments[index % 3], ...amount }))
          } as PricedOffer
          assert.include(["passed on", "LENDER_POLICY", "FEES_EXCEED_PRINCIPAL"], judged(terms, null, policy))
        }),
        { numRuns: 300 }
      )
    }
  })
})
