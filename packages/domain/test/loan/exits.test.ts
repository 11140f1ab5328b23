import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { changedFields, isCorrectable, pathsInBody, refusedFields } from "../../src/kyc/corrections.ts"
import { fgtsKyc } from "../../src/kyc/FgtsKyc.ts"
import { basicRequirements, type KycRequirements } from "../../src/kyc/KycRequirements.ts"
import { emptyKyc } from "../../src/kyc/KycValues.ts"
import { type Application } from "../../src/loan/Application.ts"
import { applicationStatus } from "../../src/loan/ApplicationStatus.ts"
import { cancellationReasons } from "../../src/loan/ContractFacts.ts"
import { cancellationRejection, isUnknownToLender } from "../../src/loan/decideCancel.ts"
import { isRegretKept, isWithinRegret } from "../../src/loan/decideWithdrawal.ts"
import { noExits } from "../../src/loan/LenderContract.ts"
import { offerStatus } from "../../src/loan/OfferStatus.ts"
import { possibleRequests } from "../../src/loan/possibleRequests.ts"
import { rejectionOf } from "../../src/loan/Proposal.ts"
import { eventsOfConflict } from "../../src/loan/referenceConflict.ts"
import { readProposal } from "../../src/origination/storedProposal.ts"
import { addDays, saoPauloDate, saoPauloMidnight } from "../../src/values/CalendarDate.ts"
import { type Timestamp } from "../../src/values/Timestamp.ts"
import {
  accept,
  applyCommands,
  cancel,
  completeKyc,
  contractingApplication,
  decideOn,
  eventsOf,
  hourMs,
  msAfter,
  newApplication,
  noon,
  offerId,
  priceQuote,
  quotedApplication,
  refuseRequest,
  refuseSubmission,
  renewLink,
  returnContractOfAnother,
  startSubmission,
  storedProposal,
  submitKyc,
  updateContract,
  withdraw
} from "./examples.ts"

const started = applyCommands(contractingApplication(), startSubmission())

