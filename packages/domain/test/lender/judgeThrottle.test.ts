import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  callsBeside,
  freshThrottle,
  intervalMs,
  judgeEntry,
  leaveThrottle,
  roomPause,
  setBackThrottle,
  throttleLimits,
  type ThrottleState,
  throttleTimes
} from "../../src/lender/judgeThrottle.ts"
import { type LenderThrottleLimits } from "../../src/lender/LenderRequirements.ts"
import { type Tenancy, unknownTenancy } from "../../src/ports/turns.ts"

interface Caller {
  readonly ticket: string
  /** The time of the next request. */
  readonly at: number
  readonly arrived: number
  readonly slot_at: number | null
  readonly tenancy: Tenancy
}

interface Made {
  readonly ticket: string
  readonly root: string
  readonly arrived: number
  readonly at: number
  readonly ends: number
}

/**
 * Simulates callers that request again after the stated delay plus a lateness, until each has called once. Returns the
 * calls in order.
 */
const simulate = (
  arrivals: ReadonlyArray<number>,
  limits: LenderThrottleLimits,
  { duration, late, tenancyOf = () => unknownTenancy }: {
    readonly duration: (index: number) => number
    readonly late: (index: number) => number
    readonly tenancyOf?: (index: number) => Tenancy
  }
): { readonly calls: ReadonlyArray<Made>; readonly requests: number } => {
  let state: ThrottleState = freshThrottle
  let waiting: ReadonlyArray<Caller> = arrivals.map((at, index) => ({
    ticket: String(index).padStart(4, "0"),
    at,
    arrived: at,
    slot_at: null,
    tenancy: tenancyOf(index)
  }))
  const calls: Array<Made> = []
  let left: ReadonlyArray<Made> = []
  let requests = 0
  while (waiting.length > 0) {
    const [next] = waiting.toSorted((a, b) => a.at - b.at)
    if (next === undefined) break
    for (const ended of left.filter(({ ends }) => ends <= next.at)) state = leaveThrottle(state, ended.ticket)
    left = left.filter(({ ends }) => ends > next.at)
    const request = { lender: "one", ticket: next.ticket, slot_at: next.slot_at, tenancy: next.tenancy }
    const [after, entry] = judgeEntry(state, { at: next.at, call: next.ticket, limits, request })
    state = after
    const others = waiting.filter((one) => one !== next)
    if (entry._tag === "ENTERED") {
      const { arrived, at, tenancy: { root }, ticket } = next
      const made = { ticket, root, arrived, at, ends: at + duration(calls.length) }
      calls.push(made)
      left = [...left, made]
      waiting = others
    } else {
      const at = Math.ceil(next.at + entry.after_ms + late(requests))
      waiting = [...others, { ...next, at, slot_at: entry.slot_at }]
    }
    requests++
    assert.isBelow(requests, 100_000, "the callers never finish")
  }
  return { calls, requests }
}

const begin = 1_790_000_000_000
const rates = fc.constantFrom(0.5, 1, 2.5, 10, 50)
const arrivalTimes = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 60 }).map((times) =>
  times.toSorted((a, b) => a - b).map((time) => begin + time)
)
const lateness = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 20 })
const cycle = (values: ReadonlyArray<number>) => (index: number) => values[index % values.length] ?? 0

