import { assert, describe } from "@effect/vitest"
import { Lender } from "@lastro/domain/lender"
import { type Timestamp } from "@lastro/domain/values"
import { aResubmission, exampleBank, exampleProposal as proposal_id } from "@lastro/testkit"
import { Effect } from "effect"
import { offered, onQitech, submissionOf } from "./harness.ts"

const requested_at = "2026-12-01T15:00:00.000Z" as Timestamp
const day = 86_400_000

/** Submits the first offer of a quote. */
const submitted = Effect.fnUntraced(function*(simulator: Parameters<typeof offered>[0], kyc: object = {}) {
  const lender = yield* Lender
  const offer = yield* offered(simulator)
  return { lender, offer, contract: yield* lender.submit(submissionOf(offer, kyc)) }
})

describe("a contract at QI Tech", () => {
  onQitech(
    "is submitted with documents, borrower, guarantee and account, and returns a signature link",
    function*({ simulator }) {
      const { contract, offer } = yield* submitted(simulator)
      const [debt] = simulator.debts()
      assert.strictEqual(contract.status, "AWAITING_SIGNATURE")
      assert.strictEqual(contract.reference, debt?.key)
      assert.strictEqual(contract.signature_url, `https://sign.example/${debt?.key}`)
      assert.strictEqual(simulator.documents().length, 3)
      assert.strictEqual(debt?.requester_identifier_key, proposal_id.replace(/^(.{14})7/, "$14"))
      const { json } = simulator.calls.find(({ path }) => path === "/baas/debt_fgts")!
      const issue = json as {
        readonly borrower: Record<string, unknown>
        readonly collaterals: ReadonlyArray<Record<string, unknown>>
        readonly disbursement_bank_accounts: ReadonlyArray<unknown>
      }
      assert.strictEqual(issue.borrower["marital_status"], "married")
      assert.deepStrictEqual(issue.borrower["spouse"], { person_type: "natural", name: "Rui Exemplo" })
      assert.deepStrictEqual(issue.borrower["phone"], { country_code: "055", area_code: "11", number: "987654321" })
      assert.deepStrictEqual(issue.collaterals[0]?.["collateral_data"], {
        periods: offer.terms.installments.map(({ amount, due_date }) => ({ due_date, amount: amount / 100 }))
      })
      assert.strictEqual(debt?.data.disbursed_issue_amount, offer.terms.net_amount / 100)
    }
  )

  onQitech("is created once, although every answer is lost", function*({ simulator }) {
    const lender = yield* Lender
    const submission = submissionOf(yield* offered(simulator))
    simulator.injectFaults(/upload/, "LOSE")
    simulator.injectFaults(/POST \/baas\/debt_fgts/, "DROP", "LOSE")
    simulator.injectFaults(/requester_identifier_key/, null, null, null, { status: 500, body: {} })
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      assert.strictEqual(
        (yield* Effect.flip(lender.submit(submission)))._tag,
        "LenderUnavailable",
        `attempt ${attempt}`
      )
    }
    const contract = yield* lender.submit(submission)
    assert.strictEqual(contract.status, "AWAITING_SIGNATURE")
    assert.strictEqual(contract.signature_url, `https://sign.example/${contract.reference}`)
    assert.deepStrictEqual(yield* lender.submit(submission), contract)
    assert.strictEqual(simulator.debts().length, 1)
  })

  onQitech("is found again if QI Tech refuses a second issue with the same key", function*({ simulator }) {
    const { contract, lender, offer } = yield* submitted(simulator)
    simulator.injectFaults(/GET .*requester_identifier_key/, { status: 404, body: { data: "{}" } })
    assert.strictEqual((yield* lender.submit(submissionOf(offer))).reference, contract.reference)
    assert.strictEqual(simulator.debts().length, 1)
  })

  onQitech("moves from the signature to PAID, whatever the order of the callbacks", function*({ simulator }) {
    const { contract: { reference }, lender } = yield* submitted(simulator)
    simulator.sign()
    assert.strictEqual((yield* lender.contract(reference)).status, "GUARANTEE_PENDING")
    for (const status of ["collateral_constituted", "waiting_disbursement", "issued", "disbursing"]) {
      simulator.setStatus(status)
      assert.strictEqual((yield* lender.contract(reference)).status, "DISBURSING", status)
    }
    simulator.pay()
    const paid = yield* lender.contract(reference)
    assert.strictEqual(paid.status, "PAID")
    simulator.setStatus("settled")
    const settled = yield* lender.contract(reference)
    assert.deepStrictEqual([settled.status, settled.paid], ["SETTLED", paid.paid])
  })

  onQitech("states the payment if no table has a fee", function*({ simulator }) {
    const { contract: { reference }, lender, offer } = yield* submitted(simulator)
    simulator.pay()
    assert.deepStrictEqual((yield* lender.contract(reference)).paid, {
      amount: offer.terms.net_amount,
      at: "2026-12-01T03:00:00.000Z" as Timestamp,
      end_to_end_id: null
    })
  }, { tables: [{ code: "one", label: "One", monthly_rate: 1.8 as never, fee: { kind: "none" } }] })

  onQitech("keeps its status for an unknown status", function*({ simulator }) {
    const { contract: { reference }, lender } = yield* submitted(simulator)
    simulator.setStatus("something_new")
    const failure = yield* Effect.flip(lender.contract(reference))
    assert.deepStrictEqual([failure.reason, failure.detail], ["ASKED", "debt: unknown status"])
  })

  const ends = [
    ["waiting_signature", "CANCELLED", "SIGNATURE_EXPIRED"],
    ["manual", "CANCELLED", "CUSTOMER_CANCELLED"],
    ["not_collateral_constituted", "REJECTED", "LENDER_POLICY"],
    ["signature_evidence_rejected", "REJECTED", "KYC_REJECTED"],
    ["something_new", "REJECTED", "LENDER_POLICY"],
    ["disbursing_error", "DISBURSEMENT_FAILED", "DISBURSEMENT_FAILED"],
    ["disbursed_amount_refunded", "REFUNDED", "CUSTOMER_CANCELLED"]
  ] as const
  for (const [reason, status, code] of ends) {
    onQitech(`is ${status} with ${code} if it was cancelled for ${reason}`, function*({ simulator }) {
      const { contract: { reference }, lender } = yield* submitted(simulator)
      simulator.cancelFor(reason)
      yield* Effect.promise(() => simulator.deliver({ times: 2, reversed: true }))
      const contract = yield* lender.contract(reference)
      assert.deepStrictEqual([contract.status, contract.rejection?.code], [status, code])
    })
  }

  onQitech(
    "keeps its status if the reason of a cancellation is missing, and has the callback sent again",
    function*({ simulator }) {
      const { contract: { reference }, lender } = yield* submitted(simulator)
      simulator.loseWebhooks()
      simulator.expireSignature()
      simulator.loseWebhooks()
      assert.strictEqual((yield* Effect.flip(lender.contract(reference))).detail, "debt: no reason")
      yield* Effect.promise(() => simulator.deliver())
      assert.strictEqual((yield* lender.contract(reference)).status, "CANCELLED")
    }
  )

  onQitech("is presented again on the next day if the banks had closed", function*({ simulator }) {
    const { contract: { reference }, lender } = yield* submitted(simulator)
    simulator.sign()
    simulator.refusePayment("disbursing_hour_closed")
    yield* Effect.promise(() => simulator.deliver())
    assert.strictEqual((yield* lender.contract(reference)).status, "DISBURSING")
    assert.deepStrictEqual([simulator.debts()[0]?.status, simulator.debts()[0]?.presented], ["issued", 2])
    assert.strictEqual((yield* lender.contract(reference)).status, "DISBURSING")
    assert.strictEqual(simulator.debts()[0]?.presented, 2)
  })

  onQitech("is paid to a corrected account, once, although every answer is lost", function*({ simulator }) {
    const { contract: { reference }, lender } = yield* submitted(simulator)
    simulator.sign()
    simulator.refusePayment("pix_refusal")
    yield* Effect.promise(() => simulator.deliver())
    const failed = yield* lender.contract(reference)
    assert.deepStrictEqual([failed.status, failed.disbursement_attempt], ["DISBURSEMENT_FAILED", 1])
    const disbursement = { method: "BANK_TRANSFER", pix: null, bank: exampleBank } as const
    const correction = aResubmission(reference, { disbursement })
    simulator.injectFaults(/PUT/, "LOSE")
    simulator.injectFaults(/PATCH/, "DROP", "LOSE")
    for (let attempt = 1; attempt <= 3; attempt += 1) yield* Effect.flip(lender.resubmit(correction))
    const again = yield* lender.resubmit(correction)
    assert.deepStrictEqual([again.status, again.disbursement_attempt], ["DISBURSING", 2])
    assert.strictEqual(simulator.debts()[0]?.presented, 2)
    assert.deepStrictEqual(simulator.debts()[0]?.accounts, [{
      name: "Ana Exemplo",
      document_number: submissionOf(yield* offered(simulator)).kyc.cpf,
      pix_transfer_type: "manual",
      bank_code: "341",
      branch_number: "1234",
      account_number: "00012345",
      account_digit: "0",
      account_type: "checking_account",
      percentage_receivable: 100
    }])
    simulator.refusePayment("ted_refusal")
    yield* Effect.promise(() => simulator.deliver())
    const second = yield* lender.contract(again.reference)
    assert.deepStrictEqual([second.status, second.disbursement_attempt], ["DISBURSEMENT_FAILED", 2])
  })

  onQitech(
    "fails again if QI Tech refuses the corrected account, and can be corrected again",
    function*({ simulator }) {
      const { contract: { reference }, lender } = yield* submitted(simulator)
      simulator.sign()
      simulator.refusePayment("pix_refusal")
      yield* Effect.promise(() => simulator.deliver())
      simulator.refuseAccount("pix_key")
      const refused = yield* lender.resubmit(aResubmission(reference))
      assert.deepStrictEqual(
        [refused.status, refused.disbursement_attempt, refused.rejection?.code],
        ["DISBURSEMENT_FAILED", 2, "DISBURSEMENT_FAILED"]
      )
      assert.deepStrictEqual(yield* lender.contract(refused.reference), refused)
      const bank = { ...exampleBank, bank_code: "60701190" }
      const ispb = { disbursement: { method: "BANK_TRANSFER", pix: null, bank } as const, disbursement_attempt: 3 }
      const third = yield* lender.resubmit(aResubmission(refused.reference, ispb))
      assert.deepStrictEqual([third.status, third.disbursement_attempt], ["DISBURSEMENT_FAILED", 3])
      simulator.refuseAccount(null)
      const fourth = yield* lender.resubmit(aResubmission(third.reference, { disbursement_attempt: 4 }))
      assert.deepStrictEqual([fourth.status, fourth.disbursement_attempt], ["DISBURSING", 4])
      assert.strictEqual(simulator.debts()[0]?.presented, 2)
    }
  )

  onQitech("is INVALID with the fields that QI Tech names, and can be submitted again", function*({ simulator }) {
    const lender = yield* Lender
    const offer = yield* offered(simulator)
    const missing = yield* Effect.flip(lender.submit(submissionOf(offer, { profession: null, documents: [] })))
    assert.deepStrictEqual(
      missing._tag === "SubmissionInvalid" ? missing.fields.map(({ field }) => field) : missing._tag,
      ["profession", "documents"]
    )
    const named = yield* Effect.flip(lender.submit(submissionOf(offer, { mother_name: null, nationality: null })))
    assert.deepStrictEqual(
      named._tag === "SubmissionInvalid" ? named.fields : named._tag,
      [{ field: "mother_name", code: "LEG000069" }, { field: "nationality", code: "LEG000069" }]
    )
    simulator.refuseAccount("pix_key")
    const account = yield* Effect.flip(lender.submit(submissionOf(offer)))
    assert.deepStrictEqual(
      account._tag === "SubmissionInvalid" ? account.fields : account._tag,
      [{ field: "pix.key", code: "COP000157" }]
    )
    const ispb = { disbursement_method: "BANK_TRANSFER", bank: { ...exampleBank, bank_code: "60701190" } }
    const code = yield* Effect.flip(lender.submit(submissionOf(offer, ispb)))
    assert.deepStrictEqual(
      code._tag === "SubmissionInvalid" ? code.fields : code._tag,
      [{ field: "bank.bank_code", code: "COMPE_REQUIRED" }]
    )
    simulator.refuseAccount(null)
    assert.strictEqual((yield* lender.submit(submissionOf(offer))).status, "AWAITING_SIGNATURE")
  })

  onQitech("is INVALID if a document cannot be read as it is referenced", function*({ simulator }) {
    const lender = yield* Lender
    const documents = [{ kind: "IDENTITY_FRONT", reference: "nowhere" }]
    const failure = yield* Effect.flip(lender.submit(submissionOf(yield* offered(simulator), { documents })))
    assert.deepStrictEqual(
      failure._tag === "SubmissionInvalid" ? failure.fields : failure._tag,
      [{ field: "documents", code: "DOCUMENT_NOT_FOUND" }]
    )
  })

  onQitech("is cancelled and REJECTED if it pays less than the accepted offer", function*({ simulator }) {
    simulator.setShortfall(1)
    const { contract } = yield* submitted(simulator)
    assert.deepStrictEqual([contract.status, contract.rejection?.code], ["REJECTED", "LENDER_POLICY"])
    assert.strictEqual(simulator.debts()[0]?.status, "canceled_permanently")
  })
})