describe("cancelling an application", () => {
  it("FGTS-29 the reason of the caller determines the rejection code", () => {
    const codes = cancellationReasons.map((reason) => [reason, cancellationRejection(reason).code])
    assert.deepStrictEqual(Object.fromEntries(codes), {
      CUSTOMER_REQUEST: "CUSTOMER_CANCELLED",
      DUPLICATE: "CANCELLED_BY_PARTNER",
      DATA_ERROR: "CANCELLED_BY_PARTNER",
      OTHER: "CANCELLED_BY_PARTNER"
    })
    assert.strictEqual(cancellationRejection("OTHER").kind, "FINAL")
  })

  it("FGTS-31 T46 before acceptance it is immediate, ends a pending quote and drops its late result", () => {
    const cancelled = applyCommands(newApplication(), cancel(noon, null, "DUPLICATE"))
    assert.strictEqual(applicationStatus(cancelled, noon), "CANCELLED")
    assert.deepInclude(cancelled.quotes[0], { outcome: "REJECTED", completed_at: noon })
    assert.strictEqual(cancelled.cancellation?.rejection.code, "CANCELLED_BY_PARTNER")
    assert.deepStrictEqual(eventsOf(cancelled, priceQuote(1)), [])
  })

  it("FGTS-07 FGTS-31 before acceptance its offers are DECLINED, expired or not", () => {
    const cancelled = applyCommands(quotedApplication(), cancel())
    for (const at of [noon, msAfter(48 * hourMs)]) {
      const statuses = cancelled.quotes.flatMap((quote) =>
        quote.offers.map((offer) => offerStatus(cancelled, quote, offer, at))
      )
      assert.deepStrictEqual(statuses, ["DECLINED", "DECLINED"])
    }
    assert.isTrue(Result.isFailure(decideOn(cancelled, cancel())))
  })

  it("FGTS-30 PROP-10 a proposal is cancelled at once before its submission starts, and then never submitted", () => {
    const cancelled = applyCommands(contractingApplication(), cancel())
    assert.deepInclude(cancelled.proposal, { status: "CANCELLED" as const, contract: null })
    assert.strictEqual(applyCommands(cancelled, startSubmission()), cancelled)
    assert.strictEqual(applyCommands(started, cancel()).proposal?.status, "CANCELLING")
    const refused = decideOn(started, cancel(noon, noExits))
    assert.deepInclude(Result.isFailure(refused) ? refused.failure : {}, { reason: "LENDER_MAY_HAVE_CONTRACT" })
  })

  it("FGTS-29 FGTS-53 an immediate cancellation keeps the caller's reason, which a late contract is cancelled with", () => {
    const cancelled = applyCommands(contractingApplication(), { ...cancel(), reason: "DUPLICATE" })
    assert.deepInclude(storedProposal(cancelled), {
      cancellation: { reason: "DUPLICATE" as const, requested_at: noon, from: "SUBMITTING" as const },
      rejection: cancellationRejection("DUPLICATE")
    })
  })

  it("FGTS-30 the lender provably has no contract before it was asked, after it refused the data, and after a conflict", () => {
    const isUnknown = ({ proposal }: Application) => proposal !== null && isUnknownToLender(proposal)
    assert.isTrue(isUnknown(contractingApplication()))
    assert.isTrue(isUnknown(applyCommands(started, refuseSubmission(["phone"]))))
    assert.isTrue(isUnknown(applyCommands(started, returnContractOfAnother())))
    assert.isFalse(isUnknown(started))
    const waiting = applyCommands(started, updateContract("AWAITING_SIGNATURE"))
    assert.isFalse(isUnknown(waiting))
    const known = applyCommands(started, cancel(), updateContract("AWAITING_SIGNATURE"))
    assert.isFalse(isUnknown(applyCommands(known, refuseRequest(known, noon, "REFUSED"))))
  })

  it("FGTS-30 a proposal of an earlier version, without the time of its submission, can be at the lender", () => {
    const stored = storedProposal(contractingApplication())
    assert.isDefined(stored)
    const { asked_at: _asked, ...old } = stored
    const application = { ...contractingApplication(), proposal: readProposal(old) }
    assert.strictEqual(applyCommands(application, cancel()).proposal?.status, "CANCELLING")
  })

  it("FGTS-35 ends when the lender has no contract", () => {
    const cancelling = applyCommands(started, cancel(noon, null, "DATA_ERROR"))
    const ended = applyCommands(cancelling, { _tag: "RecordNoContract", at: msAfter(1) }).proposal
    assert.deepInclude(ended, { status: "CANCELLED" as const, contract: null })
    assert.strictEqual(ended === null ? null : rejectionOf(ended)?.code, "CANCELLED_BY_PARTNER")
  })

  it("FGTS-36 the refusal of another request changes nothing: neither of a link that was requested before a cancellation, nor of an earlier link", () => {
    const waiting = applyCommands(started, updateContract("AWAITING_SIGNATURE"), renewLink(msAfter(1)))
    const late = refuseRequest(waiting, msAfter(4))
    const cancelling = applyCommands(waiting, cancel(msAfter(2)))
    assert.strictEqual(applyCommands(cancelling, late), cancelling)
    const again = applyCommands(waiting, refuseRequest(waiting, msAfter(2)), renewLink(msAfter(3)))
    assert.strictEqual(applyCommands(again, late), again)
    assert.strictEqual(applyCommands(waiting, late).proposal?.status, "AWAITING_SIGNATURE")
    assert.notStrictEqual(applyCommands(waiting, late), waiting)
  })

  it("FGTS-36 a cancellation that the lender does not offer brings the proposal back, with the reason", () => {
    const waiting = applyCommands(started, updateContract("GUARANTEE_PENDING"))
    const cancelling = applyCommands(waiting, cancel(noon, null))
    const back = applyCommands(cancelling, refuseRequest(cancelling)).proposal
    assert.deepInclude(back, { status: "GUARANTEE_PENDING" as const })
    assert.deepStrictEqual(back?.status_history.slice(-2).map(({ reason, status }) => [status, reason]), [
      ["CANCELLING", null],
      ["GUARANTEE_PENDING", "CANCELLATION_UNSUPPORTED"]
    ])
  })

  it("PROP-14 T41 a proposal that got the contract of another one stays SUBMITTING, and can be cancelled at once", () => {
    const conflicted = applyCommands(started, returnContractOfAnother())
    assert.deepInclude(conflicted.proposal, {
      status: "SUBMITTING" as const,
      contract: null,
      conflicting_reference: "taken"
    })
    assert.deepStrictEqual(eventsOf(conflicted, returnContractOfAnother()), [])
    // Otherwise, the proposal would be submitted again after a correction.
    assert.deepStrictEqual(eventsOf(conflicted, refuseSubmission()), [])
    const { proposal } = applyCommands(started, updateContract("AWAITING_SIGNATURE"))
    assert.deepStrictEqual(proposal && eventsOfConflict(proposal, { reference: "taken" }, noon), [])
    assert.strictEqual(applyCommands(conflicted, cancel()).proposal?.status, "CANCELLED")
    const cancelling = applyCommands(started, cancel())
    const ended = applyCommands(cancelling, returnContractOfAnother())
    assert.deepInclude(ended.proposal, { status: "CANCELLED" as const, contract: null })
  })
})

