import { answered, refusedWith, type SimulatedAnswer } from "./SimulatedAnswer.ts"
import { issuedBody, type SimulatedDebt } from "./SimulatedDebts.ts"
import { announce, day, isWeekend, type SimulatorState } from "./simulatorState.ts"

/** Cancels a debt that is not paid. */
export const cancelDebt = (state: SimulatorState, debt: SimulatedDebt): SimulatedAnswer => {
  if (state.isPaidFirst() && debt.paid === 0) {
    debt.status = "opened"
    debt.paid = 1
    announce(state, debt, "disbursed")
  }
  if (state.isCancelRefused() || !["waiting_signature", "signed", "issued"].includes(debt.status)) {
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

/** Requests the payment of a cancelled debt again, to another account. */
export const present = (state: SimulatorState, debt: SimulatedDebt, json: unknown): SimulatedAnswer => {
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
