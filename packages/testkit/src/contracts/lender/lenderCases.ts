import { sandboxCpf } from "@lastro/domain/adapters"
import { type ProposalId } from "@lastro/domain/id"
import { judgeLenderOffer, Lender, type LenderQuoteRequest } from "@lastro/domain/lender"
import { centavos } from "@lastro/domain/money"
import { proposalPath } from "@lastro/domain/proposal"
import { assert } from "chai"
import { Effect, Result } from "effect"
import { freshId } from "../../builders/Fresh.ts"
import { aQuoteRequest, aResubmission, aSubmission } from "../../lender/lenderRequests.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"

const quote = (digits: string) => Effect.flatMap(Lender, (lender) => lender.quote(aQuoteRequest(digits)))

/** Submits a contract for a new proposal. */
const submitNew = Effect.fnUntraced(function*(digits: string) {
  const submission = aSubmission(digits, { proposal_id: (yield* freshId) as ProposalId })
  return { submission, made: yield* (yield* Lender).submit(submission) }
})

/** Contract cases for Lender: quotes. */
export const lenderQuoteCases: ContractCases<Lender> = (it) => {
  it("`quote` returns a valid offer for each of several fee tables", () =>
    Effect.gen(function*() {
      const request = aQuoteRequest("00")
      const quotation = yield* quote("00")
      assert.strictEqual(quotation.kind, "PRICED")
      const offers = quotation.kind === "PRICED" ? quotation.offers : []
      assert.isAtLeast(offers.length, 2)
      assert.strictEqual(new Set(offers.map(({ table }) => table.code)).size, offers.length)
      for (const { terms } of offers) assert.isTrue(Result.isSuccess(judgeLenderOffer(request, terms)))
    }))

  it("`quote` prices within the policy and the limits of the request", () =>
    Effect.gen(function*() {
      const { policy, wish } = aQuoteRequest("00")
      const grossBy = Effect.fnUntraced(function*(fields: Partial<LenderQuoteRequest>) {
        const request = aQuoteRequest("00", fields)
        const quotation = yield* (yield* Lender).quote(request)
        const offers = quotation.kind === "PRICED" ? quotation.offers : []
        assert.isNotEmpty(offers)
        for (const { terms } of offers) {
          assert.isTrue(Result.isSuccess(judgeLenderOffer(request, terms)))
          assert.isAtLeast(terms.net_amount, request.wish.desired_amount ?? 0)
        }
        return new Map(offers.map(({ table, terms }) => [table.code, terms.gross_amount]))
      })
      const most = yield* grossBy({})
      // Each of these requests sets a stricter limit than the default request, so each offer has a smaller gross
      // amount.
      const less: ReadonlyArray<Partial<LenderQuoteRequest>> = [
        { wish: { ...wish, max_installments: 2 } },
        { wish: { ...wish, desired_amount: centavos(300_00) } },
        { policy: { ...policy, max_installments: 2 } },
        { policy: { ...policy, max_installment: centavos(400_00) } },
        { policy: { ...policy, min_installment: centavos(495_00) } }
      ]
      for (const fields of less) {
        for (const [code, gross] of yield* grossBy(fields)) assert.isBelow(gross, most.get(code) ?? 0, code)
      }
    }))

  it("`quote` reports a fee table that cannot be priced, together with the offers of the other tables", () =>
    Effect.gen(function*() {
      const quotation = yield* quote("78")
      const { offers, unpriced } = quotation.kind === "PRICED" ? quotation : { offers: [], unpriced: [] }
      assert.isNotEmpty(offers)
      assert.isNotEmpty(unpriced)
      const codes = new Set(offers.map(({ table }) => table.code))
      assert.isTrue(unpriced.every(({ table }) => !codes.has(table.code)))
    }))

  it("`quote` returns a rejection for business reasons as REFUSED, not as an error", () =>
    Effect.map(
      quote("83"),
      (quotation) =>
        assert.strictEqual(
          quotation.kind === "REFUSED" ? quotation.rejection.code : quotation.kind,
          "EXISTING_CONTRACT"
        )
    ))

  it("`quote` fails with reason ASKED when the lender does not answer", () =>
    Effect.map(Effect.flip(quote("96")), ({ reason }) => assert.strictEqual(reason, "ASKED")))
}

/** Contract cases for Lender: contracts and payments. */
export const lenderContractCases: ContractCases<Lender> = (it) => {
  it("`submit` creates one contract per proposal_id, however often it is called", () =>
    Effect.gen(function*() {
      const lender = yield* Lender
      const { made, submission } = yield* submitNew("00")
      const again = yield* Effect.all(
        [1, 2, 3].map(() => lender.submit(submission)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(new Set([made, ...again].map(({ reference }) => reference)), new Set([made.reference]))
      assert.notStrictEqual((yield* submitNew("00")).made.reference, made.reference)
    }))

  it("`contract` returns the current status: the status after submission, or one that can follow it", () =>
    Effect.gen(function*() {
      const { made } = yield* submitNew("00")
      const now = yield* (yield* Lender).contract(made.reference)
      assert.strictEqual(now.reference, made.reference)
      if (now.status !== made.status) assert.isNotEmpty(proposalPath(made.status, now.status))
    }))

  it("`contract` fails with reason ASKED for an unknown reference", () =>
    Effect.flatMap(
      Lender,
      (lender) =>
        Effect.map(Effect.flip(lender.contract("unknown/1")), ({ reason }) => assert.strictEqual(reason, "ASKED"))
    ))

  it("`resubmit` pays once per disbursement_attempt, however often it is called", () =>
    Effect.gen(function*() {
      const lender = yield* Lender
      const { made, submission } = yield* submitNew("88")
      const payment = aResubmission(made.reference, { proposal_id: submission.proposal_id })
      const paid = yield* lender.resubmit(payment)
      assert.strictEqual(paid.disbursement_attempt, 2)
      const again = yield* Effect.all([1, 2].map(() => lender.resubmit(payment)), { concurrency: "unbounded" })
      for (const one of again) assert.deepInclude(one, { disbursement_attempt: 2, reference: paid.reference })
      assert.strictEqual((yield* lender.contract(paid.reference)).disbursement_attempt, 2)
      const { proposal_id } = submission
      const next = yield* lender.resubmit(aResubmission(paid.reference, { proposal_id, disbursement_attempt: 3 }))
      assert.strictEqual(next.disbursement_attempt, 3)
      assert.strictEqual((yield* lender.contract(next.reference)).disbursement_attempt, 3)
    }))

  it("the reference of a contract contains no CPF", () =>
    Effect.map(submitNew("00"), ({ made }) => assert.notInclude(made.reference, sandboxCpf("00"))))
}
