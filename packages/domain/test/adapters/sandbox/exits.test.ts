import { assert, describe, it } from "@effect/vitest"
import { aCompleteKyc, aQuoteRequest, aSubmission } from "@lastro/testkit"
import { Effect, Option, Result } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { layerSandboxLender } from "../../../src/adapters/sandbox/layerSandboxLender.ts"
import { sandboxCallback } from "../../../src/adapters/sandbox/sandboxCallback.ts"
import { sandboxContract, sandboxPaymentReference } from "../../../src/adapters/sandbox/sandboxContract.ts"
import { sandboxCpf } from "../../../src/adapters/sandbox/sandboxCpf.ts"
import { type SandboxDelay, sandboxDelay } from "../../../src/adapters/sandbox/sandboxDelay.ts"
import {
  sandboxCancellationReference,
  sandboxLinkReference,
  sandboxRefundReference
} from "../../../src/adapters/sandbox/sandboxExits.ts"
import { sandboxInvalid } from "../../../src/adapters/sandbox/sandboxInvalid.ts"
import { sandboxReference } from "../../../src/adapters/sandbox/sandboxReference.ts"
import { sandboxScenarios } from "../../../src/adapters/sandbox/sandboxScenarios.ts"
import { Lender } from "../../../src/lender/Lender.ts"
import { type LenderContract } from "../../../src/loan/LenderContract.ts"
import { centavos } from "../../../src/values/Centavos.ts"
import { type ProposalId } from "../../../src/values/ids.ts"
import { millisOf, timestampOf } from "../../../src/values/Timestamp.ts"
import { idOf, msAfter, noon } from "../../loan/examples.ts"

const stepMs = 1_000
const net_amount = centavos(900_00)
const reference = (digits: string) =>
  sandboxReference({
    accepted_at: noon,
    proposal_id: idOf<ProposalId>(900_003),
    customer: { cpf: sandboxCpf(digits) },
    net_amount
  })

const contractAt = (reference: Option.Option<string>, milliseconds: number): LenderContract =>
  Option.getOrThrow(sandboxContract(Option.getOrThrow(reference), msAfter(milliseconds), stepMs))

const cancelled = (digits: string, milliseconds: number) =>
  sandboxCancellationReference({ reference: reference(digits), requested_at: msAfter(milliseconds) }, stepMs)

const refunded = (name: string, milliseconds: number) =>
  sandboxRefundReference({ reference: name, requested_at: msAfter(milliseconds) }, stepMs)

/** The delay of a quote that was requested at noon. */
const delayOf = (digits: string, milliseconds: number, lender_state: string | null = null) =>
  sandboxDelay({ ...aQuoteRequest(digits), requested_at: noon, lender_state }, msAfter(milliseconds))

describe("sandbox lender: delays of quotes", () => {
  it("SANDBOX-08 70 is PENDING for two seconds after its first attempt, then answers", () => {
    const first = delayOf("70", 500)
    const lender_state = `sandbox.${millisOf(noon) + 2_500}`
    const pending: SandboxDelay = { kind: "PENDING", lender_state, look_at: msAfter(2_500) }
    assert.deepStrictEqual(first, pending)
    assert.deepStrictEqual(delayOf("70", 2_499, lender_state), pending)
    assert.isNull(delayOf("70", 2_500, lender_state))
    assert.isNull(delayOf("70", 2_500, "state of another lender"))
  })

  it("SANDBOX-08 71 is throttled for two seconds after the request, and states a delay of at most one second", () => {
    assert.deepStrictEqual(delayOf("71", 0), { kind: "THROTTLED", retry_after_ms: 1_000 })
    assert.deepStrictEqual(delayOf("71", 1_999), { kind: "THROTTLED", retry_after_ms: 1 })
    assert.isNull(delayOf("71", 2_000))
  })

  it("SANDBOX-08 77 is PENDING for a minute, but answers as soon as it is requested again, as after a callback", () => {
    const first = delayOf("77", 0)
    assert.deepInclude(first, { kind: "PENDING", look_at: msAfter(60_000) })
    assert.isNull(delayOf("77", 1, first?.kind === "PENDING" ? first.lender_state : ""))
  })

  it("SANDBOX-08 every other quote is answered at once", () => {
    for (const digits of ["00", ...sandboxScenarios.keys()]) {
      if (!["70", "71", "77"].includes(digits)) assert.isNull(delayOf(digits, 0))
    }
  })

  it.effect("SANDBOX-08 the adapter applies the delays at the current time", () =>
    Effect.gen(function*() {
      const lender = yield* Lender
      const at = (digits: string) => lender.quote({ ...aQuoteRequest(digits), requested_at: noon })
      yield* TestClock.setTime(millisOf(noon))
      assert.strictEqual((yield* at("70")).kind, "PENDING")
      assert.deepInclude(yield* Effect.flip(at("71")), { reason: "THROTTLED", retry_after_ms: 1_000 })
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* at("71")).kind, "PRICED")
    }).pipe(Effect.provide(layerSandboxLender())))
})

