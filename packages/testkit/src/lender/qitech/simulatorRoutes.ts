import { cancelDebt, cancelPermanently, issue, presentAgain, qrCode, reversal, upload } from "./debtOperations.ts"
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

/** Answers a request. `key` is the variable part of the path, if it has one. */
type Handler = (state: SimulatorState, request: SimulatedRequest, key: string | undefined) => SimulatedAnswer

const ofDebt =
  (answer: (state: SimulatorState, debt: SimulatedDebt, json: SimulatedRequest["json"]) => SimulatedAnswer): Handler =>
  (state, { json }, key) => withDebt(state, key, (debt) => answer(state, debt, json))

/** Finds a debt by the key that the requester chose. A new debt is found only after the delay `readLag`. */
const findOfRequester: Handler = (state, _request, requester) => {
  const debt = [...state.debts.values()].find((debt) => debt.requester_identifier_key === requester)
  return debt === undefined || state.now() < debt.issued_at + state.settings.readLag
    ? notFound
    : answered(operationBody(debt))
}

/** Sets the account to which a debt is paid. */
const setAccounts = (state: SimulatorState, debt: SimulatedDebt, json: SimulatedRequest["json"]): SimulatedAnswer => {
  const { disbursement_bank_accounts } = json as { readonly disbursement_bank_accounts: ReadonlyArray<unknown> }
  if (disbursement_bank_accounts.some((account) => isAccountRefused(state, account))) {
    return refusedWith(400, "COP000157", "Invalid account.")
  }
  debt.accounts = disbursement_bank_accounts
  return answered({})
}

/** Lists the webhooks of a period. */
const listWebhooks = ({ webhooks }: SimulatorState, { url }: SimulatedRequest): SimulatedAnswer => {
  const { searchParams } = url
  const range = Date.parse(searchParams.get("end_datetime") ?? "") -
    Date.parse(searchParams.get("start_datetime") ?? "")
  return range > 14 * 86_400_000
    ? refusedWith(400, "NTF000001", "The time window must be at most 14 days.")
    : answered({ data: webhooks.list(searchParams), pagination: { current_page: 1, rows_per_page: 25 } })
}

/** Sends a webhook again. */
const resendWebhook = ({ webhooks }: SimulatorState, { json }: SimulatedRequest): SimulatedAnswer => {
  const { callback_key, event_key } = json as { readonly callback_key?: unknown; readonly event_key?: unknown }
  return webhooks.resend(event_key, callback_key) ? answered({}) : refusedWith(404, "NTF000002", "No such callback.")
}

/** The handlers of requests, by method and path. */
const routes: ReadonlyArray<readonly [pattern: RegExp, handler: Handler]> = [
  [/^POST \/baas\/v2\/fgts\/available_balance$/, balance],
  [/^POST \/baas\/fgts_simulation(?:_guess)?$/, simulation],
  [/^POST \/upload$/, upload],
  [/^POST \/baas\/debt_fgts$/, issue],
  [/^POST \/debt\/reversal$/, (state, { json }) => reversal(state, json)],
  [/^GET \/notification\/events$/, listWebhooks],
  [/^PATCH \/notification\/events$/, resendWebhook],
  [
    /^GET \/debt$/,
    (state, { url }) => withDebt(state, url.searchParams.get("key") ?? undefined, (debt) => answered(issuedBody(debt)))
  ],
  [/^GET \/v2\/credit_operation\/requester_identifier_key\/([^/]+)$/, findOfRequester],
  [/^GET \/v2\/credit_operation\/([^/]+)$/, ofDebt((_state, debt) => answered(operationBody(debt)))],
  [/^GET \/credit_operation\/([^/]+)\/pix_qrcode$/, ofDebt(qrCode)],
  [/^PATCH \/debt\/([^/]+)\/cancel$/, ofDebt(cancelDebt)],
  [/^POST \/debt\/([^/]+)\/cancel_permanently$/, ofDebt(cancelPermanently)],
  [/^PUT \/debt\/([^/]+)\/disbursement_bank_accounts$/, ofDebt(setAccounts)],
  [/^PATCH \/debt\/([^/]+)\/disbursement_option$/, ofDebt(presentAgain)]
]

/** Answers a request. */
export const route = (state: SimulatorState, request: SimulatedRequest): SimulatedAnswer => {
  const path = `${request.method} ${request.url.pathname}`
  for (const [pattern, handler] of routes) {
    const match = pattern.exec(path)
    if (match !== null) return handler(state, request, match[1])
  }
  return notFound
}
