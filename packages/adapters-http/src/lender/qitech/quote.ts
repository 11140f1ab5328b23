import {
  type LenderPending,
  type LenderQuotation,
  type LenderQuoteRequest,
  type LenderUnavailable
} from "@lastro/domain/lender"
import {
  type DueAmount,
  type LenderOffer,
  type RejectionReason,
  rejectionReason,
  type Unpriced
} from "@lastro/domain/offer"
import { businessDayFrom, currentTimestamp, millisOf, reaisOf, saoPauloDate } from "@lastro/domain/values"
import { Clock, Effect, Result } from "effect"
import { textAt } from "./json.ts"
import { encodeRef } from "./lenderRef.ts"
import { installmentsFor, periodsOf } from "./periods.ts"
import { dayPast, orUnavailable, type SendCall, unavailable, unexpected } from "./qitechCalls.ts"
import { type QitechFine, type QitechTable } from "./QitechOptions.ts"
import { type QitechRefused } from "./QitechRefused.ts"
import {
  type AwaitedBalance,
  balanceRetryAt,
  decodeState,
  encodeState,
  nextPoll,
  type ReceivedBalance
} from "./quoteState.ts"
import { balanceRejection, caixaError } from "./rejections.ts"
import { resendCallbacks } from "./resend.ts"
import { dataOf, financialOf, installmentsOf, type LoanPlan, termsOf } from "./terms.ts"

export interface QuoteParts {
  readonly send: SendCall
  readonly tables: ReadonlyArray<QitechTable>
  readonly fine: QitechFine
}

const pending = (state: AwaitedBalance, now: number): LenderPending => ({
  kind: "PENDING",
  lender_state: encodeState(state),
  look_at: nextPoll(state, now),
  callback_key: state.key
})

/** Requests the balance. QI Tech sends it in a callback. */
const requestBalance = Effect.fnUntraced(function*(send: SendCall, { customer }: LenderQuoteRequest) {
  const answer = yield* orUnavailable(send({
    operation: "balance",
    method: "POST",
    path: "/baas/v2/fgts/available_balance",
    json: { document_number: customer.cpf }
  }))
  const key = textAt(answer, "available_balance_key")
  if (key === null || key.length > 64) return yield* unavailable("balance: the answer has no key")
  const now = yield* Clock.currentTimeMillis
  return pending({ kind: "awaited", key, asked_at: now, looks: 0 }, now)
})

const refused = (rejection: RejectionReason): LenderQuotation => ({ kind: "REFUSED", rejection })

const unpriced = ({ code, label }: QitechTable, rejection: RejectionReason): Unpriced => ({
  table: { code, label },
  rejection
})

/** The error code for a requested amount that exceeds the sum of the instalments. */
const targetTooHigh = "LEG000071"

const simulate = (send: SendCall, plan: LoanPlan, target: number | null) => {
  const body = { borrower: { person_type: "natural" }, financial: financialOf(plan) }
  return send(
    target === null
      ? { operation: "simulation", method: "POST", path: "/baas/fgts_simulation", json: body }
      : {
        operation: "simulationOfTarget",
        method: "POST",
        path: "/baas/fgts_simulation_guess",
        json: { ...body, target_disbursed_amount: target }
      }
  )
}

/**
 * Simulates the requested net amount. Simulates all instalments if no amount is requested, or if they do not suffice
 * for it.
 */
const simulateWish = (send: SendCall, plan: LoanPlan, target: number | null) =>
  Effect.catchTag(
    simulate(send, plan, target),
    "QitechRefused",
    (refusal) => target !== null && refusal.code === targetTooHigh ? simulate(send, plan, null) : Effect.fail(refusal)
  )

const notPriced = (message: string): RejectionReason => rejectionReason("LENDER_POLICY", message)

/** Prices the instalments with one table. */
const priceTable = Effect.fnUntraced(function*(
  { fine, send }: QuoteParts,
  { released_on, wish }: LenderQuoteRequest,
  table: QitechTable,
  installments: ReadonlyArray<DueAmount>
): Effect.fn.Return<LenderOffer | Unpriced, LenderUnavailable | QitechRefused> {
  const { code, fee, label, monthly_rate } = table
  const plan: LoanPlan = {
    fee,
    fine,
    installments,
    monthly_rate,
    released_on,
    disbursed_on: businessDayFrom(released_on)
  }
  const target = wish.desired_amount === null ? null : reaisOf(wish.desired_amount)
  const data = dataOf(yield* simulateWish(send, plan, target))
  const priced = target === null ? installments : (installmentsOf(data) ?? installments)
  const terms = termsOf(data, { ...plan, installments: priced })
  if (Result.isFailure(terms)) {
    yield* Effect.annotateLogs(Effect.logWarning("a simulation of QI Tech cannot be used; its table gives no offer"), {
      table: code,
      problem: terms.failure
    })
    return unpriced(table, notPriced("A simulação da instituição não pôde ser usada."))
  }
  return terms.success.net_amount <= 0
    ? unpriced(table, rejectionReason("FEES_EXCEED_PRINCIPAL", "Os custos superam o valor financiado."))
    : {
      table: { code, label },
      terms: terms.success,
      valid_until: null,
      lender_ref: encodeRef({ monthly_rate, fee })
    }
})