describe("sandbox lender: submissions", () => {
  it("SANDBOX-09 72 refuses the house number until it is S/N; no other ending refuses data", () => {
    const submission = (digits: string, number: string) => {
      const { customer, kyc } = aSubmission(digits)
      return { customer, kyc: aCompleteKyc({ address: { ...kyc.address!, number } }).for(customer).build() }
    }
    assert.deepStrictEqual(sandboxInvalid(submission("72", "1578")), [{
      field: "address.number",
      code: "NUMBER_NOT_FOUND"
    }])
    assert.isEmpty(sandboxInvalid(submission("72", "S/N")))
    for (const digits of ["00", ...sandboxScenarios.keys()]) {
      if (digits !== "72") assert.isEmpty(sandboxInvalid(submission(digits, "1578")))
    }
  })

  it.effect("SANDBOX-09 an INVALID submission leaves nothing, so corrected data creates the contract", () =>
    Effect.gen(function*() {
      const lender = yield* Lender
      const submission = aSubmission("72")
      const failure = yield* Effect.flip(lender.submit(submission))
      assert.deepInclude(failure, { _tag: "SubmissionInvalid" })
      const address = { ...submission.kyc.address!, number: "S/N" }
      const made = yield* lender.submit({ ...submission, kyc: { ...submission.kyc, address } })
      assert.strictEqual(made.status, "AWAITING_SIGNATURE")
    }).pipe(Effect.provide(layerSandboxLender())))
})

