import { randomUUID } from "node:crypto"
import {
  type CompleteIssueBody,
  createDebt,
  type IssueBody,
  issuedBody,
  missingOfIssue,
  type SimulatedDebt
} from "./SimulatedDebts.ts"
import { judgeFinancial } from "./simulatorQuotes.ts"
import {
  announce,
  answered,
  day,
  isAccountRefused,
  isWeekend,
  refusedWith,
  type SimulatedAnswer,
  type SimulatedRequest,
  type SimulatorState
} from "./simulatorState.ts"

/** Cancels a debt that is not paid. */
export const cancelDebt = (state: SimulatorState, debt: SimulatedDebt): SimulatedAnswer => {
  if (state.settings.isPaidFirst && debt.paid === 0) {
    debt.status = "opened"
    debt.paid = 1
    announce(state, debt, "disbursed")
  }
  if (state.settings.isCancelRefused || !["waiting_signature", "signed", "issued"].includes(debt.status)) {
    return refusedWith(
      400,
      "LEG000073",
      `Actual status does not allow cancel operation. Actual status is ${debt.status}`
    )
  }
  debt.status = "canceled"
  debt.cancel_reason = "manual"
  announce(state, debt, "canceled", { cancel_reason_enumerator: "manual" })
  return answered({ data: [{ operation_key: debt.key, status: debt.status }] })
}

/** Makes the cancellation of a debt permanent. */
export const cancelPermanently = (state: SimulatorState, debt: SimulatedDebt): SimulatedAnswer => {
  if (debt.status !== "canceled") return refusedWith(400, "LEG000073", "Actual status does not allow cancel operation.")
  debt.status = "canceled_permanently"
  announce(state, debt, "canceled_permanently")
  return answered(issuedBody(debt))
}

/**
 * Requests the payment of a cancelled debt again. `PUT disbursement_bank_accounts` has set the new account before.
 * Assumption: QI Tech answers a day on a weekend like a past day.
 */
export const presentAgain = (state: SimulatorState, debt: SimulatedDebt, json: unknown): SimulatedAnswer => {
  const { disbursement_date, status } = json as { readonly disbursement_date?: string; readonly status?: string }
  if (debt.status !== "canceled" || status !== "active" || disbursement_date === undefined) {
    return refusedWith(400, "LEG000069", "Invalid request body.")
  }
  if (disbursement_date < day(state.now()) || isWeekend(disbursement_date)) {
    return refusedWith(400, "COP000090", "Disbursement date is in the past.")
  }
  debt.status = "issued"
  debt.cancel_reason = null
  debt.disbursement_date = disbursement_date
  debt.presented += 1
  return answered({})
}

/** Stores a document. */
export const upload = ({ documents }: SimulatorState, { file }: SimulatedRequest): SimulatedAnswer => {
  if (file === null) return refusedWith(400, "QIT000001", "Schema Error: file")
  const document_key = randomUUID()
  documents.set(document_key, file)
  return answered({ document_key, document_md5: "see the request" })
}

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Creates a debt. */
export const issue = (state: SimulatorState, { json }: SimulatedRequest): SimulatedAnswer => {
  const body = json as IssueBody
  const missing = missingOfIssue(body)
  // QI Tech does not document the names of invalid fields in this error, so they are an assumption.
  if (missing.length > 0) return refusedWith(400, "LEG000069", `Invalid request body: ${missing.join(", ")}`)
  const complete = body as CompleteIssueBody
  const key = complete.requester_identifier_key
  if (key === undefined || !uuid4.test(key)) {
    return refusedWith(400, "LEG000069", "Invalid request body: requester_identifier_key")
  }
  if ([...state.debts.values()].some((debt) => debt.requester_identifier_key === key)) {
    return refusedWith(400, "LEG000070", "There is a debt with this key.")
  }
  if (!state.documents.has(String(complete.borrower["document_identification"]))) {
    return refusedWith(400, "LEG000069", "Invalid request body: document_identification is unknown")
  }
  const refused = judgeFinancial(state, complete.financial)
  if (refused !== undefined) return refused
  if (complete.disbursement_bank_accounts.some((account) => isAccountRefused(state, account))) {
    return refusedWith(400, "COP000157", "Invalid account.")
  }
  const created = createDebt(complete, state.debts.size + 1, state.now())
  const debt = {
    ...created,
    data: { ...created.data, disbursed_issue_amount: created.data.disbursed_issue_amount - state.settings.shortfall }
  }
  state.debts.set(debt.key, debt)
  announce(state, debt, "waiting_signature", issuedBody(debt).data)
  return answered(issuedBody(debt), 201)
}

/** Requests the reversal of a debt that was paid at most eight days ago. */
export const reversal = (state: SimulatorState, json: unknown): SimulatedAnswer => {
  const { contract_number } = json as { readonly contract_number?: unknown }
  const debt = [...state.debts.values()].find((debt) => debt.contract_number === contract_number)
  if (debt === undefined) return refusedWith(404, "COP000027", "Credit Operation not found")
  const age = state.now() - Date.parse(`${debt.disbursement_date}T03:00:00Z`)
  if (debt.status !== "opened" || age > 8 * 86_400_000) {
    return refusedWith(400, "COP000206", "The operation cannot be reversed.")
  }
  debt.reversed += 1
  debt.refund_requested_at = state.now()
  debt.refund = {
    status: "waiting_payment",
    amount: debt.data.disbursed_issue_amount.toFixed(2),
    expiration_date: day(state.now() + 14 * 86_400_000),
    reversal_key: randomUUID()
  }
  return answered({ reversal_key: debt.refund.reversal_key, status: "pending" })
}

/** Returns the PIX code with which the customer pays the money back. */
export const qrCode = ({ now, settings }: SimulatorState, debt: SimulatedDebt): SimulatedAnswer =>
  debt.refund === null || now() < debt.refund_requested_at + settings.readLag ?
    refusedWith(404, "COP000205", "Reversal not found.") :
    answered({
      ...debt.refund,
      copy_paste_pix: `00020126930014br.gov.bcb.pix${debt.refund.reversal_key}`,
      debt_key: debt.key,
      payer_name: debt.borrower["name"]
    })
