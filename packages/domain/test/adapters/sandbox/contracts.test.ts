import { assert, describe, it } from "@effect/vitest"
import { cpf as cpfs } from "@lastro/testkit/arbitraries"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { layerSandboxLender } from "../../../src/adapters/sandbox/layerSandboxLender.ts"
import { sandboxContract, sandboxPaymentReference } from "../../../src/adapters/sandbox/sandboxContract.ts"
import { sandboxCpf } from "../../../src/adapters/sandbox/sandboxCpf.ts"
import { sandboxReference } from "../../../src/adapters/sandbox/sandboxReference.ts"
import { defaultScenario, sandboxScenarios } from "../../../src/adapters/sandbox/sandboxScenarios.ts"
import { disbursementOf } from "../../../src/kyc/Disbursement.ts"
import { Lender } from "../../../src/lender/Lender.ts"
import { type Application } from "../../../src/loan/Application.ts"
import { evolve } from "../../../src/loan/evolve.ts"
import { type ContractSubmission, type LenderContract } from "../../../src/loan/LenderContract.ts"
import { signatureLink } from "../../../src/loan/signatureLink.ts"
import { type ProposalId } from "../../../src/values/ids.ts"
import { millisOf } from "../../../src/values/Timestamp.ts"
import {
  applyCommands,
  completeKyc,
  contractingApplication,
  customer,
  eventsOf,
  idOf,
  msAfter,
  noon,
  storedProposal,
  submitKyc
} from "../../loan/examples.ts"

const stepMs = 1_000
const proposal_id = idOf<ProposalId>(900_003)
const reference = (digits: string) =>
  sandboxReference({ accepted_at: noon, proposal_id, customer: { cpf: sandboxCpf(digits) } })

const contractAfter = (digits: string, milliseconds: number, pause: number = stepMs): LenderContract =>
  Option.getOrThrow(sandboxContract(reference(digits), msAfter(milliseconds), pause))

/** The statuses of a contract at once and after each step, and the reason it fails. */
const courses: ReadonlyArray<readonly [digits: string, course: ReadonlyArray<string>, reason?: string]> = [
  ["00", ["AWAITING_SIGNATURE", "GUARANTEE_PENDING", "DISBURSING", "PAID", "PAID"]],
  ["79", ["AWAITING_SIGNATURE", "GUARANTEE_PENDING", "DISBURSING", "PAID", "PAID"]],
  [
    "88",
    ["AWAITING_SIGNATURE", "GUARANTEE_PENDING", "DISBURSING", "DISBURSEMENT_FAILED", "DISBURSEMENT_FAILED"],
    "DISBURSEMENT_FAILED"
  ],
  [
    "68",
    ["IN_ANALYSIS", "AWAITING_SIGNATURE", "GUARANTEE_PENDING", "DISBURSING", "PAID", "PAID"]
  ],
  ["69", ["AWAITING_SIGNATURE", "GUARANTEE_PENDING", "DISBURSING", "DISBURSING", "SETTLED", "SETTLED"]],
  ["73", ["AWAITING_SIGNATURE", "GUARANTEE_PENDING", "DISBURSING", "PAID", "REFUNDED", "REFUNDED"], "LENDER_POLICY"],
  ["87", ["AWAITING_SIGNATURE", "CANCELLED", "CANCELLED"], "SIGNATURE_EXPIRED"],
  ["86", ["AWAITING_SIGNATURE", "REJECTED", "REJECTED"], "LENDER_POLICY"],
  ["80", ["AWAITING_SIGNATURE", "REJECTED", "REJECTED"], "KYC_REJECTED"]
]

/** Applies lender statuses to an application. */
const applyContract = (application: Application, contract: LenderContract, milliseconds: number): Application =>
  eventsOf(application, { _tag: "RecordContract", at: msAfter(milliseconds), contract })
    .reduce(evolve, application)

const submission: ContractSubmission = {
  proposal_id,
  application_id: idOf(900_001),
  accepted_at: noon,
  acceptance: { accepted_at: noon, ip: null, user_agent: null },
  origin: null,
  offer: contractingApplication().quotes[0].offers[0]!,
  customer: { ...customer, cpf: sandboxCpf("88") },
  kyc: completeKyc,
  disbursement: disbursementOf(completeKyc)
}