describe("sandbox lender: exits", () => {
  it("SANDBOX-10 a contract is cancelled at any time before its payment, and stays cancelled", () => {
    for (const milliseconds of [0, 1_000, 2_999]) {
      const contract = contractAt(cancelled("00", milliseconds), 60_000)
      assert.strictEqual(contract.status, "CANCELLED")
      assert.strictEqual(contract.rejection?.code, "CUSTOMER_CANCELLED")
    }
  })

  it("SANDBOX-10 a contract that was paid or has ended keeps its reference and status", () => {
    for (
      const [digits, status] of [["00", "PAID"], ["87", "CANCELLED"], ["86", "REJECTED"], ["73", "REFUNDED"]] as const
    ) {
      assert.deepStrictEqual(cancelled(digits, 4_000), Option.some(reference(digits)))
      assert.strictEqual(contractAt(cancelled(digits, 4_000), 4_000).status, status)
    }
  })

  it("SANDBOX-10 75 is PAID when it is cancelled", () => {
    const contract = contractAt(cancelled("75", 500), 500)
    assert.deepInclude(contract, { status: "PAID", rejection: null })
    assert.deepInclude(contract.paid, { amount: net_amount, at: msAfter(500) })
  })

  it("SANDBOX-10 SANDBOX-11 equal requests have equal results, and foreign references none", () => {
    const times = fc.integer({ min: 0, max: 10_000 })
    fc.assert(fc.property(fc.constantFrom("00", ...sandboxScenarios.keys()), times, times, (digits, first, second) => {
      const once = Option.getOrThrow(cancelled(digits, first))
      assert.deepStrictEqual(cancelled(digits, first), Option.some(once))
      const again = { reference: once, requested_at: msAfter(first) }
      assert.deepStrictEqual(sandboxCancellationReference(again, stepMs), Option.some(once))
      const refund = refunded(reference(digits), second)
      assert.deepStrictEqual(refunded(reference(digits), second), refund)
      if (Option.isSome(refund)) assert.deepStrictEqual(refunded(refund.value, second), refund)
    }))
    assert.isTrue(Option.isNone(sandboxCancellationReference({ reference: "contract-1", requested_at: noon }, stepMs)))
    assert.isTrue(Option.isNone(refunded("contract-1", 0)))
  })

  it("SANDBOX-11 a paid contract is REFUND_PENDING with a PIX code for one step, then REFUNDED", () => {
    const name = refunded(reference("00"), 5_000)
    assert.deepStrictEqual(contractAt(name, 5_000).refund, {
      amount: net_amount,
      pix_copy_paste: contractAt(name, 5_000).refund!.pix_copy_paste,
      expires_at: msAfter(5_000 + 7 * 86_400_000)
    })
    assert.deepStrictEqual([5_000, 5_999, 6_000].map((at) => contractAt(name, at).status), [
      "REFUND_PENDING",
      "REFUND_PENDING",
      "REFUNDED"
    ])
    assert.isUndefined(contractAt(name, 6_000).refund)
    assert.deepStrictEqual(refunded(reference("00"), 2_000), Option.some(reference("00")), "not paid yet")
  })

  it("SANDBOX-11 74 is PAID again when the refund is not paid in time, and can be refunded again", () => {
    const name = Option.getOrThrow(refunded(reference("74"), 5_000))
    assert.strictEqual(contractAt(Option.some(name), 5_000).refund?.expires_at, msAfter(6_000))
    assert.strictEqual(contractAt(Option.some(name), 6_000).status, "PAID")
    assert.strictEqual(contractAt(refunded(name, 9_000), 9_000).status, "REFUND_PENDING")
  })

  it("SANDBOX-11 a reference of an earlier version has no amount, so it cannot be refunded", () => {
    const customer = { cpf: sandboxCpf("00") }
    const old = sandboxReference({ accepted_at: noon, proposal_id: idOf<ProposalId>(900_003), customer })
    assert.isTrue(Option.isNone(refunded(old, 5_000)))
    assert.isUndefined(contractAt(Option.some(old), 5_000).paid)
  })

  it("a paid contract states the amount, the time and the end-to-end id of its payment", () => {
    assert.deepStrictEqual(contractAt(Option.some(reference("00")), 60_000).paid, {
      amount: net_amount,
      at: msAfter(3_000),
      end_to_end_id: contractAt(Option.some(reference("00")), 3_000).paid!.end_to_end_id
    })
    const payment = { reference: reference("88"), disbursement_attempt: 2, requested_at: msAfter(9_000) }
    assert.strictEqual(contractAt(sandboxPaymentReference(payment), 60_000).paid?.at, msAfter(10_000))
  })

  it("a new signature link differs from the last, and only a contract that awaits its signature gets one", () => {
    const renamed = sandboxLinkReference(reference("00"), msAfter(10), stepMs)
    const [before, after] = [contractAt(Option.some(reference("00")), 10), contractAt(renamed, 10)]
    assert.strictEqual(after.status, "AWAITING_SIGNATURE")
    assert.notStrictEqual(after.signature_url, before.signature_url)
    assert.strictEqual(contractAt(renamed, 3_000).status, "PAID")
    assert.deepStrictEqual(
      sandboxLinkReference(reference("00"), msAfter(1_000), stepMs),
      Option.some(reference("00"))
    )
  })

  it.effect("the adapter offers every exit, and finds no contract without a reference", () =>
    Effect.gen(function*() {
      const lender = yield* Lender
      assert.deepStrictEqual(yield* lender.exits, { cancel: true, refund: true, signature_link: true })
      const { proposal_id } = aSubmission("00")
      const reason = "CUSTOMER_REQUEST"
      const requested_at = timestampOf(0)
      assert.isNull(yield* lender.cancel({ proposal_id, reference: null, reason, requested_at }))
      const refund = lender.refund({ proposal_id, reference: "contract-1", reason, requested_at })
      assert.strictEqual((yield* Effect.flip(refund))._tag, "LenderUnsupported")
    }).pipe(Effect.provide(layerSandboxLender())))
})

describe("sandbox lender: callbacks", () => {
  const callback = (body: unknown, authorization?: string) =>
    sandboxCallback({
      body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
      headers: authorization === undefined ? {} : { authorization }
    })
  const quote_id = "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f41"
  const proposal_id = "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f42"

  it("SANDBOX-12 names quotes and contracts, with the token of the sandbox only", () => {
    const named = (body: unknown) => Result.getOrThrow(callback(body, "Bearer sandbox"))
    assert.deepStrictEqual<unknown>(named({ quote_id }), [{ kind: "quote", quote_id }])
    assert.deepStrictEqual<unknown>(named({ callback_key: "k" }), [{ kind: "quote", callback_key: "k" }])
    assert.deepStrictEqual<unknown>(named({ proposal_id }), [{ kind: "contract", proposal_id }])
    assert.deepStrictEqual<unknown>(named({ reference: "r" }), [{ kind: "contract", reference: "r" }])
    for (const body of ["", "{", "[]", {}, { other: 1 }, { quote_id: 1 }]) assert.isEmpty(named(body))
    for (const authorization of [undefined, "", "Bearer other", "sandbox"]) {
      assert.isTrue(Result.isFailure(callback({ quote_id }, authorization)))
    }
  })
})
