import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { at } from "./asking.ts"
import { historyOf, lastReasonOf, refusalOf, type SandboxDesk, statusOf } from "./SandboxDesk.ts"

/** The refusal of a cancellation that is too late. */
export const notCancellable = [409, "APPLICATION_NOT_CANCELLABLE"]

/** Cancels an application without a contract, and observes that it stays cancelled. */
const cancelledAtOnce = Effect.fnUntraced(function*(desk: SandboxDesk, id: string, offers: number) {
  const cancelled = yield* desk.cancel(id)
  assert.deepStrictEqual([cancelled.status, statusOf(cancelled)], [202, "CANCELLED"], cancelled.text)
  assert.strictEqual(at(cancelled, "rejection", "code"), "CUSTOMER_CANCELLED")
  const read = yield* desk.read(id)
  assert.deepStrictEqual([statusOf(read), at(read, "next_action")], ["CANCELLED", "NONE"])
  const shown = at(read, "quote", "offers") as ReadonlyArray<{ readonly status: string }>
  assert.deepStrictEqual(shown.map(({ status }) => status), Array.from({ length: offers }, () => "DECLINED"))
  assert.deepStrictEqual(refusalOf(yield* desk.cancel(id)), notCancellable)
  assert.deepStrictEqual(refusalOf(yield* desk.requote(id)), [409, "APPLICATION_NOT_QUOTABLE"])
})

/** Opens an application, waits until it has this status, and cancels it. */
const cancelledIn = (digits: string, status: string, offers = 0) => (desk: SandboxDesk) =>
  Effect.gen(function*() {
    const id = yield* desk.opened(digits)
    yield* desk.until(id, (present) => statusOf(present) === status)
    yield* cancelledAtOnce(desk, id, offers)
  })

/**
 * Cancels an application whose proposal has one of these statuses, and tries again if it is paid before the
 * cancellation arrives.
 */
const cancelledWhile =
  (digits: string, ...statuses: ReadonlyArray<string>) => (desk: SandboxDesk): Effect.Effect<void> =>
    Effect.gen(function*() {
      const { before, id, proposal } = yield* desk.contractingIn(digits, ...statuses)
      const cancelled = yield* desk.cancel(id)
      // A second cancellation changes nothing, whether or not the lender has confirmed the first.
      assert.include([202, 409], (yield* desk.cancel(id)).status)
      const after = yield* desk.reaches(proposal, "CANCELLED", "PAID")
      if (historyOf(after).includes("PAID")) return yield* cancelledWhile(digits, ...statuses)(desk)
      assert.strictEqual(cancelled.status, 202, cancelled.text)
      const history = historyOf(before)
      assert.deepStrictEqual(historyOf(after).slice(0, history.length), history)
      const read = yield* desk.read(id)
      assert.deepStrictEqual([statusOf(read), at(read, "rejection", "code")], ["CANCELLED", "CUSTOMER_CANCELLED"])
      assert.deepStrictEqual(refusalOf(yield* desk.cancel(id)), notCancellable)
      assert.strictEqual(at(after, "data", "signature_url"), null)
    })

/** Cancels an application while the lender pays it, and tries again if it is paid before the cancellation arrives. */
const cancelledWhilePaid = (desk: SandboxDesk): Effect.Effect<void> =>
  Effect.gen(function*() {
    const { id, proposal } = yield* desk.contractingIn("75", "AWAITING_SIGNATURE", "GUARANTEE_PENDING")
    const key = { "Idempotency-Key": `cancel-${id}` }
    const cancelled = yield* desk.cancel(id, { headers: key })
    if (cancelled.status === 409) {
      assert.strictEqual(at(yield* desk.proposal(proposal), "data", "status"), "PAID")
      return yield* cancelledWhilePaid(desk)
    }
    assert.deepStrictEqual([cancelled.status, statusOf(cancelled)], [202, "CONTRACTING"])
    assert.deepStrictEqual((yield* desk.cancel(id, { headers: key })).body, cancelled.body)
    const paid = yield* desk.reaches(proposal, "PAID")
    assert.deepStrictEqual(historyOf(paid).slice(-2), ["CANCELLING", "PAID"])
    assert.strictEqual(lastReasonOf(paid), "ALREADY_PAID")
    assert.strictEqual(statusOf(yield* desk.read(id)), "CONTRACTED")
  })

/**
 * Cancels a contract whose reference belongs to another one. The API does not show when the conflict is recorded. If
 * the cancellation is earlier, tries the next customer.
 */
const cancelledInConflict = (desk: SandboxDesk): Effect.Effect<readonly [number, string]> =>
  Effect.gen(function*() {
    const { id, proposal } = yield* desk.contracting("76")
    yield* Effect.sleep("2 seconds")
    const waiting = yield* desk.proposal(proposal)
    assert.deepStrictEqual(historyOf(waiting), ["SUBMITTING"])
    assert.strictEqual(at(waiting, "data", "reference"), null)
    const cancelled = yield* desk.cancel(id)
    return statusOf(cancelled) === "CONTRACTING"
      ? yield* cancelledInConflict(desk)
      : [cancelled.status, statusOf(cancelled)] as const
  })

/** A cancellation in each status, by its name. */
export const cancellations: Readonly<Record<string, (desk: SandboxDesk) => Effect.Effect<void>>> = {
  "cancelled while QUOTING": (desk) =>
    Effect.gen(function*() {
      const id = yield* desk.opened("77")
      const quote_id = at(yield* desk.read(id), "quote", "quote_id")
      yield* cancelledAtOnce(desk, id, 0)
      assert.strictEqual((yield* desk.callBack({ quote_id })).status, 204)
      yield* Effect.sleep("500 millis")
      assert.strictEqual(statusOf(yield* desk.read(id)), "CANCELLED")
    }),
  "cancelled when REJECTED": cancelledIn("89", "REJECTED"),
  "cancelled when QUOTE_FAILED": cancelledIn("96", "QUOTE_FAILED"),
  "cancelled when QUOTED": cancelledIn("00", "QUOTED", 3),
  "cancelled when EXPIRED": cancelledIn("85", "EXPIRED", 3),
  "cancelled while SUBMITTING": cancelledWhile("00", "SUBMITTING", "AWAITING_SIGNATURE"),
  "cancelled while AWAITING_SIGNATURE": cancelledWhile("00", "AWAITING_SIGNATURE"),
  "cancelled while GUARANTEE_PENDING": cancelledWhile("00", "GUARANTEE_PENDING"),
  "cancelled while DISBURSING": cancelledWhile("00", "DISBURSING"),
  "cancelled when DISBURSEMENT_FAILED": cancelledWhile("88", "DISBURSEMENT_FAILED"),
  "cancelled when CORRECTION_NEEDED": cancelledWhile("72", "CORRECTION_NEEDED"),

  "cancelled while it was being paid": cancelledWhilePaid,

  "cancelled because its reference belongs to another contract": (desk) =>
    Effect.gen(function*() {
      const first = yield* desk.contracting("76")
      yield* desk.reaches(first.proposal, "PAID")
      assert.deepStrictEqual(yield* cancelledInConflict(desk), [202, "CANCELLED"])
      assert.strictEqual(at(yield* desk.proposal(first.proposal), "data", "status"), "PAID")
    })
}
