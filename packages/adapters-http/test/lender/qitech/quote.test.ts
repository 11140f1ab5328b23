import { assert, describe } from "@effect/vitest"
import { judgeLenderOffer, type RejectionCode } from "@lastro/domain/offer"
import { calendarDate, centavos } from "@lastro/domain/values"
import { aQuoteRequest } from "@lastro/testkit"
import { Effect, Result } from "effect"
import { ask, deliver, layerOver, offered, onQitech, quoted, stateOf } from "./harness.ts"

describe("a quote of QI Tech", () => {
  onQitech("is PENDING until the callback, then PRICED with every table", function*({ simulator }) {
    const first = yield* ask("00")
    assert.strictEqual(first.kind, "PENDING")
    if (first.kind !== "PENDING") return
    assert.strictEqual(first.look_at, "2026-12-01T15:00:30.000Z")
    const [webhook] = simulator.waitingWebhooks() as ReadonlyArray<{ readonly key: string }>
    assert.strictEqual(first.callback_key, webhook?.key)
    assert.deepStrictEqual(yield* deliver(simulator), [204])
    const answer = yield* ask("00", { lender_state: first.lender_state })
    assert.strictEqual(answer.kind, "PRICED")
    if (answer.kind !== "PRICED") return
    assert.deepStrictEqual(answer.unpriced, [])
    assert.deepStrictEqual(answer.offers.map(({ table }) => table.code), ["standard", "plus", "light"])
    for (const { lender_ref, terms } of answer.offers) {
      assert.deepStrictEqual(judgeLenderOffer(aQuoteRequest("00"), terms), Result.void)
      assert.isAtMost(lender_ref?.length ?? 0, 2_048)
    }
  })

  onQitech("has QI Tech's totals, divided by Lastro's method", function*({ simulator }) {
    simulator.setPeriods(["2027-08-01", "2028-08-01", "2029-08-01"].map((due_date) => ({ due_date, amount: 500 })))
    const { terms } = yield* offered(simulator)
    assert.strictEqual(terms.gross_amount, 1_500_00)
    assert.strictEqual(terms.net_amount + terms.iof_amount + terms.fee_amount, terms.principal_amount)
    assert.isTrue(terms.installments.every(({ principal_amount }) => principal_amount > 0))
    assert.strictEqual(Math.round(terms.monthly_cet * 100) / 100, terms.monthly_cet)
  })

  onQitech("gives no instalment a negative principal, where a running balance would", function*({ simulator }) {
    simulator.setPeriods([
      { due_date: "2027-08-01", amount: 100 },
      { due_date: "2028-08-01", amount: 500 },
      { due_date: "2029-08-01", amount: 500 }
    ])
    const { terms } = yield* offered(simulator)
    assert.isTrue(terms.installments.every(({ principal_amount }) => principal_amount >= 0))
    assert.deepStrictEqual(judgeLenderOffer(aQuoteRequest("00"), terms), Result.void)
  })

  onQitech(
    "POLICY-08 keeps to the policy, to the next withdrawals and to the requested maximum",
    function*({ simulator }) {
      simulator.setPeriods([
        { due_date: "2026-08-01", amount: 500 },
        { due_date: "2029-08-01", amount: 99.99 },
        { due_date: "2028-08-01", amount: 900.5 },
        { due_date: "2027-08-01", amount: 300.25 },
        { due_date: "2030-08-01", amount: 250 }
      ])
      const amounts = (yield* offered(simulator)).terms.installments.map(({ amount, due_date }) => [due_date, amount])
      assert.deepStrictEqual(amounts, [["2027-08-01", 300_25], ["2028-08-01", 500_00]])
      const wish = { max_installments: 1, desired_amount: null }
      const limited = yield* quoted(simulator, "00", { wish })
      assert.strictEqual(limited.kind === "PRICED" ? limited.offers[0]?.terms.installments.length : 0, 1)
    }
  )

  onQitech("is priced for a desired amount, or in full if the amount is too high", function*({ simulator }) {
    const wish = { max_installments: null, desired_amount: centavos(500_00) }
    const reached = yield* quoted(simulator, "00", { wish })
    assert.strictEqual(reached.kind === "PRICED" ? reached.offers[0]?.terms.net_amount : 0, 500_00)
    const tooMuch = yield* quoted(simulator, "00", { wish: { ...wish, desired_amount: centavos(9_000_00) } })
    assert.strictEqual(tooMuch.kind === "PRICED" ? tooMuch.offers[0]?.terms.gross_amount : 0, 1_500_00)
  })

  onQitech("is simulated for the next business day", function*({ simulator }) {
    const saturday = { released_on: calendarDate("2026-12-05") }
    const answer = yield* quoted(simulator, "00", saturday)
    const [offer] = answer.kind === "PRICED" ? answer.offers : []
    assert.deepStrictEqual(judgeLenderOffer(aQuoteRequest("00", saturday), offer!.terms), Result.void)
    const { json } = simulator.calls.find(({ path }) => path === "/baas/fgts_simulation")!
    assert.include(JSON.stringify(json), `"disbursement_date":"2026-12-07"`)
  })

  const refusals: ReadonlyArray<readonly [digits: string, code: RejectionCode]> = [
    ["90", "OPERATION_IN_PROGRESS"],
    ["91", "NO_AUTHORIZATION"],
    ["92", "NOT_OPTED_IN"],
    ["93", "BIRTHDAY_WINDOW"],
    ["94", "OPT_OUT_IN_PROGRESS"],
    ["95", "ACCOUNT_CHANGES_PENDING"]
  ]
  for (const [digits, code] of refusals) {
    onQitech(`is REFUSED with ${code} for a CPF that ends in ${digits}`, function*({ simulator }) {
      const answer = yield* quoted(simulator, digits)
      assert.strictEqual(answer.kind === "REFUSED" ? answer.rejection.code : answer.kind, code)
    })
  }

  onQitech(
    "is REFUSED with LENDER_POLICY for an unknown enumerator, and with NO_BALANCE without periods",
    function*({ simulator }) {
      simulator.setBalance("something_new")
      const unknown = yield* quoted(simulator, "00")
      assert.strictEqual(unknown.kind === "REFUSED" ? unknown.rejection.code : unknown.kind, "LENDER_POLICY")
      simulator.setBalance([])
      const empty = yield* quoted(simulator, "00")
      assert.strictEqual(empty.kind === "REFUSED" ? empty.rejection.code : empty.kind, "NO_BALANCE")
      simulator.setBalance([{ due_date: "2027-08-01", amount: 50 }])
      const small = yield* quoted(simulator, "00")
      assert.strictEqual(small.kind === "REFUSED" ? small.rejection.code : small.kind, "BELOW_MINIMUM_INSTALLMENT")
      simulator.setBalance([{ due_date: "2027-03-01", amount: 500 }])
      const other = yield* quoted(simulator, "00")
      assert.strictEqual(other.kind === "REFUSED" ? other.rejection.code : other.kind, "BIRTH_DATE_MISMATCH")
    }
  )

  onQitech(
    "counts an error of CAIXA as no answer, and requests the balance again after a pause that grows",
    function*({ pass, simulator }) {
      const pauses: Array<number> = []
      let lender_state = stateOf(yield* ask("96"))
      for (let attempt = 1; attempt <= 6; attempt += 1) {
        yield* deliver(simulator)
        const failure = yield* Effect.flip(ask("96", { lender_state }))
        assert.strictEqual(failure.reason, "ASKED")
        pauses.push(failure.retry_after_ms ?? 0)
        yield* pass((failure.retry_after_ms ?? 0) - 1)
        assert.strictEqual((yield* Effect.flip(ask("96", { lender_state }))).retry_after_ms, 1)
        yield* pass(1)
        lender_state = stateOf(yield* ask("96", { lender_state }))
      }
      assert.deepStrictEqual(pauses, [30_000, 30_000, 30_000, 45_000, 67_500, 101_250])
      assert.strictEqual(simulator.calls.filter(({ path }) => path.endsWith("available_balance")).length, 7)
      simulator.setBalance([{ due_date: "2027-08-01", amount: 500 }])
      yield* deliver(simulator)
      yield* pass(900_000)
      lender_state = stateOf(yield* ask("96", { lender_state }))
      yield* deliver(simulator)
      assert.strictEqual((yield* ask("96", { lender_state })).kind, "PRICED")
    }
  )

  onQitech("recovers from a lost callback: a look has it sent again", function*({ pass, simulator }) {
    const lender_state = stateOf(yield* ask("00"))
    simulator.loseWebhooks()
    yield* pass(30_000)
    const look = yield* ask("00", { lender_state })
    assert.strictEqual(look.kind === "PENDING" ? look.look_at : look.kind, "2026-12-01T15:01:30.000Z")
    assert.strictEqual(simulator.waitingWebhooks().length, 1)
    assert.deepStrictEqual(yield* deliver(simulator), [204])
    assert.strictEqual((yield* ask("00", { lender_state: stateOf(look) })).kind, "PRICED")
  })

  onQitech("stays PENDING while events cannot be listed", function*({ simulator }) {
    const lender_state = stateOf(yield* ask("00"))
    simulator.injectFaults(/events/, { status: 500, body: "<html>" }, { status: 401, body: {} })
    assert.strictEqual((yield* ask("00", { lender_state })).kind, "PENDING")
    assert.strictEqual((yield* ask("00", { lender_state })).kind, "PENDING")
  })

  onQitech(
    "is priced by another process with the state of the callback, without a further callback",
    function*({ simulator }) {
      const lender_state = stateOf(yield* ask("00"))
      yield* deliver(simulator)
      const elsewhere = Effect.provide(ask("00", { lender_state }), layerOver(simulator), { local: true })
      assert.strictEqual((yield* elsewhere).kind, "PRICED")
      assert.strictEqual((yield* elsewhere).kind, "PRICED")
      assert.deepStrictEqual(simulator.calls.filter(({ path }) => path.includes("/notification")), [])
    }
  )

  onQitech("is THROTTLED by 429 and by a text, FORBIDDEN by wrong credentials", function*({ simulator }) {
    simulator.injectFaults(
      /available_balance/,
      { status: 429, headers: { "retry-after": "7" }, body: {} },
      { status: 500, body: { description: "Excedido o limite de requisições" } },
      { status: 401, body: { code: "GDF000014" } },
      { status: 404, body: { code: "GDF000018" } },
      { status: 200, body: "<html>" },
      "DROP"
    )
    const throttled = yield* Effect.flip(ask("00"))
    assert.deepStrictEqual([throttled.reason, throttled.retry_after_ms], ["THROTTLED", 7_000])
    assert.strictEqual((yield* Effect.flip(ask("00"))).reason, "THROTTLED")
    assert.strictEqual((yield* Effect.flip(ask("00"))).reason, "FORBIDDEN")
    assert.strictEqual((yield* Effect.flip(ask("00"))).reason, "FORBIDDEN")
    assert.strictEqual((yield* Effect.flip(ask("00"))).reason, "ASKED")
    assert.strictEqual((yield* Effect.flip(ask("00"))).reason, "ASKED")
    assert.strictEqual((yield* ask("00")).kind, "PENDING")
  })
})
