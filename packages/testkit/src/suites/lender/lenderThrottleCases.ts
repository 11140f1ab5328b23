import { type CallEntry, LenderThrottle, type LenderThrottleLimits } from "@lastro/domain/lender"
import { assert } from "chai"
import { Clock, Effect, Latch } from "effect"
import { freshId } from "../../builders/Fresh.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"

const limit = (limits: Partial<LenderThrottleLimits>): LenderThrottleLimits => ({
  requests_per_second: null,
  max_in_flight: null,
  ...limits
})

const enter = (
  lender: string,
  ticket: string,
  limits: LenderThrottleLimits,
  slot_at: number | null = null,
  root: string = ""
) =>
  Effect.flatMap(
    LenderThrottle,
    (throttle) => throttle.enter({ lender, ticket, slot_at, tenancy: { root, partner: root } }, limits)
  )

const leave = (lender: string, call: string) =>
  Effect.flatMap(LenderThrottle, (throttle) => throttle.leave(lender, call))

/** Requests a call until the throttle allows it, and waits between the requests as the throttle states. */
const enterInTurn = Effect.fnUntraced(function*(lender: string, ticket: string, limits: LenderThrottleLimits) {
  for (let slot_at: number | null = null;;) {
    const entry: CallEntry = yield* enter(lender, ticket, limits, slot_at)
    if (entry._tag === "ENTERED") return { at: yield* Clock.currentTimeMillis, call: entry.call }
    yield* Effect.sleep(entry.after_ms)
    slot_at = entry.slot_at
  }
})

const tickets = Array.from({ length: 12 }, (_, index) => String(index).padStart(3, "0"))

