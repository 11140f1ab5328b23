import { type RejectionCode, rejectionReason } from "@lastro/domain/fgts"
import {
  type ContractSubmission,
  type DocumentSource,
  type LenderContract,
  LenderUnavailable,
  type SubmissionInvalid
} from "@lastro/domain/lender"
import { centavosHalfUp, reaisOf } from "@lastro/domain/money"
import { currentTimestamp, saoPauloDate } from "@lastro/domain/time"
import { Effect, Option } from "effect"
import { accountOf } from "./account.ts"
import { borrowerOf } from "./borrower.ts"
import { disbursementDay } from "./businessDay.ts"
import { contractOf, type Debt, type DebtParts, findDebt, signatureUrlOf } from "./debts.ts"
import { cancelDebt } from "./exits.ts"
import { invalid, invalidFieldsOf } from "./invalidFields.ts"
import { at, numberAt, textAt } from "./json.ts"
import { qitechKycOf } from "./lenderKyc.ts"
import { decodeRef } from "./lenderRef.ts"
import { unexpected } from "./qitechCalls.ts"
import { type QitechFine } from "./QitechOptions.ts"
import { type QitechRefused } from "./QitechRefused.ts"
import { requesterKeyOf } from "./requesterKey.ts"
import { financialOf } from "./terms.ts"
import { uploadDocuments } from "./upload.ts"

/** What a submission needs. */
export interface SubmitParts extends DebtParts {
  readonly fine: QitechFine
  readonly bankTransfer: "pix" | "ted"
}

/** Errors about the terms: no correction of the customer's data helps. */
const termsRefused: ReadonlySet<string | null> = new Set(["COP000170", "COP000203", "LEG000099", "LEG000071"])

/** The disbursement day has passed while the call was made. */
const dayPast = "COP000090"

const rejected = (reference: string, code: RejectionCode, message: string): LenderContract => ({
  reference,
  status: "REJECTED",
  signature_url: null,
  rejection: rejectionReason(code, message),
  disbursement_attempt: 1
})

/** Builds the body of an issue, or fails with the fields that are missing. */
const issueOf = Effect.fnUntraced(function*(
  { bankTransfer, fine, send }: SubmitParts,
  { disbursement, kyc, offer, proposal_id }: ContractSubmission
) {
  const ref = decodeRef(offer.lender_ref)
  if (ref === null) {
    return yield* new LenderUnavailable({ reason: "WITHHELD", detail: "submit: the offer was not made by this lender" })
  }
  const documents = yield* uploadDocuments(send, qitechKycOf(kyc).documents)
  const borrower = yield* Effect.mapError(Effect.fromResult(borrowerOf(kyc, documents)), invalid)
  const receiver = { name: kyc.name ?? "", document_number: kyc.cpf ?? "" }
  const account = yield* Effect.mapError(Effect.fromResult(accountOf(disbursement, receiver, bankTransfer)), invalid)
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
    financial: financialOf({ ...ref, fine, installments, released_on: today, disbursed_on: disbursementDay(today) }),
    disbursement_bank_accounts: [account],
    requester_identifier_key: requesterKeyOf(proposal_id)
  }
})

/** Decides what a refused issue means. A debt that exists all the same was created by an earlier call whose answer was lost. */
const afterRefusal = Effect.fnUntraced(function*(
  parts: SubmitParts,
  { disbursement, proposal_id }: ContractSubmission,
  refusal: QitechRefused
) {
  const key = requesterKeyOf(proposal_id)
  const debt = yield* findDebt(parts.send, key)
  if (Option.isSome(debt)) return yield* contractOf(parts, debt.value, 1)
  if (refusal.code === dayPast || refusal.status === 409 || refusal.status === 404) return yield* unexpected(refusal)
  yield* Effect.annotateLogs(Effect.logWarning("QI Tech refuses an issue; no debt was created"), {
    proposal_id,
    status: refusal.status,
    code: refusal.code
  })
  return termsRefused.has(refusal.code)
    ? rejected(key, "LENDER_POLICY", "A instituição recusou as condições do contrato.")
    : yield* invalid(invalidFieldsOf(refusal, disbursement))
})

/** Reads the answer of an issue. A debt that pays less than the accepted offer is cancelled. */
const afterIssue = Effect.fnUntraced(function*(parts: SubmitParts, { offer }: ContractSubmission, answer: unknown) {
  const key = textAt(answer, "key")
  const status = textAt(answer, "status")
  if (key === null || status === null) {
    return yield* new LenderUnavailable({ reason: "ASKED", detail: "issue: the answer has no key or no status" })
  }
  const data = at(answer, "data")
  const debt: Debt = { key, status, contract_number: textAt(data, "contract", "number"), body: data }
  const net = numberAt(data, "disbursed_issue_amount")
  if (net !== null && centavosHalfUp(Math.max(net, 0)) < offer.terms.net_amount) {
    yield* cancelDebt(parts, debt, 1)
    return rejected(key, "LENDER_POLICY", "O valor liberado ficou abaixo da oferta aceita.")
  }
  return yield* contractOf(parts, debt, 1, signatureUrlOf(data))
})

/**
 * Creates the contract, unless QI Tech already has a debt with the requester identifier key of the proposal. The look-up comes first, because
 * the answer to an earlier submission may have been lost.
 */
export const submit = Effect.fnUntraced(function*(
  parts: SubmitParts,
  submission: ContractSubmission
): Effect.fn.Return<LenderContract, LenderUnavailable | SubmissionInvalid, DocumentSource> {
  const existing = yield* findDebt(parts.send, requesterKeyOf(submission.proposal_id))
  if (Option.isSome(existing)) return yield* contractOf(parts, existing.value, 1)
  const json = yield* issueOf(parts, submission)
  return yield* parts.send({ operation: "issue", method: "POST", path: "/baas/debt_fgts", json }).pipe(
    Effect.flatMap((answer) => afterIssue(parts, submission, answer)),
    Effect.catchTag("QitechRefused", (refusal) => afterRefusal(parts, submission, refusal))
  )
})