describe("sandbox lender contracts", () => {
  for (const [digits, course, reason] of courses) {
    it(`SANDBOX-07 ending ${digits}: one step per second through ${course.join(", ")}`, () => {
      assert.deepStrictEqual(course.map((_, step) => contractAfter(digits, step * stepMs).status), course)
      assert.strictEqual(contractAfter(digits, stepMs - 1).status, course[0])
      assert.strictEqual(contractAfter(digits, 60_000).rejection?.code, reason)
      assert.strictEqual(contractAfter(digits, 0).rejection, null)
      assert.strictEqual(contractAfter(digits, 0, 0).status, course.at(-1))
    })
  }

  it("SANDBOX-07 a contract can be signed only while it is awaiting signature", () => {
    assert.match(contractAfter("00", 0).signature_url ?? "", /^https:\/\//)
    assert.strictEqual(contractAfter("00", stepMs).signature_url, null)
    assert.strictEqual(contractAfter("00", -5_000).status, "AWAITING_SIGNATURE")
  })

  it("SANDBOX-06 SANDBOX-07 a repeated payment succeeds one step after it is requested", () => {
    const requested_at = msAfter(60_000)
    const again = (name: string) =>
      Option.getOrThrow(sandboxPaymentReference({ reference: name, disbursement_attempt: 2, requested_at }))
    const renamed = again(reference("88"))
    assert.notStrictEqual(renamed, reference("88"))
    const paid = (milliseconds: number, pause: number) =>
      Option.getOrThrow(sandboxContract(renamed, msAfter(milliseconds), pause))
    assert.strictEqual(paid(60_999, stepMs).status, "DISBURSING")
    assert.strictEqual(paid(61_000, stepMs).status, "PAID")
    assert.strictEqual(paid(60_000, 0).status, "PAID")
    assert.deepInclude(paid(61_000, stepMs), { disbursement_attempt: 2, rejection: null })
  })

  it("SANDBOX-06 repeating a payment request keeps its reference, whatever request time is sent", () => {
    const pay = (name: string, disbursement_attempt: number, milliseconds: number) =>
      Option.getOrThrow(
        sandboxPaymentReference({ reference: name, disbursement_attempt, requested_at: msAfter(milliseconds) })
      )
    const second = pay(reference("88"), 2, 60_000)
    assert.strictEqual(pay(reference("88"), 2, 60_000), second)
    assert.strictEqual(pay(second, 2, 90_000), second)
    assert.strictEqual(pay(second, 1, 90_000), second)
    assert.notStrictEqual(pay(second, 3, 90_000), second)
  })

  it("SANDBOX-05 contract references are unique and reveal nothing of the CPF but an unusual scenario", () => {
    const others = cpfs.filter((cpf) => !cpf.endsWith("76"))
    fc.assert(fc.property(others, fc.uuid(), (cpf, uuid) => {
      const name = sandboxReference({ accepted_at: noon, proposal_id: uuid as ProposalId, customer: { cpf } })
      const digits = cpf.slice(-2)
      const scenario = sandboxScenarios.get(digits)
      const isUsual = scenario === undefined ||
        ["is_analysed", "contract", "pays_refund", "pays_on_cancel"].every((field) =>
          Reflect.get(scenario, field) === Reflect.get(defaultScenario, field)
        )
      const facts = [isUsual ? "usual" : scenario.contract_name, uuid, millisOf(noon), 1, millisOf(noon)]
      assert.strictEqual(name, ["sandbox", ...facts].join("."))
      const contract = sandboxContract(name, noon, stepMs, "https://api.example.com/sandbox/signature")
      const { signature_url, status } = Option.getOrThrow(contract)
      const link = `https://api.example.com/sandbox/signature?reference=${name}`
      assert.strictEqual(signature_url, status === "AWAITING_SIGNATURE" ? link : null)
      assert.strictEqual(signatureLink(signature_url), signature_url)
    }))
    const named = Array.from(sandboxScenarios.values(), ({ contract_name }) => contract_name)
      .filter((name) => name !== "usual")
    assert.strictEqual(new Set(named).size, named.length)
    for (const name of named) assert.match(name, /^[a-z-]+$/)
  })

  it("SANDBOX-05 a reference of an earlier version, which contains the digits, selects the same scenario", () => {
    for (const digits of sandboxScenarios.keys()) {
      const old = reference(digits).replace(/^sandbox\.[a-z-]+/, `sandbox.${digits}`)
      for (const ms of [0, 1_000, 2_000, 3_000]) {
        const [before, now] = [old, reference(digits)].map((one) => {
          const { rejection, status } = Option.getOrThrow(sandboxContract(one, msAfter(ms), stepMs))
          return { rejection, status }
        })
        assert.deepStrictEqual(before, now, digits)
      }
    }
  })

  it("SANDBOX-05 every contract with the ending 76 has the same reference", () => {
    const other = { accepted_at: msAfter(1_000), proposal_id: idOf<ProposalId>(900_004) }
    const duplicate = sandboxReference({ ...other, customer: { cpf: sandboxCpf("76", 1) } })
    assert.strictEqual(duplicate, reference("76"))
    assert.notStrictEqual(sandboxReference({ ...other, customer: { cpf: sandboxCpf("00", 1) } }), reference("00"))
    assert.strictEqual(contractAfter("76", 0).status, "PAID")
  })

  it("SANDBOX-05 SANDBOX-06 a reference it did not issue is not a contract", () => {
    for (const foreign of ["", "contract-1", `${reference("00")}x`, reference("00").replace("sandbox", "other")]) {
      assert.isTrue(Option.isNone(sandboxContract(foreign, noon, stepMs)))
      const payment = { reference: foreign, disbursement_attempt: 2, requested_at: noon }
      assert.isTrue(Option.isNone(sandboxPaymentReference(payment)))
    }
  })

  it.effect("the adapter applies the rules at the current time: resubmitting returns the same contract, even after a restart", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(millisOf(noon))
      const node = Effect.provide(Lender, layerSandboxLender({ stepMs }), { local: true })
      const [lender, restarted] = [yield* node, yield* node]
      const made = yield* lender.submit(submission)
      assert.deepStrictEqual(yield* restarted.submit(submission), made)
      yield* TestClock.adjust("3 seconds")
      assert.strictEqual((yield* restarted.contract(made.reference)).status, "DISBURSEMENT_FAILED")
      const payment = {
        proposal_id,
        reference: made.reference,
        disbursement: submission.disbursement,
        disbursement_attempt: 2,
        requested_at: msAfter(3_000)
      }
      const paying = yield* lender.resubmit(payment)
      assert.strictEqual(paying.status, "DISBURSING")
      assert.deepStrictEqual(yield* restarted.resubmit(payment), paying)
      yield* TestClock.adjust("1 seconds")
      assert.strictEqual((yield* restarted.contract(paying.reference)).status, "PAID")
      assert.strictEqual((yield* Effect.flip(lender.contract("contract-1"))).reason, "ASKED")
    }))

  it("FGTS-26 an application stores the reference of the repeated payment and becomes PAID by that reference only", () => {
    let application = contractingApplication()
    const currentReference = () => storedProposal(application)?.reference ?? reference("88")
    const poll = (milliseconds: number) => {
      const contract = Option.getOrThrow(sandboxContract(currentReference(), msAfter(milliseconds), stepMs))
      application = applyContract(application, contract, milliseconds)
      return application.proposal?.status
    }
    assert.strictEqual(poll(0), "AWAITING_SIGNATURE")
    assert.strictEqual(poll(3_000), "DISBURSEMENT_FAILED")
    application = applyCommands(application, submitKyc(completeKyc, msAfter(60_000)))
    assert.strictEqual(poll(60_001), "DISBURSING", "a change to the first payment is ignored")
    const renamed = Option.getOrThrow(
      sandboxPaymentReference({
        reference: currentReference(),
        disbursement_attempt: 2,
        requested_at: msAfter(60_000)
      })
    )
    application = applyContract(
      application,
      Option.getOrThrow(sandboxContract(renamed, msAfter(60_002), stepMs)),
      60_002
    )
    assert.deepInclude(storedProposal(application), {
      status: "DISBURSING",
      reference: renamed,
      updated_at: msAfter(60_002)
    })
    assert.strictEqual(poll(61_000), "PAID")
    assert.deepStrictEqual(application.proposal?.status_history.slice(3).map(({ status }) => status), [
      "DISBURSING",
      "DISBURSEMENT_FAILED",
      "DISBURSING",
      "PAID"
    ])
  })

  it("FGTS-26 the first signature URL is recorded; another or a missing one is no new version", () => {
    const waiting = (signature_url: string | null): LenderContract => ({ ...contractAfter("00", 0), signature_url })
    const waits = applyContract(contractingApplication(), waiting(null), 0)
    assert.strictEqual(storedProposal(waits)?.signature_url, null)
    const can = applyContract(waits, waiting("https://lender.example/1"), 10)
    assert.deepInclude(storedProposal(can), { status: "AWAITING_SIGNATURE", signature_url: "https://lender.example/1" })
    assert.strictEqual(can.version, waits.version + 1)
    assert.strictEqual(applyContract(can, waiting("https://lender.example/1"), 20), can)
    assert.strictEqual(applyContract(can, waiting(null), 20), can)
    assert.strictEqual(applyContract(can, waiting("https://lender.example/2"), 20), can)
  })

  it("FGTS-26 a final contract records no further changes", () => {
    const cancelled = applyContract(contractingApplication(), contractAfter("87", 3_000), 3_000)
    assert.strictEqual(cancelled.proposal?.status, "CANCELLED")
    const renamed = { ...contractAfter("87", 3_000), reference: "other", signature_url: "https://lender.example/1" }
    assert.strictEqual(applyContract(cancelled, renamed, 4_000), cancelled)
  })
})