describe("correcting refused data", () => {
  it("PROP-07 the fields that a lender names are KYC fields or groups, each once", () => {
    const named = ["phone", "address.zipcode", "address[zipcode]", "address.nothing", "documents", "phone", "", "a.b"]
    assert.deepStrictEqual(refusedFields(named, basicRequirements), [
      "phone",
      "address.zipcode",
      "address"
    ])
  })

  it("PROP-08 exactly the refused fields can change, or all but cpf, birth_date and name if none is named", () => {
    assert.isTrue(isCorrectable(["address"], "address.zipcode"))
    assert.isFalse(isCorrectable(["address.zipcode"], "address.uf"))
    assert.isTrue(isCorrectable(["name"], "name"))
    const all = changedFields(emptyKyc, completeKyc)
    assert.sameMembers(all.filter((path) => !isCorrectable([], path)), ["cpf", "birth_date", "name"])
  })

  it("FGTS-28 the paths of a body are those of its fields, null included", () => {
    assert.deepStrictEqual(pathsInBody({ phone: null, pix: { key: "a", nothing: 1 }, unknown: 1, address: null }), [
      "phone",
      "pix.key",
      "address"
    ])
    assert.deepStrictEqual(pathsInBody("text"), [])
  })

  it("FGTS-28 FGTS-34 KYC-04 refused data is missing until it was submitted again, and the same proposal is submitted again", () => {
    const refused = applyCommands(started, refuseSubmission(["phone", "address.zipcode"]))
    assert.deepInclude(refused.proposal, { status: "CORRECTION_NEEDED" as const, submitted_at: null })
    assert.deepStrictEqual(refused.proposal?.status_history.at(-1)?.reason, "SUBMISSION_INVALID")
    assert.deepInclude(fgtsKyc(refused, emptyKyc), {
      complete: false,
      status: "PARTIAL",
      missing_fields: ["phone", "address.zipcode"]
    })
    const phone = { ...completeKyc, phone: "11912345678" as typeof completeKyc.phone }
    const half = applyCommands(refused, submitKyc(phone, msAfter(1), false, ["phone"]))
    assert.deepStrictEqual(fgtsKyc(half, emptyKyc).missing_fields, ["address.zipcode"])
    const whole = applyCommands(half, submitKyc(phone, msAfter(2), false, ["address.zipcode"]))
    assert.deepInclude({ ...whole.proposal }, {
      proposal_id: started.proposal?.proposal_id ?? ("" as never),
      status: "SUBMITTING"
    })
    assert.strictEqual(fgtsKyc(whole, emptyKyc).status, "LOCKED")
    assert.strictEqual(whole.kyc?.phone, "11912345678")
  })

  it("FGTS-28 without a named field, a submission that changes nothing is not submitted again, and any change is", () => {
    const application = applyCommands(started, refuseSubmission([]))
    assert.deepStrictEqual(eventsOf(application, submitKyc(completeKyc)), [])
    const phone = { ...completeKyc, phone: "11912345678" as typeof completeKyc.phone }
    const changed = eventsOf(application, submitKyc(phone, noon, false, ["phone"]))
    assert.deepStrictEqual(changed, [{ _tag: "DataCorrected", at: noon, kyc: phone, left: [] }])
    const name = { ...completeKyc, name: "Maria Souza" as typeof completeKyc.name }
    const refused = decideOn(application, submitKyc(name, noon, false, ["name"]))
    assert.isTrue(Result.isFailure(refused))
  })

  it("FGTS-34 T46 a late refusal of data that was corrected meanwhile changes nothing, so that a cancellation asks the lender", () => {
    const { submitted_at = null } = started.proposal ?? {}
    const late = { ...refuseSubmission(["phone"]), submitted_at }
    const corrected = applyCommands(
      started,
      refuseSubmission(["phone"]),
      submitKyc(completeKyc, msAfter(1), false, ["phone"]),
      startSubmission(msAfter(2))
    )
    assert.strictEqual(applyCommands(corrected, late), corrected)
    const cancelling = applyCommands(corrected, cancel(msAfter(3)))
    assert.strictEqual(cancelling.proposal?.status, "CANCELLING")
    assert.strictEqual(applyCommands(cancelling, late), cancelling)
    const present = { ...refuseSubmission(["phone"]), submitted_at: msAfter(2) }
    assert.strictEqual(applyCommands(cancelling, present).proposal?.status, "CANCELLED")
  })

  it("FGTS-28 a corrected account is the one that is paid", () => {
    const refused = applyCommands(started, refuseSubmission(["pix.key"]))
    const other = {
      ...completeKyc,
      pix: { ...completeKyc.pix, key: "outra@example.com" as typeof completeKyc.pix.key }
    }
    const corrected = applyCommands(refused, submitKyc(other, noon, true, ["pix.key"]))
    assert.strictEqual(corrected.proposal?.disbursement.pix?.key, "outra@example.com")
  })

  it("PROP-07 FGTS-28 KYC-16 a refused field that the lender does not require counts as not named", () => {
    const requirements: KycRequirements = { kyc_fields: ["education"], disbursement_methods: ["PIX"] }
    const named = ["profession", "education", "documents", "phone"]
    for (
      const [application, fields] of [
        [started, ["phone"]],
        [{ ...started, requirements }, ["education", "phone"]]
      ] as const
    ) assert.deepInclude(applyCommands(application, refuseSubmission(named)).proposal, { refused_fields: fields })
    const refused = applyCommands(started, refuseSubmission(["profession"]))
    assert.deepInclude(refused.proposal, { status: "CORRECTION_NEEDED" as const, refused_fields: [] })
    assert.notInclude(fgtsKyc(refused, emptyKyc).missing_fields, "profession")
    // The same data is not sent again, until something was changed.
    assert.strictEqual(applyCommands(refused, submitKyc(completeKyc, noon, false, ["profession"])), refused)
    const phone = { ...completeKyc, phone: "11912345678" as typeof completeKyc.phone }
    const corrected = applyCommands(refused, submitKyc(phone, noon, false, ["phone", "profession"]))
    assert.strictEqual(corrected.proposal?.status, "SUBMITTING")
  })
})

