import { assert, describe, it } from "@effect/vitest"
import { version } from "@lastro/adapters-http"
import { sandboxAnswer, sandboxDigits, sandboxScenarios } from "@lastro/domain/adapters"
import { disbursementOf, type KycValues } from "@lastro/domain/kyc"
import { Lender } from "@lastro/domain/lender"
import { fgtsPolicies, type FinalQuotation } from "@lastro/domain/offer"
import { centavos, type ProposalId } from "@lastro/domain/values"
import {
  aCompleteKyc,
  aQuoteRequest,
  aResubmission,
  aSubmission,
  exampleBank,
  exampleProposal as proposal_id
} from "@lastro/testkit"
import { customer as customers } from "@lastro/testkit/arbitraries"
import { Effect, Redacted } from "effect"
import * as fc from "fast-check"
import { overHttp, quoting } from "./asking.ts"

/** The sandbox endings whose quotes are throttled or PENDING first. */
const delayed = new Set(["70", "71", "77"])

/** Adds the `lender_ref` of the recording lender, as the adapter stores it. */
const withReferences = (quotation: FinalQuotation): FinalQuotation =>
  quotation.kind === "REFUSED" ? quotation : {
    ...quotation,
    offers: quotation.offers.map((offer) => ({ ...offer, lender_ref: `lastro-lender-2:ref:${offer.table.code}` }))
  }

describe("layerHttpLender", () => {
  for (const digits of ["00", ...sandboxScenarios.keys()]) {
    const { after_ms, quotation } = sandboxAnswer(aQuoteRequest(digits))
    if (quotation === null || after_ms > 0 || delayed.has(digits)) continue
    for (const version of [1, 2] as const) {
      it.live(`decodes the lender's response to a quote unchanged: ${digits}, version ${version}`, () =>
        overHttp(
          Effect.fnUntraced(function*({ calls }) {
            assert.deepStrictEqual(yield* quoting(digits), version === 1 ? quotation : withReferences(quotation))
            assert.lengthOf(calls, 1)
          }),
          { version }
        ))
    }
  }

  it.live("INPUT-03 reads `fee_kind: null` of a fee table as absent", () =>
    overHttp(
      Effect.fnUntraced(function*({ calls, injectFaults }) {
        const quotation = yield* quoting("00")
        const answer = calls[0]?.answer
        const body = JSON.stringify(answer?.body).replaceAll(/"fee_kind":"\w+",?/g, "")
          .replaceAll(`"table":{`, `"table":{"fee_kind":null,`)
        assert.include(body, "null")
        injectFaults({
          status: 200,
          headers: { "content-type": "application/json", "lastro-lender-protocol": "2" },
          body
        })
        assert.deepStrictEqual(yield* quoting("00"), quotation)
      })
    ))

  it.live("carries every request and response for arbitrary customers, policies and wishes", () =>
    overHttp(() =>
      Effect.gen(function*() {
        const lender = yield* Lender
        const requests = fc.sample(
          fc.record({
            customer: customers,
            policy: fc.constantFrom(...fgtsPolicies),
            wish: fc.record({
              max_installments: fc.option(fc.integer({ min: 1, max: 10 })),
              desired_amount: fc.option(fc.integer({ min: 100_00, max: 5_000_00 }).map(centavos))
            })
          }).map((fields) => aQuoteRequest("00", { number: 2, attempt: 3, ...fields })),
          100
        )
        for (const request of requests) {
          const { after_ms, quotation } = sandboxAnswer(request)
          if (after_ms > 0 || quotation === null || delayed.has(sandboxDigits(request.customer.cpf))) continue
          assert.deepStrictEqual(yield* lender.quote(request), withReferences(quotation))
        }
      })
    ))

  it.live("creates, reads and pays a contract with the paths and idempotency keys of the protocol", () =>
    overHttp(Effect.fnUntraced(function*({ calls, contracts }) {
      const lender = yield* Lender
      const made = yield* lender.submit(aSubmission("88"))
      assert.deepInclude(made, { status: "DISBURSEMENT_FAILED", disbursement_attempt: 1, signature_url: null })
      assert.strictEqual(made.rejection!.code, "DISBURSEMENT_FAILED")
      assert.isTrue(made.rejection!.retryable)
      assert.deepStrictEqual(yield* lender.contract(made.reference), made)
      const paid = yield* lender.resubmit(aResubmission(made.reference))
      assert.deepInclude(paid, { reference: made.reference, status: "PAID", disbursement_attempt: 2, rejection: null })
      assert.deepStrictEqual(yield* lender.contract(made.reference), paid)
      const path = `/contracts/lender%2F${proposal_id}`
      assert.deepStrictEqual(
        calls.map(({ headers, method, path }) => [method, path, headers["idempotency-key"]]),
        [
          ["POST", "/contracts", proposal_id],
          ["GET", path, undefined],
          ["POST", `${path}/disbursements`, `${proposal_id}/2`],
          ["GET", path, undefined]
        ]
      )
      assert.lengthOf(contracts(), 1)
      assert.deepInclude(contracts()[0], { proposal_id, reference: made.reference, payments: [1, 2] })
    })))

  it.live("does not send the unused payment destination", () =>
    overHttp(Effect.fnUntraced(function*({ calls }) {
      const lender = yield* Lender
      const submission = aSubmission("00")
      const pix = { type: "EVP", key: "7c9e6679-7425-40de-944b-e07fc1f90ae7" } as const
      const kyc = aCompleteKyc({ pix, bank: exampleBank }).for(submission.customer).build()
      yield* lender.submit({ ...submission, kyc, disbursement: disbursementOf(kyc) })
      const toAccount: KycValues = { ...kyc, disbursement_method: "BANK_TRANSFER" }
      const other = "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f49" as ProposalId
      yield* lender.submit({
        ...submission,
        proposal_id: other,
        kyc: toAccount,
        disbursement: disbursementOf(toAccount)
      })
      const [byPix = "", byTransfer = ""] = calls.map(({ body }) => JSON.stringify(body))
      assert.include(byPix, pix.key)
      assert.notInclude(byPix, exampleBank.account_number!)
      assert.include(byTransfer, exampleBank.account_number!)
      assert.notInclude(byTransfer, pix.key)
    })))

  it.live("sends the configured token, and none without one", () =>
    Effect.gen(function*() {
      const authorization = (token?: Redacted.Redacted) =>
        overHttp(
          ({ calls }) => Effect.map(quoting("00"), () => calls[0]?.headers["authorization"]),
          token === undefined ? {} : { token }
        )
      assert.strictEqual(yield* authorization(Redacted.make("s3cret")), "Bearer s3cret")
      assert.isUndefined(yield* authorization())
    }))

  it.live("names Lastro and its version as the sender", () =>
    overHttp(Effect.fnUntraced(function*({ calls }) {
      yield* quoting("00")
      assert.strictEqual(calls[0]?.headers["user-agent"], `lastro/${version}`)
    })))

  it.live("appends the protocol paths to URLs with and without a path or trailing slash", () =>
    overHttp(Effect.fnUntraced(function*({ calls, url }) {
      for (const [end, path] of [["", "/quotes"], ["/", "/quotes"], ["/v1", "/v1/quotes"], ["/v1/", "/v1/quotes"]]) {
        yield* overHttp(() => Effect.exit(quoting("00")), { url: `${url}${end}` })
        assert.strictEqual(calls.at(-1)?.path, path)
      }
    })))
})
