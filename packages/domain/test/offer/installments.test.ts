import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { annualWithdrawals } from "../../src/offer/annualWithdrawals.ts"
import { checkPolicy, fgtsPolicies, policyOn } from "../../src/offer/FgtsPolicy.ts"
import { availableInstallments, dueDates, installmentAmounts } from "../../src/offer/installments.ts"
import { addDays, calendarDate } from "../../src/values/CalendarDate.ts"
import { type Centavos, centavos } from "../../src/values/Centavos.ts"

const [free, five, three] = [
  policyOn(calendarDate("2025-10-31")),
  policyOn(calendarDate("2025-11-01")),
  policyOn(calendarDate("2026-11-01"))
]
const amountsOf = (...reais: ReadonlyArray<number>): ReadonlyArray<Centavos> =>
  reais.map((one) => centavos(Math.round(one * 100)))
const ten = Array.from({ length: 10 }, () => centavos(200_00))

const policies = fc.constantFrom(...fgtsPolicies)
const dates = fc.nat({ max: 5_000 }).map((day) => addDays(calendarDate("2020-01-01"), day))

const violationOf = (policy: typeof free, amounts: ReadonlyArray<Centavos>) =>
  Result.match(checkPolicy(policy, amounts), {
    onSuccess: () => "none",
    onFailure: ({ installment, reason }) => `${reason} ${installment}`
  })

describe("instalments", () => {
  it("POLICY-05 the first is due on day 1 of the birth month after the release, the others yearly", () => {
    const due = (released: string, born: string) => dueDates(calendarDate(released), calendarDate(born), 3)
    assert.deepStrictEqual<ReadonlyArray<string>>(due("2026-03-15", "1990-08-20"), [
      "2026-08-01",
      "2027-08-01",
      "2028-08-01"
    ])
    assert.strictEqual(due("2026-07-31", "1990-08-20")[0], "2026-08-01")
    assert.strictEqual(due("2026-08-01", "1990-08-20")[0], "2027-08-01")
    assert.strictEqual(due("2026-08-20", "1990-08-20")[0], "2027-08-01")
    assert.strictEqual(due("2026-12-31", "1990-01-31")[0], "2027-01-01")
    assert.strictEqual(due("2026-01-01", "1990-01-01")[0], "2027-01-01")
    assert.strictEqual(due("2027-02-28", "1992-02-29")[1], "2029-02-01")
    assert.deepStrictEqual(dueDates(calendarDate("2026-01-01"), calendarDate("1990-01-01"), 0), [])
  })

  it("POLICY-05 the first due date is the earliest day 1 of the birth month after the release", () => {
    fc.assert(
      fc.property(dates, dates, fc.integer({ min: 1, max: 10 }), (released, born, count) => {
        const due = dueDates(released, born, count)
        assert.strictEqual(due.length, count)
        for (const date of due) assert.strictEqual(date.slice(4), `${born.slice(4, 7)}-01`)
        assert.isTrue(released < due[0]!)
        assert.isTrue(addDays(released, 366) >= due[0]!)
        for (let index = 1; index < count; index++) {
          assert.strictEqual(Number(due[index]!.slice(0, 4)), Number(due[index - 1]!.slice(0, 4)) + 1)
        }
      }),
      { numRuns: 1_000 }
    )
  })

  it("T50 POLICY-06 the count is limited by the policy and by the request", () => {
    assert.strictEqual(installmentAmounts(ten, free).length, 10)
    assert.strictEqual(installmentAmounts(ten, five).length, 5)
    assert.strictEqual(installmentAmounts(ten, three).length, 3)
    assert.strictEqual(installmentAmounts(ten, free, 7).length, 7)
    assert.strictEqual(installmentAmounts(ten, five, 7).length, 5)
    assert.strictEqual(installmentAmounts(ten, three, 1).length, 1)
    assert.strictEqual(installmentAmounts(ten, three, null).length, 3)
  })

  it("T50 POLICY-06 an amount above the maximum is capped, one below the minimum ends the list, and nothing is rounded up", () => {
    const withdrawals = amountsOf(500.01, 500, 100, 99.99)
    assert.deepStrictEqual(installmentAmounts(withdrawals, five), amountsOf(500, 500, 100))
    assert.deepStrictEqual(installmentAmounts(withdrawals, free), withdrawals)
    assert.deepStrictEqual(installmentAmounts(amountsOf(99.99), three), [])
    assert.deepStrictEqual(installmentAmounts(amountsOf(2, 1, 0), free), amountsOf(2, 1))
    assert.deepStrictEqual(installmentAmounts([], free), [])
  })

  it("POLICY-06 POLICY-07 instalments obey the policy and never exceed the withdrawals", () => {
    fc.assert(
      fc.property(
        policies,
        fc.integer({ min: 1, max: 30_000_00 }),
        fc.option(fc.integer({ min: 1, max: 10 })),
        (policy, balance, most) => {
          const withdrawals = annualWithdrawals(centavos(balance), 10)
          const amounts = installmentAmounts(withdrawals, policy, most)
          if (amounts.length > 0) assert.isTrue(Result.isSuccess(checkPolicy(policy, amounts)))
          assert.isAtMost(amounts.length, most ?? policy.max_installments)
          assert.isTrue(amounts.every((amount, index) => amount <= withdrawals[index]!))
        }
      ),
      { numRuns: 1_000 }
    )
  })

  it("T50 POLICY-07 count and amount bounds are inclusive", () => {
    assert.strictEqual(violationOf(three, amountsOf(100, 500, 300)), "none")
    assert.strictEqual(violationOf(free, ten), "none")
    assert.strictEqual(violationOf(free, amountsOf(0.01, 90_000)), "none")
    assert.strictEqual(violationOf(three, []), "NO_INSTALLMENTS null")
    assert.strictEqual(violationOf(three, ten.slice(0, 4)), "TOO_MANY_INSTALLMENTS null")
    assert.strictEqual(violationOf(five, ten.slice(0, 4)), "none")
    assert.strictEqual(violationOf(five, ten.slice(0, 6)), "TOO_MANY_INSTALLMENTS null")
    assert.strictEqual(violationOf(three, amountsOf(100, 99.99, 500)), "BELOW_MINIMUM 2")
    assert.strictEqual(violationOf(three, amountsOf(100, 100, 500.01)), "ABOVE_MAXIMUM 3")
    assert.strictEqual(violationOf(free, amountsOf(5, 0)), "BELOW_MINIMUM 2")
    assert.strictEqual(violationOf(free, amountsOf(-5)), "BELOW_MINIMUM 1")
  })

  it("every instalment of the maximum has a due date", () => {
    const most = (balance: number, max_installments: number | null = null) =>
      availableInstallments({
        balance: centavos(balance),
        birth_date: calendarDate("1990-08-20"),
        released_on: calendarDate("2026-12-01"),
        policy: three,
        max_installments
      }).map(({ amount, due_date }) => [due_date, amount])
    assert.deepStrictEqual<unknown>(most(3_000_00), [
      ["2027-08-01", 500_00],
      ["2028-08-01", 500_00],
      ["2029-08-01", 500_00]
    ])
    assert.deepStrictEqual<unknown>(most(1_000_00), [
      ["2027-08-01", 450_00],
      ["2028-08-01", 270_00],
      ["2029-08-01", 140_00]
    ])
    assert.deepStrictEqual<unknown>(most(600_00), [["2027-08-01", 290_00], ["2028-08-01", 155_00]])
    assert.deepStrictEqual<unknown>(most(3_000_00, 1), [["2027-08-01", 500_00]])
    assert.deepStrictEqual<unknown>(most(150_00), [])
  })
})
