import { type LenderQuoteRequest } from "@lastro/domain/lender"
import { judgeLenderOffer, type LenderOffer, type PricedOffer } from "@lastro/domain/offer"
import { centavos } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Result } from "effect"
import { quoteRefusals } from "./LenderFixtures.ts"
import { type LenderCases, outcomesOf, playLender } from "./playLender.ts"

/**
 * Checks that an offer complies with the rules of the domain (also POLICY-08, FGTS-41 and FGTS-58). Checks that its
 * `lender_ref` is not too long and contains no CPF.
 */
const checkOffer = (request: LenderQuoteRequest, { lender_ref, table, terms }: LenderOffer): void => {
  assert.isTrue(Result.isSuccess(judgeLenderOffer(request, terms, table)))
  assert.isAtMost(lender_ref?.length ?? 0, 2_048)
  assert.notInclude(lender_ref ?? "", request.customer.cpf)
}

/** Returns whether terms exceed a limit of a request. */
const exceeds = ({ installments, net_amount }: PricedOffer, { policy, wish }: LenderQuoteRequest): boolean =>
  installments.length > Math.min(policy.max_installments, wish.max_installments ?? Number.POSITIVE_INFINITY) ||
  net_amount > (wish.desired_amount ?? Number.POSITIVE_INFINITY) ||
  installments.some(({ amount }) =>
    amount > (policy.max_installment ?? Number.POSITIVE_INFINITY) || amount < (policy.min_installment ?? 0)
  )

