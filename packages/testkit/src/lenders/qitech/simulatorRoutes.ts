import { randomUUID } from "node:crypto"
import { answered, refusedWith, type SimulatedAnswer } from "./SimulatedAnswer.ts"
import {
  createDebt,
  type IssueBody,
  issuedBody,
  missingOfIssue,
  operationBody,
  type SimulatedDebt
} from "./SimulatedDebts.ts"
import { type SimulatedWebhooks } from "./SimulatedWebhooks.ts"
import { type Financial, simulateLoan, simulateTarget } from "./simulatorPricing.ts"

/** A period of a balance. */
export interface BalancePeriod {
  readonly due_date: string
  readonly amount: number
}

/** The result of a balance request: periods, or an enumerator. */
export type BalanceOutcome = ReadonlyArray<BalancePeriod> | string

/** The state of a simulator. */
export interface SimulatorState {
  readonly now: () => number
  readonly webhooks: SimulatedWebhooks
  readonly debts: Map<string, SimulatedDebt>
  readonly documents: Map<string, Uint8Array>
  readonly balanceOf: (cpf: string) => BalanceOutcome
  /** An account that cannot be paid to, found by its PIX key or account number. */
  readonly isAccountRefused: (account: unknown) => boolean
  /** Amount that an issue pays less than its simulation, in reais. */
  readonly shortfall: () => number
  /** The time in milliseconds after which a new debt can be found by its requester key, and a new refund has a code. */
  readonly readLag: () => number
  /** Whether cancellations are refused, whatever the status of the debt is. */
  readonly isCancelRefused: () => boolean
  /** Whether a debt is paid at the moment in which its cancellation arrives. */
  readonly isPaidFirst: () => boolean
}

/** A request whose signature is verified. */
export interface SimulatedRequest {
  readonly method: string
  readonly url: URL
  readonly json: unknown
  readonly file: Uint8Array | null
}

const day = (millis: number): string => new Date(millis - 3 * 3_600_000).toISOString().slice(0, 10)

const eventTime = (millis: number): string => new Date(millis).toISOString().slice(0, 19)