describe("judgeEntry", () => {
  it("LENDER-10 two calls never begin closer together than the rate allows, however late the callers return", () => {
    fc.assert(
      fc.property(arrivalTimes, rates, lateness, (arrivals, requests_per_second, late) => {
        const limits = { requests_per_second, max_in_flight: null }
        const { calls } = simulate(arrivals, limits, { duration: () => 50, late: cycle(late) })
        assert.strictEqual(calls.length, arrivals.length)
        for (const [index, { at }] of calls.entries()) {
          const before = calls[index - 1]
          if (before !== undefined) assert.isAtLeast(at - before.at, intervalMs(limits) - 1e-6)
        }
      }),
      { numRuns: 100 }
    )
  })

  it("LENDER-10 with punctual callers, calls are made in the order of the first requests and at the full rate", () => {
    fc.assert(
      fc.property(arrivalTimes, rates, (arrivals, requests_per_second) => {
        const limits = { requests_per_second, max_in_flight: null }
        const { calls, requests } = simulate(arrivals, limits, { duration: () => 50, late: () => 0 })
        assert.deepStrictEqual(calls.map(({ ticket }) => ticket), calls.map(({ ticket }) => ticket).toSorted())
        const last = calls.at(-1)?.at ?? 0
        assert.isAtMost(last - (arrivals.at(-1) ?? 0), arrivals.length * (intervalMs(limits) + 1))
        // One request reserves the slot, one takes it, and a fraction of a millisecond may need another.
        assert.isAtMost(requests, 4 * arrivals.length)
      }),
      { numRuns: 100 }
    )
  })

  it("LENDER-10 the calls in progress never exceed the maximum, and every caller gets its call", () => {
    const durations = fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 10 })
    const maxima = fc.integer({ min: 1, max: 8 })
    fc.assert(
      fc.property(arrivalTimes, maxima, durations, lateness, (arrivals, max_in_flight, duration, late) => {
        const limits = { requests_per_second: null, max_in_flight }
        const { calls } = simulate(arrivals, limits, { duration: cycle(duration), late: cycle(late) })
        assert.strictEqual(calls.length, arrivals.length)
        for (const { at } of calls) {
          assert.isAtMost(calls.filter((one) => one.at <= at && one.ends > at).length, max_in_flight)
        }
      }),
      { numRuns: 100 }
    )
  })

  it("LENDER-10 with one call at a time, callers that return in time enter in the order of their first requests", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 40 }), fc.integer({ min: 1, max: 500 }), (count, duration) => {
        const arrivals = Array.from({ length: count }, (_, index) => begin + index)
        const limits = { requests_per_second: null, max_in_flight: 1 }
        const { calls } = simulate(arrivals, limits, { duration: () => duration, late: () => 0 })
        assert.deepStrictEqual(calls.map(({ ticket }) => ticket), calls.map(({ ticket }) => ticket).toSorted())
      }),
      { numRuns: 100 }
    )
  })

  it("LENDER-30 the callers of a lender that does not answer return seldom, and its room is still used", () => {
    const arrivals = Array.from({ length: 96 }, (_, index) => begin + 100 * index)
    const limits = { requests_per_second: null, max_in_flight: 16 }
    const { calls, requests } = simulate(arrivals, limits, { duration: () => 30_000, late: () => 0 })
    const seconds = (Math.max(...calls.map(({ at }) => at)) - begin) / 1_000
    assert.isBelow(seconds, 1.1 * 96 / 16 * 30)
    assert.isBelow(requests / seconds, 60)
    const silent = [29_000, 20_000, 10_000, 1_000]
    assert.deepStrictEqual([0, 1, 4, 64].map((claimed) => roomPause(claimed, 4, silent)), [100, 2_000, 2_000, 10_000])
    assert.deepStrictEqual([0, 1, 4, 64].map((claimed) => roomPause(claimed, 4, [300])), [100, 100, 200, 2_000])
    // The callers of a quick lender return as soon as there may be room.
    const quick = simulate(arrivals.map((at, index) => at - 99 * index), limits, { duration: () => 500, late: () => 0 })
    assert.isBelow((Math.max(...quick.calls.map(({ at }) => at)) - begin) / 1_000, 1.5 * 96 / 16 / 2)
  })

  it("LENDER-10 a call whose node crashed ends after the deadline of a call, and a lost claim blocks nobody for long", () => {
    const limits = { requests_per_second: null, max_in_flight: 1 }
    const request = (ticket: string, slot_at: number | null = null) => ({ lender: "one", ticket, slot_at })
    const [held] = judgeEntry(freshThrottle, { at: begin, call: "a", limits, request: request("a") })
    const [claimed, refused] = judgeEntry(held, { at: begin + 1, call: "b", limits, request: request("b") })
    assert.deepStrictEqual(refused, { _tag: "WAIT", after_ms: throttleTimes.roomPauseMs, slot_at: begin + 1 })
    const [, late] = judgeEntry(claimed, { at: begin + 34_999, call: "c", limits, request: request("c", begin + 2) })
    assert.strictEqual(late._tag, "WAIT")
    const [, after] = judgeEntry(claimed, { at: begin + 35_000, call: "c", limits, request: request("c", begin + 2) })
    assert.deepStrictEqual(after, { _tag: "ENTERED", call: "c" })
  })

  it("JOB-09 after the clock was set back, the throttle decides as if it had never been ahead", () => {
    const tickets = fc.constantFrom("a", "b", "c", "d")
    fc.assert(
      fc.property(
        fc.array(tickets, { maxLength: 12 }),
        tickets,
        fc.integer({ min: 1, max: 1e6 }),
        (given, last, by) => {
          const limits = { requests_per_second: 2, max_in_flight: 3 }
          const attempt = (at: number, ticket: string, call = String(at)) => ({
            at,
            call,
            limits,
            request: { lender: "l", slot_at: null, ticket }
          })
          const at = 1e9
          const state = given.reduce(
            (present, ticket, index) => judgeEntry(present, attempt(at + index, ticket))[0],
            { ...freshThrottle, last_at: at - 1e6 }
          )
          const [next, entry] = judgeEntry(state, attempt(at + 20, last))
          const [after, decided] = judgeEntry(setBackThrottle(state, by), attempt(at + 20 - by, last, String(at + 20)))
          assert.deepStrictEqual(decided, "slot_at" in entry ? { ...entry, slot_at: entry.slot_at - by } : entry)
          const { next_at: _, ...expected } = setBackThrottle(next, by)
          const { next_at: __, ...actual } = after
          assert.deepStrictEqual(actual, expected)
        }
      )
    )
  })

  it("LENDER-26 a job that requests again has no other call in progress, and API requests may have several", () => {
    const tickets = fc.constantFrom("", "a", "b", "c", "d")
    fc.assert(
      fc.property(fc.array(tickets, { maxLength: 20 }), fc.integer({ min: 1, max: 4 }), (requests, max_in_flight) => {
        const limits = { requests_per_second: null, max_in_flight }
        let state: ThrottleState = freshThrottle
        for (const [at, ticket] of requests.entries()) {
          const before = state
          const [next, entry] = judgeEntry(before, {
            at,
            call: String(at),
            limits,
            request: { lender: "l", slot_at: null, ticket }
          })
          state = next
          const own = state.calls.filter((one) => one.ticket !== "" && one.ticket === ticket)
          assert.deepStrictEqual(
            own.map(({ call }) => call),
            entry._tag === "ENTERED" && ticket !== "" ? [entry.call] : []
          )
          const others = (calls: ThrottleState["calls"]) =>
            calls.filter((one) => one.call !== String(at) && (ticket === "" || one.ticket !== ticket))
          assert.deepStrictEqual(others(state.calls), others(before.calls))
          assert.isAtMost(state.calls.length, max_in_flight)
        }
      })
    )
  })

  it("LENDER-10 a caller that comes too soon after the last call waits exactly until the next one may begin", () => {
    const limits = { requests_per_second: 2, max_in_flight: null }
    const [state] = judgeEntry(freshThrottle, {
      at: begin,
      call: "a",
      limits,
      request: { lender: "one", ticket: "a", slot_at: null }
    })
    for (const late of [1, 100, 499]) {
      const request = { lender: "one", ticket: "b", slot_at: begin }
      const [, entry] = judgeEntry(state, { at: begin + late, call: "b", limits, request })
      assert.deepStrictEqual(entry, { _tag: "WAIT", after_ms: 500 - late, slot_at: begin })
    }
  })

  it("LENDER-10 slots that were reserved for another rate do not delay new callers", () => {
    const slow = { requests_per_second: 0.001, max_in_flight: null }
    const fast = { requests_per_second: 10, max_in_flight: null }
    let state = freshThrottle
    for (const ticket of ["a", "b", "c"]) {
      ;[state] = judgeEntry(state, {
        at: begin,
        call: ticket,
        limits: slow,
        request: { lender: "one", ticket, slot_at: null }
      })
    }
    const request = { lender: "one", ticket: "d", slot_at: null }
    const [, entry] = judgeEntry(state, { at: begin + 50, call: "d", limits: fast, request })
    assert.deepStrictEqual(entry, { _tag: "WAIT", after_ms: 50, slot_at: begin + 100 })
  })

  /** A flood of one root, and calls of another root that arrive when the one before has long ended. */
  const flooded = (
    count: number,
    partners: number,
    limits: LenderThrottleLimits,
    { duration, pause }: { readonly duration: number; readonly pause: number }
  ) => {
    const flood = Array.from(
      { length: count },
      (_, index) => ({ at: begin, root: "flood", partner: `${index % partners}` })
    )
    const victims = Array.from({ length: 5 }, (_, index) => ({
      at: begin + 50 + (index + 1) * pause,
      root: "victim",
      partner: "one"
    }))
    const all = [...flood, ...victims]
    const { calls } = simulate(all.map(({ at }) => at), limits, {
      duration: () => duration,
      late: () => 0,
      tenancyOf: (index) => all[index] ?? unknownTenancy
    })
    assert.strictEqual(calls.length, all.length)
    return calls
  }

  const overtakersOf = (calls: ReadonlyArray<Made>, { arrived, at, ticket }: Made) =>
    calls.filter((one) => one.ticket !== ticket && one.at > arrived && one.at < at).length

  it("LENDER-10 TURN-01 a call of a root with nothing waiting gets the next free turn, however long the queue of another", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom<readonly [LenderThrottleLimits, number]>(
          [{ requests_per_second: 10, max_in_flight: null }, 50],
          [{ requests_per_second: 1, max_in_flight: null }, 50],
          [{ requests_per_second: null, max_in_flight: 16 }, 5_000],
          [{ requests_per_second: null, max_in_flight: 1 }, 200],
          [{ requests_per_second: 10, max_in_flight: 4 }, 300]
        ),
        (count, partners, [limits, duration]) => {
          const calls = flooded(count, partners, limits, { duration, pause: 3 * duration + 2 * intervalMs(limits) })
          for (const call of calls.filter(({ root }) => root === "victim")) {
            const running = calls.filter(({ at, ends }) => at <= call.arrived && ends > call.arrived)
            const isFull = limits.max_in_flight !== null && running.length >= limits.max_in_flight
            const room_ms = isFull ? Math.min(...running.map(({ ends }) => ends)) - call.arrived : 0
            const turn_ms = Math.max(room_ms + (isFull ? throttleTimes.roomPauseMs : 0), 1) + 2 * intervalMs(limits)
            assert.isAtMost(call.at - call.arrived, turn_ms)
            if (limits.max_in_flight === null) assert.isAtMost(overtakersOf(calls, call), 1)
          }
        }
      ),
      { numRuns: 15 }
    )
  })

  it("LENDER-10 TURN-01 roots with waiting calls share the lender equally, and so do the partners of a root", () => {
    for (
      const limits of [{ requests_per_second: 10, max_in_flight: null }, {
        requests_per_second: null,
        max_in_flight: 4
      }]
    ) {
      const tenancies = Array.from(
        { length: 240 },
        (_, index) => index < 160 ? { root: "a", partner: index < 140 ? "one" : "two" } : { root: "b", partner: "one" }
      )
      const { calls } = simulate(tenancies.map((_, index) => begin + index), limits, {
        duration: () => 200,
        late: () => 0,
        tenancyOf: (index) => tenancies[index] ?? unknownTenancy
      })
      const early = calls.filter(({ at }) => at > begin + 240).slice(0, 80)
      const ofRoot = (root: string) => early.filter((one) => one.root === root).length
      assert.approximately(ofRoot("b"), 40, 8)
      const ofPartner = (partner: string) =>
        early.filter(({ root, ticket }) => root === "a" && tenancies[Number(ticket)]?.partner === partner).length
      assert.approximately(ofPartner("two"), 20, 8)
    }
  })

  it("LENDER-10 the lender is used at its full rate, whoever waits", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "b", "c"), { minLength: 20, maxLength: 120 }),
        (roots) => {
          const limits = { requests_per_second: 10, max_in_flight: null }
          const { calls } = simulate(roots.map(() => begin), limits, {
            duration: () => 50,
            late: () => 0,
            tenancyOf: (index) => ({ root: roots[index] ?? "", partner: "one" })
          })
          const spent = (calls.at(-1)?.at ?? 0) - begin
          assert.isAtMost(spent, roots.length * 100 * 1.25 + 1_000)
        }
      ),
      { numRuns: 10 }
    )
  })

  it("LENDER-09 the operator's limits override those of the lender, also with none", () => {
    const required = { requests_per_second: 2, max_in_flight: 16 }
    assert.deepStrictEqual(throttleLimits(required, {}), required)
    assert.deepStrictEqual(throttleLimits(required, { requests_per_second: 0.5 }), {
      requests_per_second: 0.5,
      max_in_flight: 16
    })
    assert.deepStrictEqual(throttleLimits(required, { requests_per_second: null, max_in_flight: 3 }), {
      requests_per_second: null,
      max_in_flight: 3
    })
  })

  it("LENDER-10 the state keeps the reserved slots of at most 256 partners, however many call at a time", () => {
    const limits = { requests_per_second: 0.01, max_in_flight: null }
    let state: ThrottleState = freshThrottle
    for (let index = 0; index < 1_000; index++) {
      const tenancy = { root: `root${index}`, partner: `partner${index}` }
      const request = { lender: "bank", ticket: `${index}`, slot_at: null, tenancy }
      state = judgeEntry(state, { at: 1_000_000 + index, call: `${index}`, limits, request })[0]
    }
    const { lanes = [], served = [], waiting } = state
    assert.strictEqual(lanes.length, throttleTimes.maxLanes)
    assert.isAtMost(served.length, 2 * (throttleTimes.maxLanes + throttleTimes.maxWaiting))
    assert.isAtMost(waiting.length, throttleTimes.maxWaiting)
  })

  it("LENDER-26 a job ends its earlier call by requesting another, and no other call", () => {
    const calls = [
      { call: "own", ends_at: 9, ticket: "a" },
      { call: "other", ends_at: 9, ticket: "b" },
      { call: "lapsed", ends_at: 5, ticket: "b" }
    ]
    const beside = (ticket: string) => callsBeside(calls, 5, ticket).map(({ call }) => call)
    assert.deepStrictEqual([beside("a"), beside("b"), beside("")], [["other"], ["own"], ["own", "other"]])
  })
})
