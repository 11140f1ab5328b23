import { randomUUID } from "node:crypto"
import { answered, refusedWith, type SimulatedAnswer } from "./SimulatedAnswer.ts"
import { type SimulatedDebt } from "./SimulatedDebts.ts"
import { day, type SimulatorState } from "./simulatorState.ts"

/** Requests the reversal of a paid debt. */
export const reversal = (state: SimulatorState, json: unknown): SimulatedAnswer => {
  const { contract_number } = json as { readonly contract_number?: unknown }
  const debt = [...state.debts.values()].find((one) => one.contract_number === contract_number)
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

/** Returns the PIX code with which the customer pays a reversed debt back. */
export const qrCode = ({ now, readLag }: SimulatorState, debt: SimulatedDebt): SimulatedAnswer =>
  debt.refund === null || now() < debt.refund_requested_at + readLag() ?
    refusedWith(404, "COP000205", "Reversal not found.") :
    answered({
      ...debt.refund,
      copy_paste_pix: `00020126930014br.gov.bcb.pix${debt.refund.reversal_key}`,
      debt_key: debt.key,
      payer_name: debt.borrower["name"]
    })
