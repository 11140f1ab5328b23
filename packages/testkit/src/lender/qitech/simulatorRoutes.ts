import { cancelDebt, cancelPermanently, issue, present, qrCode, reversal, upload } from "./debtOperations.ts"
import { issuedBody, operationBody, type SimulatedDebt } from "./SimulatedDebts.ts"
import { balance, simulation } from "./simulatorQuotes.ts"
import {
  answered,
  isAccountRefused,
  refusedWith,
  type SimulatedAnswer,
  type SimulatedRequest,
  type SimulatorState
} from "./simulatorState.ts"

const notFound = refusedWith(404, "LEG000013", "No such debt.")

const withDebt = (
  state: SimulatorState,
  key: string | undefined,
  use: (debt: SimulatedDebt) => SimulatedAnswer
): SimulatedAnswer => {
  const debt = key === undefined ? undefined : state.debts.get(key)
  return debt === undefined ? notFound : use(debt)
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
    const debt = [...state.debts.values()].find((debt) => debt.requester_identifier_key === requester)
    return debt === undefined || state.now() < debt.issued_at + state.settings.readLag
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
        if (disbursement_bank_accounts.some((account) => isAccountRefused(state, account))) {
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

/** Lists the webhooks of a period. */
const events = ({ webhooks }: SimulatorState, { url }: SimulatedRequest): SimulatedAnswer => {
  const { searchParams } = url
  const range = Date.parse(searchParams.get("end_datetime") ?? "") -
    Date.parse(searchParams.get("start_datetime") ?? "")
  return range > 14 * 86_400_000
    ? refusedWith(400, "NTF000001", "The time window must be at most 14 days.")
    : answered({ data: webhooks.list(searchParams), pagination: { current_page: 1, rows_per_page: 25 } })
}

/** Sends a webhook again. */
const resend = ({ webhooks }: SimulatorState, { json }: SimulatedRequest): SimulatedAnswer => {
  const { callback_key, event_key } = json as { readonly callback_key?: unknown; readonly event_key?: unknown }
  return webhooks.resend(event_key, callback_key) ? answered({}) : refusedWith(404, "NTF000002", "No such callback.")
}
