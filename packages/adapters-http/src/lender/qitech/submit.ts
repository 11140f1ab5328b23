import { type DocumentSource, LenderUnavailable, type SubmissionInvalid } from "@lastro/domain/lender"
import { type ContractSubmission, type LenderContract } from "@lastro/domain/loan"
import { type RejectionCode, rejectionReason } from "@lastro/domain/offer"
import {
  businessDayFrom,
  centavosHalfUp,
  currentTimestamp,
  millisOf,
  reaisOf,
  saoPauloDate
} from "@lastro/domain/values"
import { Clock, Effect, Option } from "effect"
import { accountOf } from "./account.ts"
import { borrowerOf, qitechKycOf } from "./borrower.ts"
import { contractOf, type Debt, type DebtParts, findDebt, findIssued, signatureUrlOf } from "./debts.ts"
import { cancelDebt } from "./exits.ts"
import { invalid, invalidFieldsOf } from "./invalidFields.ts"
import { at, numberAt, textAt } from "./json.ts"
import { decodeRef } from "./lenderRef.ts"
import { paidAmount } from "./payments.ts"
import { dayPast, unavailable, unexpected } from "./qitechCalls.ts"
import { findMark, isUnsettled, keepMark, type Mark } from "./QitechInbox.ts"
import { type QitechFine } from "./QitechOptions.ts"
import { QitechRefused } from "./QitechRefused.ts"
import { requesterKeyOf } from "./reference.ts"
import { financialOf, otherTermsOf } from "./terms.ts"
import { uploadDocuments, type UploadMemory } from "./upload.ts"

export interface SubmitParts extends DebtParts {
  readonly fine: QitechFine
  readonly bankTransfer: "pix" | "ted"
  readonly uploads: UploadMemory
}

/** The error codes about the terms of the loan. A correction of the customer's data does not help. */
const termsRefused: ReadonlySet<string | null> = new Set(["COP000170", "COP000203", "LEG000099", "LEG000071"])

/** The statuses of a contract whose money was paid out. */
const paid: ReadonlySet<LenderContract["status"]> = new Set(["PAID", "REFUND_PENDING", "REFUNDED", "SETTLED"])

const rejected = (reference: string, code: RejectionCode, message: string): LenderContract => ({
  reference,
  status: "REJECTED",
  signature_url: null,
  rejection: rejectionReason(code, message),
  disbursement_attempt: 1
})

/**
 * Uploads the documents, and returns the body of an issue, the request that creates a debt. Fails with the invalid or
 * missing fields.
 */
const prepareIssue = Effect.fnUntraced(function*(
  { bankTransfer, fine, send, uploads }: SubmitParts,
  { disbursement, kyc, offer, proposal_id }: ContractSubmission
) {
  const ref = decodeRef(offer.lender_ref)
  if (ref === null) {
    return yield* new LenderUnavailable({ reason: "WITHHELD", detail: "submit: the offer was not made by this lender" })
  }
  const receiver = { name: kyc.name ?? "", document_number: kyc.cpf ?? "" }
  const account = yield* Effect.mapError(Effect.fromResult(accountOf(disbursement, receiver, bankTransfer)), invalid)
  const documents = yield* uploadDocuments(send, uploads, qitechKycOf(kyc).documents)
  const borrower = yield* Effect.mapError(Effect.fromResult(borrowerOf(kyc, documents)), invalid)
  const installments = offer.terms.installments.map(({ amount, due_date }) => ({ amount, due_date }))
  const today = saoPauloDate(yield* currentTimestamp)
  return {
    borrower,
    collaterals: [{
      percentage: 1,
      collateral_type: "fgts_balance",
      collateral_data: {
        periods: installments.map(({ amount, due_date }) => ({ due_date, amount: reaisOf(amount) }))
      }
    }],
    financial: financialOf({ ...ref, fine, installments, released_on: today, disbursed_on: businessDayFrom(today) }),
    disbursement_bank_accounts: [account],
    requester_identifier_key: requesterKeyOf(proposal_id)
  }
})

/**
 * Cancels a debt that pays less than the accepted offer, so that the customer cannot sign it. Returns a contract with
 * the status REJECTED.
 */
const rejectShort = Effect.fnUntraced(function*(parts: SubmitParts, debt: Debt) {
  const contract = yield* Effect.catchTag(
    cancelDebt(parts, debt, 1),
    "ExitRefused",
    ({ detail }) => Effect.fail(unavailable(detail))
  )
  if (contract.status === "CANCELLED") {
    return rejected(debt.key, "LENDER_POLICY", "O valor liberado ficou abaixo da oferta aceita.")
  }
  yield* Effect.annotateLogs(
    Effect.logError("a debt at QI Tech pays less than the accepted offer and cannot be cancelled. Ask QI Tech."),
    { reference: debt.key, status: contract.status }
  )
  return paid.has(contract.status)
    ? contract
    : yield* unavailable("issue: the debt that pays too little is not cancelled")
})

/**
 * Returns the contract of a debt, or rejects it if the debt pays less than the accepted offer. `data` is the data with
 * which the debt was issued. Null if it is unknown.
 */
