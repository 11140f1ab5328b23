import {
  type LenderCancellation,
  type LenderContract,
  type LenderRefund,
  LenderUnavailable
} from "@lastro/domain/lender"
import { Effect, Option } from "effect"
import { contractOf, type Debt, type DebtParts, findDebt, readDebtOf } from "./debts.ts"
import { findRefund } from "./payments.ts"
import { type SendCall } from "./qitechCalls.ts"
import { readReference } from "./reference.ts"
import { requesterKeyOf } from "./requesterKey.ts"

/** The statuses in which the money has been paid, or is on its way. */
const paid: ReadonlySet<string> = new Set(["disbursing", "disbursed", "opened", "settled"])

/** Cancels a debt that is not paid. A refusal means that its status has changed meanwhile: the debt is then read again. */
const cancelOnce = (send: SendCall, key: string) =>
  Effect.catchTag(
    send({ operation: "cancel", method: "PATCH", path: `/debt/${encodeURIComponent(key)}/cancel`, json: {} }),
    "QitechRefused",
    () => Effect.void
  )

/**
 * Releases the guarantee of a cancelled debt. QI Tech does so later, and accepts the request again until then. A refusal leaves the contract
 * cancelled, but an operator has to see to the guarantee.
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

/** Cancels a debt and releases its guarantee. Returns the state of its contract. */
export const cancelDebt = Effect.fnUntraced(function*(parts: DebtParts, debt: Debt, attempt: number) {
  const { send } = parts
  if (debt.status === "canceled_permanently" || paid.has(debt.status)) return yield* contractOf(parts, debt, attempt)
  if (debt.status !== "canceled") yield* cancelOnce(send, debt.key)
  const after = yield* readDebtOf(send, debt.key)
  if (after.status !== "canceled" && after.status !== "canceled_permanently") {
    return yield* contractOf(parts, after, attempt)
  }
  if (after.status === "canceled") yield* releaseGuarantee(send, debt.key)
  const released: Debt = { ...after, status: "canceled_permanently", body: null }
  return yield* contractOf(parts, released, attempt)
})

/** Cancels the contract of a proposal. Null if QI Tech has none. */
export const cancel = Effect.fnUntraced(function*(
  parts: DebtParts,
  { proposal_id, reference }: LenderCancellation
): Effect.fn.Return<LenderContract | null, LenderUnavailable> {
  if (reference !== null) {
    const { attempt, key } = readReference(reference)
    return yield* cancelDebt(parts, yield* readDebtOf(parts.send, key), attempt)
  }
  const debt = yield* findDebt(parts.send, requesterKeyOf(proposal_id))
  return Option.isNone(debt) ? null : yield* cancelDebt(parts, debt.value, 1)
})

/**
 * Requests the refund of a paid contract, unless a code that can still be paid exists. If QI Tech refuses, because the seven days have passed
 * or an instalment was paid, the contract stays PAID.
 */
export const refund = Effect.fnUntraced(function*(
  parts: DebtParts,
  { reference }: LenderRefund
): Effect.fn.Return<LenderContract, LenderUnavailable> {
  const { send } = parts
  const { attempt, key } = readReference(reference)
  const debt = yield* readDebtOf(send, key)
  if (debt.status !== "opened" || (yield* findRefund(send, key)) !== null) {
    return yield* contractOf(parts, debt, attempt)
  }
  if (debt.contract_number === null) {
    return yield* new LenderUnavailable({ reason: "ASKED", detail: "refund: the debt has no contract number" })
  }
  yield* send({
    operation: "refund",
    method: "POST",
    path: "/debt/reversal",
    json: { contract_number: debt.contract_number }
  }).pipe(
    Effect.catchTag(
      "QitechRefused",
      ({ code, status }) =>
        Effect.annotateLogs(Effect.logWarning("QI Tech refuses a refund; the contract stays paid"), {
          reference: key,
          status,
          code
        })
    )
  )
  return yield* contractOf(parts, yield* readDebtOf(send, key), attempt)
})

/** Reads a contract. */
export const readContract = Effect.fnUntraced(function*(parts: DebtParts, reference: string) {
  const { attempt, key } = readReference(reference)
  return yield* contractOf(parts, yield* readDebtOf(parts.send, key), attempt)
})
