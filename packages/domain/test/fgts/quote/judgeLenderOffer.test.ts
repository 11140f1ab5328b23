import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { fgtsPolicies, policyOn } from "../../../src/fgts/policy/Policy.ts"
import { type PricedOffer } from "../../../src/fgts/pricing/PricedOffer.ts"
import { judgeLenderOffer } from "../../../src/fgts/quote/judgeLenderOffer.ts"
import { type Centavos, centavos, maxCentavos } from "../../../src/money/Centavos.ts"
import { calendarDate } from "../../../src/time/CalendarDate.ts"
import { lenderOffer, noWish } from "../examples.ts"

const currentPolicy = policyOn(calendarDate("2026-01-31"))
const validOffer = lenderOffer("standard", { fee: 10_00 }).terms

/** `accepted`, or the code of the refusal. */
const verdict = (terms: PricedOffer, max_installments: number | null = null, policy = currentPolicy): string =>
  Result.match(judgeLenderOffer(policy, { ...noWish, max_installments }, terms), {
    onSuccess: () => "accepted",
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

/** The terms with withAmounts amounts, of the total and of the first instalment. */
const withAmounts = (
  whole: Partial<Record<typeof amounts[number], number>>,
  part: Partial<Record<typeof parts[number], number>> = {}
): PricedOffer => ({
  ...validOffer,
  ...Object.fromEntries(amounts.map((name) => [name, plus(validOffer[name], whole[name] ?? 0)])),
  installments: validOffer.installments.map((installment, index) =>
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
        assert.strictEqual(verdict(terms, null, policy), "accepted")
        assert.strictEqual(verdict(terms, kept, policy), "accepted")
        if (kept > 1) assert.strictEqual(verdict(terms, kept - 1, policy), "LENDER_POLICY")
      }),
      { numRuns: 300 }
    )
  })

  it("FGTS-16 T49 rejects any amount that is off by one centavo", () => {
    assert.strictEqual(verdict(validOffer), "accepted")
    for (const by of [-1, 1, -10_000, 10_000, 0.5]) {
      for (const name of amounts) assert.strictEqual(verdict(withAmounts({ [name]: by })), "LENDER_POLICY", name)
      for (const name of parts) assert.strictEqual(verdict(withAmounts({}, { [name]: by })), "LENDER_POLICY", name)
    }
  })

  it("FGTS-16 T49 rejects consistent amounts with a negative part, or with more principal than repayment", () => {
    const { fee_amount, iof_additional_amount, iof_daily_amount } = validOffer
    const fee = fee_amount + 1
    const additional = iof_additional_amount + 1
    const daily = iof_daily_amount + 1
    const interest = validOffer.gross_amount - validOffer.principal_amount + 1
    const more = { net_amount: interest, principal_amount: interest }
    for (
      const terms of [
        withAmounts({ fee_amount: -fee, net_amount: fee }),
        withAmounts({ iof_additional_amount: -additional, iof_daily_amount: additional }),
        withAmounts({ iof_additional_amount: daily, iof_daily_amount: -daily }),
        withAmounts(more, { principal_amount: interest, interest_amount: -interest })
      ]
    ) assert.strictEqual(verdict(terms), "LENDER_POLICY")
    const [first, second, ...rest] = validOffer.installments
    const shifted = [
      { ...first!, principal_amount: centavos(-1), interest_amount: plus(first!.amount, 1) },
      {
        ...second!,
        principal_amount: plus(second!.principal_amount, first!.principal_amount + 1),
        interest_amount: plus(second!.interest_amount, -first!.principal_amount - 1)
      },
      ...rest
    ]
    assert.strictEqual(verdict({ ...validOffer, installments: shifted }), "LENDER_POLICY")
    const all = validOffer.gross_amount - validOffer.principal_amount
    const free = withAmounts(
      { net_amount: all, principal_amount: all },
      { principal_amount: all, interest_amount: -all }
    )
    assert.strictEqual(verdict(free), "accepted")
  })

  it("FGTS-16 rejects an offer whose costs consume the principal", () => {
    assert.strictEqual(
      verdict(withAmounts({ fee_amount: validOffer.net_amount, net_amount: -validOffer.net_amount })),
      "FEES_EXCEED_PRINCIPAL"
    )
    assert.strictEqual(verdict(withAmounts({ net_amount: -2 * validOffer.net_amount })), "FEES_EXCEED_PRINCIPAL")
  })

  it("FGTS-16 T50 rejects instalments out of the policy's bounds, too many or none", () => {
    const of = (...given: ReadonlyArray<number>) => lenderOffer("a", { amounts: given }).terms
    assert.strictEqual(verdict(of(500_00, 100_00)), "accepted")
    assert.strictEqual(verdict(of(500_01, 100_00)), "LENDER_POLICY")
    assert.strictEqual(verdict(of(500_00, 99_99)), "LENDER_POLICY")
    assert.strictEqual(verdict(of(100_00, 100_00, 100_00, 100_00, 100_00)), "accepted")
    assert.strictEqual(verdict(of(100_00, 100_00, 100_00, 100_00, 100_00, 100_00)), "LENDER_POLICY")
    assert.strictEqual(verdict({ ...validOffer, installments: [] }), "LENDER_POLICY")
    assert.strictEqual(verdict(of(300_00, 200_00), 10), "accepted")
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
            ...validOffer,
            ...given,
            installments: installments.map((amount, index) => ({ ...validOffer.installments[index % 3], ...amount }))
          } as PricedOffer
          assert.include(["accepted", "LENDER_POLICY", "FEES_EXCEED_PRINCIPAL"], verdict(terms, null, policy))
        }),
        { numRuns: 300 }
      )
    }
  })
})
