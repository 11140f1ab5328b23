import { assert, describe, it } from "@effect/vitest"
import { cpf as cpfs } from "@lastro/testkit/arbitraries"
import * as fc from "fast-check"
import {
  priceTables,
  sandboxBalance,
  type SandboxQuoteRequest,
  sandboxTables
} from "../../../src/adapters/sandbox/sandboxAnswer.ts"
import { sandboxCpf } from "../../../src/adapters/sandbox/sandboxCpf.ts"
import { defaultScenario, sandboxScenarios } from "../../../src/adapters/sandbox/sandboxScenarios.ts"
import { annualWithdrawals } from "../../../src/offer/annualWithdrawals.ts"
import { fgtsPolicies, policyOn } from "../../../src/offer/FgtsPolicy.ts"
import { installmentAmounts } from "../../../src/offer/installments.ts"
import { type QuoteWish } from "../../../src/offer/Quote.ts"
import { calendarDate } from "../../../src/values/CalendarDate.ts"
import { type Centavos, centavos } from "../../../src/values/Centavos.ts"
import { type Cpf } from "../../../src/values/Cpf.ts"
import { type Timestamp } from "../../../src/values/Timestamp.ts"

const released_on = calendarDate("2026-12-01")
const policy = policyOn(released_on)

const requestFor = (cpf: Cpf, wish: Partial<QuoteWish> = {}): SandboxQuoteRequest => ({
  number: 1,
  attempt: 1,
  requested_at: "2026-12-01T15:00:00.000Z" as Timestamp,
  customer: { cpf, birth_date: calendarDate("1990-08-20") },
  released_on,
  policy,
  wish: { max_installments: null, desired_amount: null, ...wish }
})

const offersFor = (cpf: Cpf, wish: Partial<QuoteWish> = {}) => {
  const quotation = priceTables(requestFor(cpf, wish), defaultScenario)
  return quotation.kind === "PRICED" ? quotation.offers : []
}

describe("sandbox pricing", () => {
  it("SANDBOX-02 the balance is derived from the CPF and lies between R$ 1,000 and R$ 6,000", () => {
    fc.assert(fc.property(cpfs, (cpf) => {
      const balance = sandboxBalance(cpf)
      assert.strictEqual(sandboxBalance(cpf), balance)
      assert.isAtLeast(balance, 1_000_00)
      assert.isAtMost(balance, 6_000_00)
    }))
  })

  it("SANDBOX-02 balances are stable between versions", () => {
    assert.deepStrictEqual<ReadonlyArray<number>>(
      ["00", "42", "85"].map((digits) => sandboxBalance(sandboxCpf(digits))),
      [2_855_65, 1_147_80, 1_492_84]
    )
  })

  it("SANDBOX-02 balances are evenly distributed by proportion", () => {
    const count = 6_000
    const counts = [0, 0, 0, 0, 0, 0]
    for (let index = 0; index < count; index++) {
      const share = Math.log(sandboxBalance(sandboxCpf("00", index)) / 1_000_00) / Math.log(6)
      counts[Math.min(5, Math.floor(share * 6))]! += 1
    }
    for (const found of counts) {
      assert.isAtLeast(found, count / 6 * 0.85)
      assert.isAtMost(found, count / 6 * 1.15)
    }
  })

  it("SANDBOX-02 every possible balance yields three instalments under the policy in force since November 2026", () => {
    for (let balance = 1_000_00; balance <= 6_000_00; balance++) {
      const amounts = installmentAmounts(annualWithdrawals(centavos(balance), 3), policy)
      if (amounts.length !== 3) assert.fail(`${balance} gives ${amounts.length}`)
    }
  })

  it("SANDBOX-04 three tables: 1.80 %, 1.80 % with a 10 % fee, 1.49 % with a R$ 10.00 fee", () => {
    const [standard, plus, light] = offersFor(sandboxCpf("00"))
    assert.deepStrictEqual<unknown>(
      sandboxTables(defaultScenario).map(({ fee, monthly_rate, table }) => [table.code, monthly_rate, fee]),
      [
        ["standard", 1.8, { kind: "none" }],
        ["plus", 1.8, { kind: "percent", percent: 10 }],
        ["light", 1.49, { kind: "fixed", amount: 10_00 }]
      ]
    )
    assert.strictEqual(standard!.terms.fee_amount, 0)
    assert.closeTo(plus!.terms.fee_amount, plus!.terms.principal_amount / 10, 0.51)
    assert.strictEqual(light!.terms.fee_amount, 10_00)
    assert.isAbove(light!.terms.principal_amount, standard!.terms.principal_amount)
  })

  it("SANDBOX-04 offers at most the requested number of instalments", () => {
    fc.assert(fc.property(cpfs, fc.integer({ min: 1, max: 10 }), (cpf, max_installments) => {
      for (const { terms } of offersFor(cpf, { max_installments })) {
        assert.strictEqual(terms.installments.length, Math.min(3, max_installments))
      }
    }))
  })

  it("SANDBOX-04 each table meets a reachable desired amount to the centavo, unless the last instalment is already at the minimum", () => {
    const least = centavos(100_00)
    fc.assert(fc.property(cpfs, fc.integer({ min: 100_00, max: 1_000_00 }).map(centavos), (cpf, desired_amount) => {
      const most = offersFor(cpf)
      offersFor(cpf, { desired_amount }).forEach(({ terms }, index) => {
        const { net_amount } = most[index]!.terms
        if (net_amount <= desired_amount) assert.strictEqual(terms.net_amount, net_amount)
        else {
          assert.isAtLeast(terms.net_amount, desired_amount)
          if (terms.installments.at(-1)!.amount > least) assert.strictEqual(terms.net_amount, desired_amount)
        }
      })
    }))
  })

  it("SANDBOX-04 every instalment is due on day 1 of the birth month", () => {
    for (const { terms } of offersFor(sandboxCpf("00"))) {
      assert.deepStrictEqual<ReadonlyArray<string>>(terms.installments.map(({ due_date }) => due_date), [
        "2027-08-01",
        "2028-08-01",
        "2029-08-01"
      ])
    }
  })

  it("SANDBOX-04 prices by the policy it receives", () => {
    const lengths = fgtsPolicies.map((one) => {
      const quotation = priceTables({ ...requestFor(sandboxCpf("00")), policy: one }, defaultScenario)
      return quotation.kind === "PRICED" ? quotation.offers.map(({ terms }) => terms.installments.length) : []
    })
    for (const old of [0, 1]) assert.isTrue(lengths[old]!.every((length) => length === 10))
    assert.isTrue(lengths[2]!.every((length) => length >= 3 && length <= 5))
    assert.isTrue(lengths[3]!.every((length) => length === 3))
  })

  it("SANDBOX-04 R$ 150 is too little for one instalment, R$ 600 too little for a third", () => {
    const amounts = (balance: Centavos | null | undefined) =>
      installmentAmounts(annualWithdrawals(balance ?? centavos(0), 3), policy)
    assert.deepStrictEqual(amounts(sandboxScenarios.get("84")?.balance), [])
    assert.deepStrictEqual<unknown>(amounts(sandboxScenarios.get("79")?.balance), [290_00, 155_00])
  })
})
