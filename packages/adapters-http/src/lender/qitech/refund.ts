import { ExitRefused, type LenderUnavailable } from "@lastro/domain/lender"
import { type LenderContract, type LenderRefund } from "@lastro/domain/loan"
import { Clock, Effect } from "effect"
import { contractOf, type Debt, type DebtParts, readDebtOf } from "./debts.ts"
import { findRefund } from "./payments.ts"
import { unavailable } from "./qitechCalls.ts"
import { findMark, isUnsettled, keepMark, type Mark } from "./QitechInbox.ts"
import { type QitechRefused } from "./QitechRefused.ts"
import { readReference } from "./reference.ts"

const noCode = unavailable("refund: there is no code to pay yet")

const refusedFor = ({ code, status }: QitechRefused) =>
  new ExitRefused({ detail: `refund: status ${status}${code === null ? "" : `, ${code}`}` })

/**
 * Requests a refund from QI Tech, after storing a {@link Mark} of the call. Returns the rejection, or null if QI Tech
 * accepted the request.
 */
const reverse = Effect.fnUntraced(function*(
  { inbox, send }: DebtParts,
  { contract_number, key }: Debt,
  requested_at: string
): Effect.fn.Return<QitechRefused | null, LenderUnavailable> {
  if (contract_number === null) return yield* unavailable("refund: the debt has no contract number")
  const mark: Mark = { at: yield* Clock.currentTimeMillis, requested_at, is_accepted: false }
  yield* keepMark(inbox, "refund", key, mark)
  const refusal = yield* send({
    operation: "refund",
    method: "POST",
    path: "/debt/reversal",
    json: { contract_number }
  }).pipe(
    Effect.as(null),
    Effect.catchTag("QitechRefused", Effect.succeed),
    Effect.tapError(({ reason }) => reason === "ASKED" ? Effect.void : keepMark(inbox, "refund", key, null))
  )
  yield* keepMark(inbox, "refund", key, refusal === null ? { ...mark, is_accepted: true } : null)
  return refusal
})

/** Maximum milliseconds until an accepted refund is visible. Until then, the request is not repeated. */
const acceptedMs = 24 * 3_600_000

/** Returns whether a refund was requested but may not be visible at QI Tech yet. */
const isAwaited = ({ at, is_accepted }: Mark): Effect.Effect<boolean> =>
  is_accepted ? Effect.map(Clock.currentTimeMillis, (now) => now < at + acceptedMs) : isUnsettled(at)

/**
 * Requests the refund of a paid contract, unless it was requested before. The status PAID means that the refund of this
 * request expired or was rejected. Fails with ExitRefused if QI Tech rejects the request, for example because seven
 * days have passed or an instalment was paid.
 */
export const refund = Effect.fnUntraced(function*(
  parts: DebtParts,
  { reference, requested_at }: LenderRefund
): Effect.fn.Return<LenderContract, LenderUnavailable | ExitRefused> {
  const { inbox, send } = parts
  const { attempt, key } = readReference(reference)
  const debt = yield* readDebtOf(send, key)
  if (debt.status === "disbursed") return yield* unavailable("refund: the debt is not opened yet")
  if (debt.status === "settled") return yield* new ExitRefused({ detail: "refund: the debt is settled" })
  if (debt.status !== "opened") return yield* contractOf(parts, debt, attempt)
  const found = yield* findRefund(send, key)
  const mark = yield* findMark(inbox, "refund", key)
  const isSent = mark?.requested_at === requested_at
  if (found === null && mark !== null && (yield* isAwaited(mark))) return yield* noCode
  if (found === "ENDED" && isSent && (yield* isUnsettled(mark.at))) return yield* noCode
  if (found === null || found === "ENDED" && !isSent) {
    const refusal = yield* reverse(parts, debt, requested_at)
    const after = yield* findRefund(send, key)
    if (after === null || after === "ENDED") return yield* refusal === null ? noCode : refusedFor(refusal)
  }
  return yield* contractOf(parts, yield* readDebtOf(send, key), attempt)
})