/** Contract cases for Lender: quotes. */
export const lenderQuoteCases: LenderCases = (fixtures) => (it) => {
  const outcome = outcomesOf(it, fixtures)
  it("`requirements` has a name in lower-case letters, digits and hyphens, and positive limits", () =>
    Effect.map(playLender(fixtures, fixtures.priced), ({ lender: { requirements } }) => {
      assert.match(requirements.name, /^[a-z0-9-]+$/)
      assert.isNotEmpty(requirements.disbursement_methods)
      const { max_in_flight, requests_per_second } = requirements.throttle
      for (const limit of [max_in_flight, requests_per_second]) if (limit !== null) assert.isAbove(limit, 0)
    }))

  it("`quote` returns a valid offer for each fee table, of which one is enough", function*() {
    const { newRequest, offers } = yield* playLender(fixtures, fixtures.priced)
    const request = yield* newRequest()
    const priced = yield* offers
    assert.isNotEmpty(priced)
    assert.strictEqual(new Set(priced.map(({ table }) => table.code)).size, priced.length)
    for (const offer of priced) checkOffer(request, offer)
  })

  it("POLICY-08 FGTS-41 `quote` offers only the next annual withdrawals, at rates up to the limit of the request", function*() {
    const { newRequest, offers } = yield* playLender(fixtures, fixtures.priced)
    const { customer, policy, released_on } = yield* newRequest()
    // An annual withdrawal is due on the first day of the month of the birthday.
    const dueDay = `${customer.birth_date.slice(5, 7)}-01`
    const year = Number(released_on.slice(0, 4))
    const firstYear = `${year}-${dueDay}` > released_on ? year : year + 1
    for (const { terms } of yield* offers) {
      assert.isAtMost(terms.monthly_rate, policy.max_monthly_rate)
      for (const { due_date } of terms.installments) {
        assert.isAtLeast(Number(due_date.slice(0, 4)), firstYear)
        assert.isBelow(Number(due_date.slice(0, 4)), firstYear + policy.max_installments)
      }
    }
  })

  it("`quote` prices within the policy and the limits of the request", function*() {
    const { finish, newRequest } = yield* playLender(fixtures, fixtures.priced)
    const { policy, wish } = yield* newRequest()
    const price = Effect.fnUntraced(function*(fields: Partial<LenderQuoteRequest>) {
      const request = yield* newRequest(fields)
      const quotation = yield* finish(request)
      const offers = quotation.kind === "PRICED" ? quotation.offers : []
      assert.isNotEmpty(offers)
      for (const offer of offers) {
        checkOffer(request, offer)
        assert.isAtLeast(offer.terms.net_amount, request.wish.desired_amount ?? 0)
      }
      return { request, terms: new Map(offers.map(({ table, terms }) => [table.code, terms])) }
    })
    const unlimited = yield* price({})
    const limits: ReadonlyArray<Partial<LenderQuoteRequest>> = [
      { wish: { ...wish, max_installments: 2 } },
      { wish: { ...wish, desired_amount: centavos(300_00) } },
      { policy: { ...policy, max_installments: 2 } },
      { policy: { ...policy, max_installment: centavos(400_00) } },
      { policy: { ...policy, min_installment: centavos(495_00) } }
    ]
    for (const fields of limits) {
      const { request, terms } = yield* price(fields)
      for (const [code, { gross_amount }] of terms) {
        const usual = unlimited.terms.get(code)
        if (usual === undefined) assert.fail(`the default request has no offer of table ${code}`)
        // An offer that exceeds a limit of the request must become smaller.
        if (exceeds(usual, request)) assert.isBelow(gross_amount, usual.gross_amount, code)
        else assert.isAtMost(gross_amount, usual.gross_amount, code)
      }
    }
  })

  outcome(
    "partially_priced",
    "`quote` reports a fee table that cannot be priced, together with the offers of the other tables",
    ({ quote }) =>
      Effect.map(quote(), (quotation) => {
        const { offers, unpriced } = quotation.kind === "PRICED" ? quotation : { offers: [], unpriced: [] }
        assert.isNotEmpty(offers)
        assert.isNotEmpty(unpriced)
        const codes = new Set(offers.map(({ table }) => table.code))
        assert.isTrue(unpriced.every(({ table }) => !codes.has(table.code)))
      })
  )

  for (const code of quoteRefusals) {
    outcome(
      [code, fixtures.refused[code]],
      `\`quote\` returns the business reason ${code} as REFUSED or for each fee table, not as an error`,
      ({ quote }) =>
        Effect.map(quote(), (quotation) => {
          if (quotation.kind === "PRICED") assert.isEmpty(quotation.offers)
          const rejections = quotation.kind === "REFUSED"
            ? [quotation.rejection]
            : quotation.unpriced.map(({ rejection }) => rejection)
          assert.include(rejections.map((rejection) => rejection.code), code)
        })
    )
  }

  outcome(
    "pending",
    "`quote` returns PENDING until the lender has the answer, and then returns it for the last `lender_state`",
    function*({ customer, finish, lender, newRequest }) {
      const request = yield* newRequest()
      const answer = yield* lender.quote(request)
      if (answer.kind !== "PENDING") return assert.fail(`the quote is ${answer.kind}`)
      const { callback_key, lender_state, look_at } = answer
      assert.isAtMost(lender_state.length, 8_192)
      assert.isAtMost(callback_key?.length ?? 0, 128)
      assert.notInclude(lender_state + (callback_key ?? ""), customer.cpf)
      assert.isAtLeast(look_at.localeCompare(request.requested_at), 0)
      assert.strictEqual((yield* finish({ ...request, lender_state })).kind, "PRICED")
    }
  )

  outcome("unavailable", "`quote` fails with reason ASKED when the lender does not answer", function*(play) {
    const { reason } = yield* Effect.flip(play.quote())
    assert.strictEqual(reason, "ASKED")
  })

  outcome(
    "throttled",
    "`quote` fails with reason THROTTLED when there are too many calls, and succeeds later",
    function*({ finish, lender, newRequest }, fixture) {
      const request = yield* newRequest()
      const { reason, retry_after_ms } = yield* Effect.flip(lender.quote(request))
      assert.strictEqual(reason, "THROTTLED")
      if (retry_after_ms !== undefined) assert.isAbove(retry_after_ms, 0)
      if (fixture.retry_after_ms !== undefined) assert.strictEqual(retry_after_ms, fixture.retry_after_ms)
      assert.strictEqual((yield* finish(request)).kind, "PRICED")
    }
  )
}