const balance = ({ balanceOf, now, webhooks }: SimulatorState, { json }: SimulatedRequest): SimulatedAnswer => {
  const { document_number } = json as { readonly document_number?: unknown }
  if (typeof document_number !== "string" || !/^\d{11}$/.test(document_number)) {
    return refusedWith(400, "QIT000001", "Schema Error: document_number")
  }
  const key = randomUUID()
  const event_datetime = eventTime(now())
  const outcome = balanceOf(document_number)
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

const isWeekend = (date: string): boolean => [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay())

const judgeFinancial = ({ now }: SimulatorState, financial: Financial): SimulatedAnswer | undefined => {
  const { desired_installments, disbursement_date } = financial
  if (disbursement_date < day(now())) return refusedWith(400, "COP000090", "Disbursement date is in the past.")
  if (isWeekend(disbursement_date)) return refusedWith(400, "COP000091", "Disbursement date is not a workday.")
  if (desired_installments.length === 0) return refusedWith(400, "LEG000099", "Number of installments is invalid.")
  return desired_installments.some(({ due_date }) => due_date <= disbursement_date)
    ? refusedWith(400, "COP000203", "Installment due date is before the disbursement date.")
    : undefined
}

const simulation = (state: SimulatorState, { json, url }: SimulatedRequest): SimulatedAnswer => {
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

const upload = ({ documents }: SimulatorState, { file }: SimulatedRequest): SimulatedAnswer => {
  if (file === null) return refusedWith(400, "QIT000001", "Schema Error: file")
  const document_key = randomUUID()
  documents.set(document_key, file)
  return answered({ document_key, document_md5: "see the request" })
}

/** Adds the webhook of a debt's status. */
export const announce = (
  { now, webhooks }: SimulatorState,
  debt: SimulatedDebt,
  status: string,
  data: object = {}
): void =>
  webhooks.add(`debt_${status}`, debt.key, {
    webhook_type: "debt",
    key: debt.key,
    status,
    event_datetime: eventTime(now()),
    data
  })

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const issue = (state: SimulatorState, { json }: SimulatedRequest): SimulatedAnswer => {
  const body = json as IssueBody
  const missing = missingOfIssue(body)
  // QI Tech does not document how it names the fields of an invalid body. The description is an assumption.
  if (missing.length > 0) return refusedWith(400, "LEG000069", `Invalid request body: ${missing.join(", ")}`)
  const complete = body as Parameters<typeof createDebt>[0]
  const key = complete.requester_identifier_key
  if (key === undefined || !uuid4.test(key)) {
    return refusedWith(400, "LEG000069", "Invalid request body: requester_identifier_key")
  }
  if ([...state.debts.values()].some((one) => one.requester_identifier_key === key)) {
    return refusedWith(400, "LEG000070", "There is a debt with this key.")
  }
  if (!state.documents.has(String(complete.borrower["document_identification"]))) {
    return refusedWith(400, "LEG000069", "Invalid request body: document_identification is unknown")
  }
  const refused = judgeFinancial(state, complete.financial)
  if (refused !== undefined) return refused
  if (complete.disbursement_bank_accounts.some(state.isAccountRefused)) {
    return refusedWith(400, "COP000157", "Invalid account.")
  }
  const created = createDebt(complete, state.debts.size + 1, state.now())
  const debt = {
    ...created,
    data: { ...created.data, disbursed_issue_amount: created.data.disbursed_issue_amount - state.shortfall() }
  }
  state.debts.set(debt.key, debt)
  announce(state, debt, "waiting_signature", issuedBody(debt).data)
  return answered(issuedBody(debt), 201)
}

const notFound = refusedWith(404, "LEG000013", "No such debt.")

const withDebt = (
  state: SimulatorState,
  key: string | undefined,
  use: (debt: SimulatedDebt) => SimulatedAnswer
): SimulatedAnswer => {
  const debt = key === undefined ? undefined : state.debts.get(key)
  return debt === undefined ? notFound : use(debt)
}

const cancelDebt = (state: SimulatorState, debt: SimulatedDebt): SimulatedAnswer => {
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

const cancelPermanently = (state: SimulatorState, debt: SimulatedDebt): SimulatedAnswer => {
  if (debt.status !== "canceled") return refusedWith(400, "LEG000073", "Actual status does not allow cancel operation.")
  debt.status = "canceled_permanently"
  announce(state, debt, "canceled_permanently")
  return answered(issuedBody(debt))
}

const present = (state: SimulatorState, debt: SimulatedDebt, json: unknown): SimulatedAnswer => {
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

const qrCode = ({ now, readLag }: SimulatorState, debt: SimulatedDebt): SimulatedAnswer =>
  debt.refund === null || now() < debt.refund_requested_at + readLag() ?
    refusedWith(404, "COP000205", "Reversal not found.") :
    answered({
      ...debt.refund,
      copy_paste_pix: `00020126930014br.gov.bcb.pix${debt.refund.reversal_key}`,
      debt_key: debt.key,
      payer_name: debt.borrower["name"]
    })

const reversal = (state: SimulatorState, json: unknown): SimulatedAnswer => {
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

const events = ({ webhooks }: SimulatorState, { url }: SimulatedRequest): SimulatedAnswer => {
  const { searchParams } = url
  const range = Date.parse(searchParams.get("end_datetime") ?? "") -
    Date.parse(searchParams.get("start_datetime") ?? "")
  return range > 14 * 86_400_000
    ? refusedWith(400, "NTF000001", "The time window must be at most 14 days.")
    : answered({ data: webhooks.list(searchParams), pagination: { current_page: 1, rows_per_page: 25 } })
}

const resend = ({ webhooks }: SimulatorState, { json }: SimulatedRequest): SimulatedAnswer => {
  const { callback_key, event_key } = json as { readonly callback_key?: unknown; readonly event_key?: unknown }
  return webhooks.resend(event_key, callback_key) ? answered({}) : refusedWith(404, "NTF000002", "No such callback.")
}

/** Answers a request. */
export const route = (state: SimulatorState, request: SimulatedRequest): SimulatedAnswer => {
  const { json, method, url } = request
  const path = `${method} ${url.pathname}`
  const [, key, action = ""] = /^(?:PUT|PATCH|POST) \/debt\/([^/]+)\/(\w+)$/.exec(path) ?? []
  const [, operation] = /^GET \/v2\/credit_operation\/([^/]+)$/.exec(path) ?? []
  const [, requester] = /^GET \/v2\/credit_operation\/requester_identifier_key\/([^/]+)$/.exec(path) ?? []
  const [, refunded] = /^GET \/credit_operation\/([^/]+)\/pix_qrcode$/.exec(path) ?? []
  if (path === "POST /baas/v2/fgts/available_balance") return balance(state, request)
  if (/^POST \/baas\/fgts_simulation(_guess)?$/.test(path)) return simulation(state, request)
  if (path === "POST /upload") return upload(state, request)
  if (path === "POST /baas/debt_fgts") return issue(state, request)
  if (path === "POST /debt/reversal") return reversal(state, json)
  if (path === "GET /notification/events") return events(state, request)
  if (path === "PATCH /notification/events") return resend(state, request)
  if (path === "GET /debt") {
    return withDebt(state, url.searchParams.get("key") ?? undefined, (debt) => answered(issuedBody(debt)))
  }
  if (requester !== undefined) {
    const debt = [...state.debts.values()].find((one) => one.requester_identifier_key === requester)
    return debt === undefined || state.now() < debt.issued_at + state.readLag()
      ? notFound
      : answered(operationBody(debt))
  }
  if (operation !== undefined) return withDebt(state, operation, (debt) => answered(operationBody(debt)))
  if (refunded !== undefined) return withDebt(state, refunded, (debt) => qrCode(state, debt))
  return withDebt(state, key, (debt) => {
    switch (`${method} ${action}`) {
      case "PATCH cancel":
        return cancelDebt(state, debt)
      case "POST cancel_permanently":
        return cancelPermanently(state, debt)
      case "PUT disbursement_bank_accounts": {
        const { disbursement_bank_accounts } = json as { readonly disbursement_bank_accounts: ReadonlyArray<unknown> }
        if (disbursement_bank_accounts.some(state.isAccountRefused)) {
          return refusedWith(400, "COP000157", "Invalid account.")
        }
        debt.accounts = disbursement_bank_accounts
        return answered({})
      }
      case "PATCH disbursement_option":
        return present(state, debt, json)
      default:
        return notFound
    }
  })
}