const contractFor = Effect.fnUntraced(function*(
  parts: SubmitParts,
  { offer }: ContractSubmission,
  debt: Debt,
  data: unknown
) {
  const stated = numberAt(data, "disbursed_issue_amount")
  const net = stated === null ? paidAmount(debt.body, parts.hasFees) : centavosHalfUp(Math.max(stated, 0))
  if (net !== null && net < offer.terms.net_amount) return yield* rejectShort(parts, debt)
  const contract = yield* contractOf(parts, debt, 1, signatureUrlOf(data))
  const terms = otherTermsOf(data, offer, parts.fine)
  return terms === null ? contract : { ...contract, terms }
})

/** Returns the contract of a debt that an earlier call created. */
const contractOfFound = (parts: SubmitParts, submission: ContractSubmission, debt: Debt) =>
  Effect.flatMap(findIssued(parts.send, debt.key), (data) => contractFor(parts, submission, debt, data))

/**
 * Returns whether an earlier issue may still create the debt, although QI Tech rejected this one. `hasReason` is true
 * if the rejection is about the terms of the loan or names invalid fields. Without such a reason, the rejection may
 * mean that the debt already exists.
 */
const isUndecided = Effect.fnUntraced(function*(
  { accepted_at }: ContractSubmission,
  earlier: Mark | null,
  hasReason: boolean
) {
  if (earlier !== null && (yield* isUnsettled(earlier.at))) return true
  return !hasReason && (yield* isUnsettled(millisOf(accepted_at)))
})

/** Handles a rejected issue. If the debt exists nevertheless, an earlier call created it and its response was lost. */
const afterRefusal = Effect.fnUntraced(function*(
  parts: SubmitParts,
  submission: ContractSubmission,
  refusal: QitechRefused,
  earlier: Mark | null
) {
  const { disbursement, proposal_id } = submission
  const key = requesterKeyOf(proposal_id)
  const debt = yield* findDebt(parts.send, key)
  if (Option.isSome(debt)) return yield* contractOfFound(parts, submission, debt.value)
  if (refusal.code === dayPast || refusal.status === 409 || refusal.status === 404) return yield* unexpected(refusal)
  const isTerms = termsRefused.has(refusal.code)
  const fields = invalidFieldsOf(refusal, disbursement)
  if (yield* isUndecided(submission, earlier, isTerms || fields.length > 0)) return yield* unexpected(refusal)
  yield* Effect.annotateLogs(Effect.logWarning("QI Tech refuses an issue; no debt was created"), {
    proposal_id,
    status: refusal.status,
    code: refusal.code
  })
  // The rejection may be about a document, so all documents are uploaded again after a correction.
  parts.uploads.clear()
  return isTerms
    ? rejected(key, "LENDER_POLICY", "A instituição recusou as condições do contrato.")
    : yield* invalid(fields)
})

/** Reads the response to an issue. Returns the contract of the new debt. */
const afterIssue = Effect.fnUntraced(function*(parts: SubmitParts, submission: ContractSubmission, answer: unknown) {
  const key = textAt(answer, "key")
  const status = textAt(answer, "status")
  if (key === null || status === null) return yield* unavailable("issue: the answer has no key or no status")
  const data = at(answer, "data")
  const debt: Debt = { key, status, contract_number: textAt(data, "contract", "number"), body: data }
  return yield* contractFor(parts, submission, debt, data)
})

/** Sets the reason of a failure to ASKED, because the debt can exist after this call. */
const afterDebt = <A, E, R>(
  call: Effect.Effect<A, E | LenderUnavailable, R>
): Effect.Effect<A, E | LenderUnavailable, R> =>
  Effect.mapError(call, (failure) =>
    failure instanceof LenderUnavailable
      ? new LenderUnavailable({ ...failure, reason: "ASKED" })
      : failure)

/**
 * Creates the contract. First searches for a debt with the proposal's requester identifier key: it exists if the
 * response to an earlier submission was lost. Stores a mark before the issue is sent. Removes the mark if the call
 * certainly created no debt.
 */
export const submit = Effect.fnUntraced(function*(
  parts: SubmitParts,
  submission: ContractSubmission
): Effect.fn.Return<LenderContract, LenderUnavailable | SubmissionInvalid, DocumentSource> {
  const { inbox, send } = parts
  const requester_key = requesterKeyOf(submission.proposal_id)
  const existing = yield* findDebt(send, requester_key)
  if (Option.isSome(existing)) return yield* afterDebt(contractOfFound(parts, submission, existing.value))
  const json = yield* prepareIssue(parts, submission)
  const earlier = yield* findMark(inbox, "issue", requester_key)
  const at = yield* Clock.currentTimeMillis
  yield* keepMark(inbox, "issue", requester_key, { at, requested_at: null, is_accepted: false })
  const unmark = keepMark(inbox, "issue", requester_key, earlier)
  const issued = yield* send({ operation: "issue", method: "POST", path: "/baas/debt_fgts", json }).pipe(
    Effect.tapErrorTag("LenderUnavailable", ({ reason }) => reason === "ASKED" ? Effect.void : unmark),
    Effect.catchTag("QitechRefused", (refusal) => Effect.as(unmark, refusal))
  )
  return issued instanceof QitechRefused
    ? yield* afterDebt(afterRefusal(parts, submission, issued, earlier))
    : yield* afterDebt(afterIssue(parts, submission, issued))
})
