import { assert, describe, it } from "@effect/vitest"
import { isSilent, sandboxAnswer, type SandboxTemper } from "../../../src/adapters/sandbox/sandboxAnswer.ts"
import { sandboxCpf } from "../../../src/adapters/sandbox/sandboxCpf.ts"
import { policyOn } from "../../../src/offer/FgtsPolicy.ts"
import { calendarDate } from "../../../src/values/CalendarDate.ts"
import { type Timestamp } from "../../../src/values/Timestamp.ts"

const answerOf = (temper?: SandboxTemper) => {
  const released_on = calendarDate("2026-11-23")
  return sandboxAnswer({
    number: 1,
    attempt: 1,
    requested_at: "2026-11-23T12:00:00.000Z" as Timestamp,
    released_on,
    policy: policyOn(released_on),
    wish: { max_installments: null, desired_amount: null },
    customer: { cpf: sandboxCpf("01"), birth_date: calendarDate("1990-05-10") }
  }, temper)
}

const netOf = ({ quotation }: ReturnType<typeof answerOf>): number =>
  quotation?.kind === "PRICED" ? quotation.offers[0]?.terms.net_amount ?? 0 : 0

describe("the tempers of two sandboxes", () => {
  it("SANDBOX-13 each can be made silent by the CPF, and one without a temper never is", () => {
    const silent = (digits: string) =>
      (["quick", "slow", undefined] as const).map((temper) => isSilent(temper, sandboxCpf(digits)))
    assert.deepStrictEqual(silent("60"), [true, false, false])
    assert.deepStrictEqual(silent("61"), [false, true, false])
    assert.deepStrictEqual(silent("01"), [false, false, false])
  })

  it("SANDBOX-03 the quick one is faster and pays out less than the slow one", () => {
    const [quick, slow] = [answerOf("quick"), answerOf("slow")]
    assert.isBelow(quick.after_ms, slow.after_ms)
    assert.isAbove(netOf(quick), 0)
    assert.isBelow(netOf(quick), netOf(slow))
  })
})
