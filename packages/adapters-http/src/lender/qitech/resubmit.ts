import { type LenderUnavailable } from "@lastro/domain/lender"
import { type DisbursementResubmission, type LenderContract } from "@lastro/domain/loan"
import { Effect, Result } from "effect"
import { accountOf, type Receiver } from "./account.ts"
import { paymentRefused } from "./contractStatus.ts"
import { contractOf, type DebtParts, presentPayment, readDebtOf } from "./debts.ts"
import { textAt } from "./json.ts"
import { unavailable, unexpected } from "./qitechCalls.ts"
import { type QitechRefused } from "./QitechRefused.ts"
import { readReference, referenceOf } from "./reference.ts"

/** Returns the borrower of a debt, who receives the payment. */
const receiverOf = (body: unknown): Receiver | null => {
  const name = textAt(body, "issuer_name") ?? textAt(body, "borrower", "name")
  const document_number = textAt(body, "issuer_document_number") ?? textAt(body, "borrower", "document_number")
  return name === null || document_number === null ? null : { name, document_number }
}

/**
 * Returns the state of a contract whose payment failed, because QI Tech cannot pay to the account. The customer must
 * provide other disbursement data.
 */
const failedAttempt = (key: string, attempt: number): LenderContract => ({
  reference: referenceOf({ key, attempt }),
  status: "DISBURSEMENT_FAILED",
  signature_url: null,
  rejection: paymentRefused,
  disbursement_attempt: attempt
})

/**
 * Returns whether a rejection is about the account. With 404 and 409, the debt does not exist or is being changed,
 * which shows nothing about the account.
 */
const isAboutAccount = ({ status }: QitechRefused): boolean => status !== 404 && status !== 409

/**
 * Retries a payment with new disbursement data: changes the account, then sends the payment again. If the debt is not
 * cancelled, an earlier call has already sent the payment, but its response was lost. If QI Tech rejects the account,
 * the payment attempt has failed.
 */
export const resubmit = Effect.fnUntraced(function*(
  parts: DebtParts & { readonly bankTransfer: "pix" | "ted" },
  { disbursement, disbursement_attempt, reference }: DisbursementResubmission
): Effect.fn.Return<LenderContract, LenderUnavailable> {
  const { bankTransfer, send } = parts
  const { key } = readReference(reference)
  const debt = yield* readDebtOf(send, key)
  if (debt.status !== "canceled") return yield* contractOf(parts, debt, disbursement_attempt)
  const receiver = receiverOf(debt.body)
  if (receiver === null) return yield* unavailable("resubmit: the debt does not name its issuer")
  const account = accountOf(disbursement, receiver, bankTransfer)
  if (Result.isFailure(account)) return failedAttempt(key, disbursement_attempt)
  const isRefused = yield* send({
    operation: "changeAccount",
    method: "PUT",
    path: `/debt/${encodeURIComponent(key)}/disbursement_bank_accounts`,
    json: { disbursement_bank_accounts: [account.success] }
  }).pipe(
    Effect.as(false),
    Effect.catchTag(
      "QitechRefused",
      (refusal) => isAboutAccount(refusal) ? Effect.succeed(true) : Effect.fail(unexpected(refusal))
    )
  )
  if (!isRefused) yield* presentPayment(send, key)
  const after = yield* readDebtOf(send, key)
  // QI Tech may have processed an earlier call late, and so sent the payment in the meantime.
  return isRefused && after.status === "canceled"
    ? failedAttempt(key, disbursement_attempt)
    : yield* contractOf(parts, after, disbursement_attempt)
})