describe("withdrawing from a paid contract", () => {
  it("PROP-09 until the end of the seventh calendar day after the payment, in São Paulo", () => {
    const instant = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) }).map((millis) =>
      new Date(millis).toISOString() as Timestamp
    )
    fc.assert(fc.property(instant, (paid_at) => {
      const end = saoPauloMidnight(addDays(saoPauloDate(paid_at), 8))
      assert.isTrue(isWithinRegret(paid_at, msAfter(-1, end)))
      assert.isFalse(isWithinRegret(paid_at, end))
    }))
  })

  it("FGTS-32 the right of regret counts from the time that the lender states", () => {
    const late = msAfter(9 * 24 * hourMs)
    const paid = (at: Timestamp) =>
      applyCommands(started, updateContract("PAID", late, { paid: { amount: 1 as never, at, end_to_end_id: null } }))
    assert.isTrue(Result.isFailure(decideOn(paid(noon), withdraw(late))))
    assert.isTrue(Result.isSuccess(decideOn(paid(late), withdraw(late))))
  })

  it("PROP-21 a cancellation that was requested in time keeps the right of regret until the lender reports the payment", () => {
    const dayMs = 24 * hourMs
    const day = (days: number) => msAfter(days * dayMs)
    const disbursing = applyCommands(started, updateContract("DISBURSING"))
    const end = (from: Timestamp) => msAfter(-1, saoPauloMidnight(addDays(saoPauloDate(from), 8)))
    const days = fc.integer({ min: 0, max: 20 })
    const answers = fc.constantFrom("unanswered", "refused", "not requested")
    const seen = new Set<string>()
    fc.assert(
      fc.property(answers, days, days, days, days, (answer, paid, asking, reporting, asked_again) => {
        const requested_at = day(asking)
        const recorded_at = day(Math.max(paid, asking) + reporting)
        const at = day(Math.max(paid, asking) + reporting + asked_again)
        const open = answer === "not requested" ? disbursing : applyCommands(disbursing, cancel(requested_at))
        const before = answer === "refused"
          ? applyCommands(open, { ...refuseRequest(open), at: requested_at })
          : open
        const payment = { amount: 1 as never, at: day(paid), end_to_end_id: null }
        const application = applyCommands(before, updateContract("PAID", recorded_at, { paid: payment }))
        const isKept = answer !== "not requested" && requested_at <= end(day(paid)) && at <= end(recorded_at)
        const isInTime = at <= end(day(paid)) || isKept
        assert.isNotNull(application.proposal)
        assert.strictEqual(isRegretKept(application.proposal, day(paid), at), isKept)
        assert.strictEqual(Result.isSuccess(decideOn(application, withdraw(at))), isInTime)
        seen.add(`${answer} ${isInTime} ${at <= end(day(paid))}`)
      }),
      { numRuns: 1_000 }
    )
    const reported = applyCommands(
      disbursing,
      cancel(),
      updateContract("PAID", day(30), { paid: { amount: 1 as never, at: noon, end_to_end_id: null } })
    )
    const unpaid = applyCommands(
      reported,
      withdraw(day(30)),
      updateContract("REFUND_PENDING", day(31)),
      updateContract("PAID", day(60))
    )
    assert.isTrue(Result.isFailure(decideOn(unpaid, withdraw(day(60)))), "the time begins once")
    assert.includeMembers([...seen], ["unanswered true false", "refused true false", "not requested false false"])
  })

  it("FGTS-19 a PAID status that is older than the withdrawal does not end it", () => {
    const refunding = applyCommands(started, updateContract("PAID"), withdraw())
    assert.strictEqual(applyCommands(refunding, updateContract("PAID")), refunding)
  })
})