describe("exits at QI Tech", () => {
  const cancellation = { proposal_id, reason: "CUSTOMER_REQUEST", requested_at } as const

  onQitech(
    "a contract is cancelled before and after its signature, although answers are lost",
    function*({ simulator }) {
      const { contract: { reference }, lender } = yield* submitted(simulator)
      simulator.sign()
      simulator.injectFaults(/PATCH/, "LOSE")
      simulator.injectFaults(/cancel_permanently/, "LOSE")
      yield* Effect.flip(lender.cancel({ ...cancellation, reference }))
      yield* Effect.flip(lender.cancel({ ...cancellation, reference }))
      const contract = yield* lender.cancel({ ...cancellation, reference })
      assert.deepStrictEqual([contract?.status, contract?.rejection?.code], ["CANCELLED", "CUSTOMER_CANCELLED"])
      assert.strictEqual(simulator.debts()[0]?.status, "canceled_permanently")
    }
  )

  onQitech(
    "a contract whose answer was lost is found by the proposal; without one the answer is null",
    function*({ pass, simulator }) {
      const lender = yield* Lender
      assert.strictEqual(
        (yield* Effect.flip(lender.cancel({ ...cancellation, reference: null })))._tag,
        "LenderUnavailable"
      )
      yield* pass(5 * 60_000)
      assert.isNull(yield* lender.cancel({ ...cancellation, reference: null }))
      simulator.injectFaults(/requester/, { status: 400, body: { data: JSON.stringify({ code: "LEG000013" }) } })
      assert.isNull(yield* lender.cancel({ ...cancellation, reference: null }))
      yield* submitted(simulator)
      assert.strictEqual((yield* lender.cancel({ ...cancellation, reference: null }))?.status, "CANCELLED")
    }
  )

  onQitech("a paid contract is not cancelled", function*({ simulator }) {
    const { contract: { reference }, lender } = yield* submitted(simulator)
    simulator.sign()
    simulator.pay()
    assert.strictEqual((yield* lender.cancel({ ...cancellation, reference }))?.status, "PAID")
  })

  onQitech("a paid contract is refunded: REFUND_PENDING with the PIX code, then REFUNDED", function*({ simulator }) {
    const { contract: { reference }, lender, offer } = yield* submitted(simulator)
    simulator.sign()
    simulator.pay()
    const request = { proposal_id, reference, reason: "CUSTOMER_REQUEST", requested_at } as const
    simulator.injectFaults(/reversal/, "LOSE")
    yield* Effect.flip(lender.refund(request))
    const pending = yield* lender.refund(request)
    assert.strictEqual(pending.status, "REFUND_PENDING")
    assert.strictEqual(pending.refund?.amount, offer.terms.net_amount)
    assert.strictEqual(pending.refund?.expires_at, "2026-12-16T03:00:00.000Z" as Timestamp)
    assert.strictEqual(simulator.calls.filter(({ path }) => path === "/debt/reversal").length, 1)
    assert.deepStrictEqual(yield* lender.contract(reference), pending)
    simulator.payRefund()
    yield* Effect.promise(() => simulator.deliver({ times: 2 }))
    assert.strictEqual((yield* lender.contract(reference)).status, "REFUNDED")
  })

  onQitech("a contract is REFUNDED after the refund was paid, although the callback is lost", function*({ simulator }) {
    const { contract: { reference }, lender } = yield* submitted(simulator)
    simulator.pay()
    yield* lender.refund({ proposal_id, reference, reason: "OTHER", requested_at })
    simulator.payRefund()
    simulator.loseWebhooks()
    const contract = yield* lender.contract(reference)
    assert.deepStrictEqual([contract.status, contract.rejection?.code], ["REFUNDED", "CUSTOMER_CANCELLED"])
  })

  onQitech("a refund that is not paid in time leaves the contract PAID", function*({ pass, simulator }) {
    const { contract: { reference }, lender } = yield* submitted(simulator)
    simulator.pay()
    const request = { proposal_id, reference, reason: "OTHER", requested_at } as const
    assert.strictEqual((yield* lender.refund(request)).status, "REFUND_PENDING")
    yield* pass(15 * day)
    assert.strictEqual((yield* lender.contract(reference)).status, "PAID")
    assert.strictEqual((yield* lender.refund(request)).status, "PAID")
  })

  onQitech(
    "a failed look at the refund does not hide the payment, unless Lastro has requested a refund",
    function*({ simulator }) {
      const { contract: { reference }, lender } = yield* submitted(simulator)
      simulator.pay()
      for (const status of [400, 403, 422, 500]) {
        simulator.injectFaults(/pix_qrcode/, { status, body: { code: "QIT000001" } })
        assert.strictEqual((yield* lender.contract(reference)).status, "PAID", `status ${status}`)
      }
      yield* lender.refund({ proposal_id, reference, reason: "OTHER", requested_at })
      simulator.injectFaults(/pix_qrcode/, { status: 500, body: {} })
      assert.strictEqual((yield* Effect.flip(lender.contract(reference)))._tag, "LenderUnavailable")
      assert.strictEqual((yield* lender.contract(reference)).status, "REFUND_PENDING")
    }
  )

  onQitech("once a debt exists, a failed submission is never one that had no effect", function*({ simulator }) {
    const lender = yield* Lender
    const submission = submissionOf(yield* offered(simulator))
    const failWith = (pattern: RegExp, status: number) =>
      Effect.gen(function*() {
        simulator.injectFaults(pattern, { status, body: {} })
        const failure = yield* Effect.flip(lender.submit(submission))
        return failure._tag === "LenderUnavailable" ? failure.reason : failure._tag
      })
    assert.strictEqual(yield* failWith(/POST \/baas\/debt_fgts/, 403), "FORBIDDEN")
    yield* lender.submit(submission)
    assert.strictEqual(yield* failWith(/GET \/debt/, 403), "ASKED")
    assert.strictEqual(yield* failWith(/GET \/debt/, 429), "ASKED")
  })

  onQitech(
    "refunds that QI Tech has not enabled are not offered, and no refund is looked up",
    function*({ simulator }) {
      const { contract: { reference }, lender } = yield* submitted(simulator)
      assert.deepStrictEqual(yield* lender.exits, { cancel: true, refund: false, signature_link: false })
      const failure = yield* Effect.flip(lender.refund({ proposal_id, reference, reason: "OTHER", requested_at }))
      assert.strictEqual(failure._tag, "LenderUnsupported")
      assert.strictEqual((yield* Effect.flip(lender.signatureLink(reference)))._tag, "LenderUnsupported")
      simulator.pay()
      assert.strictEqual((yield* lender.contract(reference)).status, "PAID")
      assert.isEmpty(simulator.calls.filter(({ path }) => path.endsWith("/pix_qrcode")))
    },
    { refunds: false }
  )
})
