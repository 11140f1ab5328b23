import { assert, describe } from "@effect/vitest"
import { judgeLenderOffer } from "@lastro/domain/offer"
import { calendarDate } from "@lastro/domain/values"
import { aQuoteRequest } from "@lastro/testkit"
import { Result } from "effect"
import { ask, deliver, onQitech, stateOf } from "./harness.ts"

describe("a balance of QI Tech that arrives after midnight", () => {
  onQitech("is priced for the day of its arrival, in São Paulo", function*({ pass, simulator }) {
    const lender_state = stateOf(yield* ask("00"))
    yield* pass(13 * 3_600_000)
    yield* deliver(simulator)
    const answer = yield* ask("00", { lender_state })
    assert.strictEqual(answer.kind, "PRICED")
    if (answer.kind !== "PRICED") return
    assert.deepStrictEqual(answer.unpriced, [])
    const { json } = simulator.calls.find(({ path }) => path === "/baas/fgts_simulation")!
    assert.include(JSON.stringify(json), `"disbursement_date":"2026-12-02"`)
    const released_by = calendarDate("2026-12-02")
    for (const { terms } of answer.offers) {
      assert.deepStrictEqual(judgeLenderOffer({ ...aQuoteRequest("00"), released_by }, terms), Result.void)
    }
  })

  onQitech("leaves out a period that is due on that day", function*({ pass, simulator }) {
    const customer = { ...aQuoteRequest("00").customer, birth_date: calendarDate("1990-12-20") }
    simulator.setBalance(["2026-12-02", "2027-12-01"].map((due_date) => ({ due_date, amount: 500 })))
    const lender_state = stateOf(yield* ask("00", { customer }))
    yield* pass(13 * 3_600_000)
    yield* deliver(simulator)
    const answer = yield* ask("00", { customer, lender_state })
    assert.deepStrictEqual(
      answer.kind === "PRICED"
        ? answer.offers[0]?.terms.installments.map(({ due_date }) => due_date)
        : answer.kind,
      [calendarDate("2027-12-01")]
    )
  })
})