describe("requests that are offered to a user", () => {
  const requestsOf = (application: Application, exits = noExits, at = noon) =>
    Object.entries(possibleRequests(application, at, exits)).flatMap(([name, isPossible]) => isPossible ? [name] : [])
  const signing = applyCommands(started, updateContract("AWAITING_SIGNATURE"))
  const paid = applyCommands(started, updateContract("PAID"))
  const every = { cancel: true, refund: true, signature_link: true }

  it("FGTS-77 are those that would be accepted and would change the application", () => {
    assert.deepStrictEqual(requestsOf(quotedApplication(), every), ["quote", "cancellation"])
    assert.deepStrictEqual(requestsOf(signing, every), ["cancellation", "signature_link"])
    assert.deepStrictEqual(requestsOf(applyCommands(signing, renewLink()), every), ["cancellation"])
    assert.deepStrictEqual(requestsOf(applyCommands(signing, cancel()), every), [])
    assert.deepStrictEqual(requestsOf(paid, every), ["withdrawal"])
    assert.deepStrictEqual(requestsOf(paid, every, msAfter(9 * 24 * hourMs)), [])
    assert.deepStrictEqual(requestsOf(applyCommands(paid, withdraw()), every), [])
  })

  it("FGTS-77 depend on the exits of the lender, if they are known", () => {
    assert.deepStrictEqual(requestsOf(quotedApplication()), ["quote", "cancellation"])
    assert.deepStrictEqual(requestsOf(contractingApplication()), ["cancellation"])
    assert.deepStrictEqual([signing, paid].map((application) => requestsOf(application)), [[], []])
    assert.isTrue(possibleRequests(paid, noon, null).withdrawal)
  })
})

describe("accepting after a cancellation", () => {
  it("FGTS-17 FGTS-31 no offer of a cancelled application can be accepted", () => {
    const cancelled = applyCommands(quotedApplication(), cancel())
    assert.throws(() => applyCommands(cancelled, accept(offerId(1, 1))))
  })
})
