import { ExitRefused, type LenderUnavailable } from "@lastro/domain/lender"
import { type LenderCancellation, type LenderContract } from "@lastro/domain/loan"
import { millisOf } from "@lastro/domain/values"
import { Clock, Effect, Option } from "effect"
import { contractOf, type Debt, type DebtParts, findDebt, presentPayment, readDebtOf } from "./debts.ts"
import { type SendCall, unavailable } from "./qitechCalls.ts"
import { findMark, isUnsettled, keepMark } from "./QitechInbox.ts"
import { readReference, requesterKeyOf } from "./reference.ts"

/** The statuses of a debt whose money was paid out to the customer. */
const paid: ReadonlySet<string> = new Set(["disbursed", "opened", "settled"])

/** The lasting statuses in which a debt can be cancelled. A rejected cancellation in one of them is final. */
const cancellable: ReadonlySet<string> = new Set(["waiting_signature", "signed"])

/**
 * Requests the cancellation of a debt whose money was not paid out. Returns true if QI Tech rejects it, for example
 * because the status has changed meanwhile.
 */
const requestCancel = (send: SendCall, key: string): Effect.Effect<boolean, LenderUnavailable> =>
  send({ operation: "cancel", method: "PATCH", path: `/debt/${encodeURIComponent(key)}/cancel`, json: {} }).pipe(
    Effect.as(false),
    Effect.catchTag("QitechRefused", () => Effect.succeed(true))
  )

/**
 * Releases the guarantee of a cancelled debt. QI Tech accepts the request at once and releases the guarantee later.
 * Until then, the request can be repeated. If QI Tech rejects it, the contract stays cancelled, but an operator must
 * release the guarantee.
 */
const releaseGuarantee = (send: SendCall, key: string) =>
  Effect.catchTag(
    send({
      operation: "cancelPermanently",
      method: "POST",
      path: `/debt/${encodeURIComponent(key)}/cancel_permanently`,
      json: {}
    }),
    "QitechRefused",
    ({ code, status }) =>
      Effect.annotateLogs(
        Effect.logError("QI Tech refuses to release the guarantee of a cancelled debt; release it in QI Tech's portal"),
        { reference: key, status, code }
      )
  )

/**
 * Cancels a debt and releases its guarantee. Returns the state of the contract: cancelled, or already paid. Fails with
 * LenderUnavailable if the debt is in a transitional status; the caller then tries again. Fails with ExitRefused if QI
 * Tech finally rejects the cancellation, although the status allows it.
 */
export const cancelDebt = Effect.fnUntraced(function*(
  parts: DebtParts,
  debt: Debt,
  attempt: number
): Effect.fn.Return<LenderContract, LenderUnavailable | ExitRefused> {
  const { send } = parts
  if (debt.status === "canceled_permanently" || paid.has(debt.status)) return yield* contractOf(parts, debt, attempt)
  if (debt.status === "disbursing") return yield* unavailable("cancel: the debt is being paid")
  const isRefused = debt.status !== "canceled" && (yield* requestCancel(send, debt.key))
  const after = yield* readDebtOf(send, debt.key)
  if (paid.has(after.status)) return yield* contractOf(parts, after, attempt)
  if (after.status !== "canceled" && after.status !== "canceled_permanently") {
    return isRefused && after.status === debt.status && cancellable.has(after.status)
      ? yield* new ExitRefused({ detail: `cancel: QI Tech refuses it in the status ${after.status}` })
      : yield* unavailable("cancel: the debt is not cancelled yet")
  }
  if (after.status === "canceled") yield* releaseGuarantee(send, debt.key)
  const released: Debt = { ...after, status: "canceled_permanently", body: null }
  return yield* contractOf(parts, released, attempt)
})

/**
 * Cancels a debt for the customer. First stores a mark of the cancellation. While the mark exists, no payment of the
 * debt is sent again. A final rejection removes the mark.
 */
const cancelMarked = Effect.fnUntraced(function*(
  parts: DebtParts,
  { requested_at }: LenderCancellation,
  debt: Debt,
  attempt: number
) {
  const at = yield* Clock.currentTimeMillis
  yield* keepMark(parts.inbox, "cancel", debt.key, { at, requested_at, is_accepted: false })
  return yield* Effect.tapErrorTag(
    cancelDebt(parts, debt, attempt),
    "ExitRefused",
    () => keepMark(parts.inbox, "cancel", debt.key, null)
  )
})

/** The pause in milliseconds before the debt of a proposal is searched for again. */
const searchPauseMs = 30_000

/**
 * Cancels the contract of a proposal. Returns null if QI Tech has no debt for it, and no earlier issue can still create
 * one.
 */
export const cancel = Effect.fnUntraced(function*(
  parts: DebtParts,
  cancellation: LenderCancellation
): Effect.fn.Return<LenderContract | null, LenderUnavailable | ExitRefused> {
  const { proposal_id, reference, requested_at } = cancellation
  if (reference !== null) {
    const { attempt, key } = readReference(reference)
    return yield* cancelMarked(parts, cancellation, yield* readDebtOf(parts.send, key), attempt)
  }
  const requester_key = requesterKeyOf(proposal_id)
  const debt = yield* findDebt(parts.send, requester_key)
  if (Option.isSome(debt)) return yield* cancelMarked(parts, cancellation, debt.value, 1)
  const issued = yield* findMark(parts.inbox, "issue", requester_key)
  return (yield* isUnsettled(Math.max(issued?.at ?? 0, millisOf(requested_at))))
    ? yield* unavailable("cancel: an issue may still create the debt", searchPauseMs)
    : null
})

/**
 * Reads a contract. If the banks rejected a payment because it came too late in the day, sends it again, unless a
 * cancellation was requested.
 */
export const readContract = Effect.fnUntraced(function*(parts: DebtParts, reference: string) {
  const { attempt, key } = readReference(reference)
  const debt = yield* readDebtOf(parts.send, key)
  const contract = yield* contractOf(parts, debt, attempt)
  if (debt.status !== "canceled" || contract.status !== "DISBURSING") return contract
  if ((yield* findMark(parts.inbox, "cancel", key)) === null) yield* presentPayment(parts.send, key)
  return contract
})
