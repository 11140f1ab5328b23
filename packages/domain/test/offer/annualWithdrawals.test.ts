import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { annualWithdrawal, annualWithdrawals } from "../../src/offer/annualWithdrawals.ts"
import { centavos, maxCentavos, sumCentavos } from "../../src/values/Centavos.ts"

const balances = fc.oneof(
  fc.integer({ min: 0, max: 30_000_00 }),
  fc.integer({ min: 0, max: maxCentavos })
).map(centavos)

describe("annual withdrawals", () => {
  it("POLICY-03 matches the examples of each band and both sides of every bound", () => {
    for (
      const [balance, withdrawal] of [
        [0, 0],
        [-1, 0],
        [1, 1],
        [150_00, 75_00],
        [500_00, 250_00],
        [500_01, 250_00],
        [600_00, 290_00],
        [1_000_00, 450_00],
        [1_000_01, 450_00],
        [5_000_00, 1_650_00],
        [5_000_01, 1_650_00],
        [10_000_00, 2_650_00],
        [10_000_01, 2_650_00],
        [15_000_00, 3_400_00],
        [15_000_01, 3_400_00],
        [20_000_00, 3_900_00],
        [20_000_01, 3_900_00],
        [100_000_00, 7_900_00]
      ] as const
    ) assert.strictEqual<number>(annualWithdrawal(centavos(balance)), withdrawal, String(balance))
  })

  it("POLICY-03 a withdrawal never exceeds the balance and never falls as the balance rises", () => {
    fc.assert(
      fc.property(balances, fc.nat({ max: 1_000_00 }), (balance, more) => {
        const withdrawal = annualWithdrawal(balance)
        assert.isAtMost(withdrawal, balance)
        assert.isAtLeast(withdrawal, 0)
        assert.isAtLeast(annualWithdrawal(centavos(Math.min(maxCentavos, balance + more))), withdrawal)
      }),
      { numRuns: 2_000 }
    )
  })

  it("POLICY-04 each withdrawal is taken from the remainder of the previous one", () => {
    assert.deepStrictEqual<ReadonlyArray<number>>(annualWithdrawals(centavos(10_000_00), 3), [
      2_650_00,
      2_120_00,
      1_696_00
    ])
    assert.deepStrictEqual<ReadonlyArray<number>>(annualWithdrawals(centavos(600_00), 3), [290_00, 155_00, 77_50])
    assert.deepStrictEqual(annualWithdrawals(centavos(10_000_00), 0), [])
    assert.deepStrictEqual(annualWithdrawals(centavos(0), 3), [])
    assert.deepStrictEqual(annualWithdrawals(centavos(-5), 3), [])
    assert.deepStrictEqual<ReadonlyArray<number>>(annualWithdrawals(centavos(3), 10), [2, 1])
  })

  it("POLICY-04 withdrawals never grow, are positive and together never exceed the balance", () => {
    fc.assert(
      fc.property(balances, fc.nat({ max: 10 }), (balance, years) => {
        const withdrawals = annualWithdrawals(balance, years)
        assert.isAtMost(withdrawals.length, years)
        assert.isTrue(
          withdrawals.every((amount, index) => amount > 0 && amount <= (withdrawals[index - 1] ?? maxCentavos))
        )
        assert.isAtMost(sumCentavos(withdrawals), balance)
        if (withdrawals.length < years) assert.strictEqual(sumCentavos(withdrawals), balance)
      }),
      { numRuns: 2_000 }
    )
  })
})
