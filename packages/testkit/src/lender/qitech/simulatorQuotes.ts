import { randomUUID } from "node:crypto"
import { type Financial, simulateLoan, simulateTarget } from "./simulatorPricing.ts"
import {
  answered,
  day,
  eventTime,
  isWeekend,
  refusedWith,
  type SimulatedAnswer,
  type SimulatedRequest,
  type SimulatorState
} from "./simulatorState.ts"

/** The failures by the last two digits of the CPF. Source: QI Tech, "Webhooks de Consulta de Saldo". */
const enumerators: Readonly<Record<string, string>> = {
  "90": "ongoing_operation",
  "91": "unauthorized_institution",
  "92": "inexistent_anniversary_membership",
  "93": "on_locked_date_range",
  "94": "anniversary_membership_egress",
  "95": "processing_pending_changes",
  "96": "caixa_error",
  "97": "caixa_error",
  "98": "caixa_error",
  "99": "caixa_error"
}

/** Handles a request for the balance of a customer. The result follows in a webhook. */
export const balance = ({ now, settings, webhooks }: SimulatorState, { json }: SimulatedRequest): SimulatedAnswer => {
  const { document_number } = json as { readonly document_number?: unknown }
  if (typeof document_number !== "string" || !/^\d{11}$/.test(document_number)) {
    return refusedWith(400, "QIT000001", "Schema Error: document_number")
  }
  const key = randomUUID()
  const event_datetime = eventTime(now())
  const outcome = settings.balance ?? enumerators[document_number.slice(-2)] ?? settings.periods
  webhooks.add("fgts_available_balance", key, {
    webhook_type: "available_balance",
    key,
    event_datetime,
    ...(typeof outcome === "string"
      ? { status: "failed", data: { enumerator: outcome, description: "See the page of balance webhooks" } }
      : { status: "success", data: { reference_date: day(now()), periods: outcome } })
  })
  return answered({
    available_balance_key: key,
    document_number,
    status: "pending",
    status_events: [{ event_datetime, status: "pending" }]
  })
}

/** Returns the refusal of the terms of a loan. Undefined if they are accepted. */
export const judgeFinancial = ({ now }: SimulatorState, financial: Financial): SimulatedAnswer | undefined => {
  const { desired_installments, disbursement_date } = financial
  if (disbursement_date < day(now())) return refusedWith(400, "COP000090", "Disbursement date is in the past.")
  if (isWeekend(disbursement_date)) return refusedWith(400, "COP000091", "Disbursement date is not a workday.")
  if (desired_installments.length === 0) return refusedWith(400, "LEG000099", "Number of installments is invalid.")
  return desired_installments.some(({ due_date }) => due_date <= disbursement_date)
    ? refusedWith(400, "COP000203", "Installment due date is before the disbursement date.")
    : undefined
}

/** Prices a loan. */
export const simulation = (state: SimulatorState, { json, url }: SimulatedRequest): SimulatedAnswer => {
  const { financial, target_disbursed_amount } = json as {
    readonly financial: Financial
    readonly target_disbursed_amount?: number
  }
  const refused = judgeFinancial(state, financial)
  if (refused !== undefined) return refused
  if (!url.pathname.endsWith("_guess")) return answered({ status: "finished", data: simulateLoan(financial) }, 201)
  const data = simulateTarget(financial, target_disbursed_amount ?? 0)
  return data === undefined
    ? refusedWith(400, "LEG000071", "Target disbursed amount is too high.")
    : answered({ status: "finished", data }, 201)
}