/**
 * Prices the instalments with one table. If QI Tech rejects the simulation, returns the table without an offer. Fails
 * if the rejection only means that the disbursement day has passed.
 */
const priceOrRefuse = (
  parts: QuoteParts,
  request: LenderQuoteRequest,
  table: QitechTable,
  installments: ReadonlyArray<DueAmount>
) =>
  Effect.catchTag(
    priceTable(parts, request, table, installments),
    "QitechRefused",
    (refusal) =>
      refusal.code === dayPast ? Effect.fail(unexpected(refusal)) : Effect.as(
        Effect.annotateLogs(Effect.logWarning("QI Tech refuses a simulation; its table gives no offer"), {
          table: table.code,
          status: refusal.status,
          code: refusal.code
        }),
        unpriced(table, notPriced("A instituição recusou a simulação."))
      )
  )

/**
 * Prices the annual withdrawals that a balance allows, with every fee table. If the balance arrived after midnight, the
 * current day replaces the requested release day, which has passed.
 */
const price = Effect.fnUntraced(function*(
  parts: QuoteParts,
  asked: LenderQuoteRequest,
  list: ReadonlyArray<unknown>
) {
  const today = saoPauloDate(yield* currentTimestamp)
  const request = asked.released_on < today ? { ...asked, released_on: today } : asked
  const periods = periodsOf(list)
  if (periods.length === 0) return refused(rejectionReason("NO_BALANCE", "O trabalhador não possui saldo no FGTS."))
  const { customer, policy, released_on, wish } = request
  if (periods.some(({ due_date }) => due_date.slice(5, 7) !== customer.birth_date.slice(5, 7))) {
    return refused(
      rejectionReason("BIRTH_DATE_MISMATCH", "A data de nascimento difere da cadastrada na CAIXA.")
    )
  }
  const installments = installmentsFor(periods, { ...customer, released_on }, policy, wish)
  if (installments.length === 0) {
    return refused(
      rejectionReason("BELOW_MINIMUM_INSTALLMENT", "Valor da parcela inferior ao mínimo permitido.")
    )
  }
  const results = yield* Effect.forEach(parts.tables, (table) => priceOrRefuse(parts, request, table, installments))
  const quotation: LenderQuotation = {
    kind: "PRICED",
    offers: results.filter((result): result is LenderOffer => "terms" in result),
    unpriced: results.filter((result): result is Unpriced => "rejection" in result)
  }
  return quotation
})

/**
 * Completes a quote with the balance from a callback. If CAIXA could not return the balance, requests it again after a
 * pause.
 */
const conclude = Effect.fnUntraced(function*(
  parts: QuoteParts,
  request: LenderQuoteRequest,
  state: ReceivedBalance
) {
  const { result } = state
  if (result.status === "success") return yield* price(parts, request, result.periods)
  if (result.enumerator !== caixaError) return refused(balanceRejection(result.enumerator))
  const now = yield* Clock.currentTimeMillis
  const retry_after_ms = balanceRetryAt(state, millisOf(request.requested_at)) - now
  if (retry_after_ms <= 0) return yield* requestBalance(parts.send, request)
  return yield* unavailable("balance: caixa_error", retry_after_ms)
})

/**
 * Runs one step of a quote: requests the balance, uses the balance from a callback, or requests a missing callback
 * again.
 */
export const quoteOnce = Effect.fnUntraced(function*(parts: QuoteParts, request: LenderQuoteRequest) {
  const { send } = parts
  const state = decodeState(request.lender_state)
  if (state === null) return yield* requestBalance(send, request)
  if (state.kind === "received") return yield* conclude(parts, request, state)
  yield* resendCallbacks(send, state.key, state.asked_at)
  return pending({ ...state, looks: state.looks + 1 }, yield* Clock.currentTimeMillis)
})