/** Contract cases for LenderThrottle. */
export const lenderThrottleCases: ContractCases<LenderThrottle> = (it) => {
  it("LENDER-10 `enter` reserves one time slot for each caller, first come, first served", function*() {
    const lender = yield* freshId
    const slow = limit({ requests_per_second: 0.01 })
    const first = yield* enter(lender, "a", slow)
    assert.strictEqual(first._tag, "ENTERED")
    const slots: Array<number> = []
    for (const ticket of ["b", "c", "d"]) {
      const entry = yield* enter(lender, ticket, slow)
      assert(entry._tag === "WAIT")
      slots.push(entry.slot_at)
    }
    const [b = 0, c = 0, d = 0] = slots
    assert.approximately(c - b, 100_000, 1)
    assert.approximately(d - c, 100_000, 1)
    // A caller that requests again keeps its slot, and reserves no other.
    const again = yield* enter(lender, "b", slow, b)
    assert(again._tag === "WAIT")
    assert.strictEqual(again.slot_at, b)
    const last = yield* enter(lender, "e", slow)
    assert(last._tag === "WAIT")
    assert.approximately(last.slot_at - d, 100_000, 1)
    // The slots of another lender are independent.
    assert.strictEqual((yield* enter(yield* freshId, "a", slow))._tag, "ENTERED")
  })

  it("LENDER-10 calls never begin closer together than the rate allows", function*() {
    const lender = yield* freshId
    const limits = limit({ requests_per_second: 20 })
    const begun = yield* Clock.currentTimeMillis
    const calls = yield* Effect.forEach(tickets, (ticket) => enterInTurn(lender, ticket, limits), {
      concurrency: "unbounded"
    })
    // 11 intervals of 50 ms, less 1 ms for rounding.
    assert.isAtLeast(Math.max(...calls.map(({ at }) => at)) - begun, 11 * 50 - 1)
  })

  it("LENDER-10 concurrent requests never exceed `max_in_flight`, and `leave` makes room", function*() {
    const lender = yield* freshId
    const limits = limit({ max_in_flight: 3 })
    let inProgress = 0
    let most = 0
    const called: Array<string> = []
    // Calls wait until three are in progress. If that never happens, they end after 10 s, and the case fails.
    const full = yield* Latch.make()
    yield* Effect.forEach(
      tickets,
      (ticket) =>
        Effect.gen(function*() {
          const { call } = yield* enterInTurn(lender, ticket, limits)
          most = Math.max(most, ++inProgress)
          called.push(ticket)
          if (inProgress === 3) yield* full.open
          yield* Effect.timeoutOrElse(full.await, { duration: "10 seconds", orElse: () => full.open })
          yield* Effect.sleep("20 millis")
          inProgress--
          yield* leave(lender, call)
        }),
      { concurrency: "unbounded" }
    )
    assert.strictEqual(most, 3)
    assert.deepStrictEqual(called.toSorted(), tickets)
  })

  it("LENDER-10 TURN-01 a root with nothing waiting gets the next free turn", function*() {
    const lender = yield* freshId
    const limits = limit({ max_in_flight: 1 })
    const [root, otherRoot] = [yield* freshId, yield* freshId]
    const first = yield* enter(lender, "a", limits, null, root)
    const second = yield* enter(lender, "b", limits, null, root)
    const other = yield* enter(lender, "c", limits, null, otherRoot)
    assert(first._tag === "ENTERED" && second._tag === "WAIT" && other._tag === "WAIT")
    yield* leave(lender, first.call)
    assert.strictEqual((yield* enter(lender, "b", limits, second.slot_at, root))._tag, "WAIT")
    assert.strictEqual((yield* enter(lender, "c", limits, other.slot_at, otherRoot))._tag, "ENTERED")
    const slow = limit({ requests_per_second: 0.01 })
    const slowLender = yield* freshId
    yield* enter(slowLender, "a", slow, null, root)
    const queued = yield* enter(slowLender, "b", slow, null, root)
    const last = yield* enter(slowLender, "c", slow, null, root)
    const newcomer = yield* enter(slowLender, "d", slow, null, otherRoot)
    assert(queued._tag === "WAIT" && last._tag === "WAIT" && newcomer._tag === "WAIT")
    assert.strictEqual(newcomer.slot_at, queued.slot_at)
    assert.isBelow(newcomer.slot_at, last.slot_at)
  })

  it("a caller that waits for room enters before callers that came later", function*() {
    const lender = yield* freshId
    const limits = limit({ max_in_flight: 1 })
    const first = yield* enter(lender, "a", limits)
    const second = yield* enter(lender, "b", limits)
    assert(first._tag === "ENTERED" && second._tag === "WAIT")
    yield* leave(lender, first.call)
    const third = yield* enter(lender, "c", limits)
    assert.strictEqual(third._tag, "WAIT")
    const returned = yield* enter(lender, "b", limits, second.slot_at)
    assert.strictEqual(returned._tag, "ENTERED")
  })

  it("LENDER-26 the call of a node that crashed ends when its job requests again, and no earlier", function*() {
    const lender = yield* freshId
    const limits = limit({ max_in_flight: 2 })
    for (const ticket of ["a", "b"]) assert.strictEqual((yield* enter(lender, ticket, limits))._tag, "ENTERED")
    // An API request has no ticket, so a new request does not end its earlier call.
    assert.strictEqual((yield* enter(lender, "", limits))._tag, "WAIT")
    for (const ticket of ["b", "a", "a"]) assert.strictEqual((yield* enter(lender, ticket, limits))._tag, "ENTERED")
    assert.strictEqual((yield* enter(lender, "c", limits))._tag, "WAIT")
  })

  it("`leave` ignores an unknown call and an unknown lender", function*() {
    const lender = yield* freshId
    const limits = limit({ max_in_flight: 1 })
    yield* leave(lender, "unknown")
    assert.strictEqual((yield* enter(lender, "a", limits))._tag, "ENTERED")
    yield* leave(lender, "unknown")
    assert.strictEqual((yield* enter(lender, "b", limits))._tag, "WAIT")
  })
}
