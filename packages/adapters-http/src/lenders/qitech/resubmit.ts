import { type DisbursementResubmission, type LenderContract, LenderUnavailable } from "@lastro/domain/lender"
import { Effect } from "effect"
import { accountOf, type Receiver } from "./account.ts"
import { contractOf, type DebtParts, presentPayment, readDebtOf } from "./debts.ts"
import { textAt } from "./json.ts"
import { orUnavailable } from "./qitechCalls.ts"
import { readReference } from "./reference.ts"

/** Returns the borrower of a debt, who receives the payment. */
const receiverOf = (body: unknown): Receiver | null => {
  const name = textAt(body, "issuer_name") ?? textAt(body, "borrower", "name")
  const document_number = textAt(body, "issuer_document_number") ?? textAt(body, "borrower", "document_number")
  return name === null || document_number === null ? null : { name, document_number }
}

/**
 * Retries a payment with new disbursement data: changes the account, then presents the payment. A debt that is not cancelled has been presented
 * by an earlier call whose answer was lost.
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
  if (receiver === null) {
    return yield* new LenderUnavailable({ reason: "ASKED", detail: "resubmit: the debt does not name its issuer" })
  }
  const account = yield* Effect.mapError(
    Effect.fromResult(accountOf(disbursement, receiver, bankTransfer)),
    () => new LenderUnavailable({ reason: "ASKED", detail: "resubmit: QI Tech cannot pay to this account" })
  )
  yield* orUnavailable(send({
    operation: "changeAccount",
    method: "PUT",
    path: `/debt/${encodeURIComponent(key)}/disbursement_bank_accounts`,
    json: { disbursement_bank_accounts: [account] }
  }))
  yield* presentPayment(send, key)
  return yield* contractOf(parts, yield* readDebtOf(send, key), disbursement_attempt)
})
