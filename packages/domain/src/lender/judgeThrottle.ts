import { inTurns, type Tenancy, turnKeys, unknownTenancy } from "../ports/turns.ts"
import { type LenderThrottleLimits } from "./LenderRequirements.ts"
import { type LenderSettingsValues } from "./LenderSettings.ts"
import { type CallEntry, type CallRequest } from "./LenderThrottle.ts"

/**
 * The state of the throttle of one lender, which limits its calls per second and its calls at a time. All times are in
 * milliseconds, from the same clock.
 */
export interface ThrottleState {
  /** The minimum time between two calls for which `next_at` was computed. */
  readonly interval_ms: number
  /** The end of the last reserved slot. Only earlier versions of Lastro read it. */
  readonly next_at: number
  /** For each partner, the end of its last reserved slot, in the order of the reservations. */
  readonly lanes?: ReadonlyArray<{ readonly tenancy: Tenancy; readonly next_at: number }>
  /** The partners and roots that have called or are waiting, in the order of their latest calls (TURN-01). */
  readonly served?: ReadonlyArray<string>
  /** The time at which the last call to the lender began. */
  readonly last_at: number
  /** The calls in progress. */
  readonly calls: ReadonlyArray<CallInProgress>
  /** The waiting callers, in order. A caller that does not return in time is removed. */
  readonly waiting: ReadonlyArray<WaitingCaller>
}

/** A call in progress, with the ticket of its caller. Earlier versions of Lastro store no ticket. */
interface CallInProgress {
  readonly call: string
  readonly ends_at: number
  readonly tenancy?: Tenancy
  readonly ticket?: string
}

/** A caller that waits for its slot, or that could not call the lender in its slot. */
interface WaitingCaller {
  readonly tenancy?: Tenancy
  readonly ticket: string
  readonly slot_at: number
  /** The time at which the caller should request entry again. */
  readonly returns_at: number
  /**
   * True if the caller waits for another call to end. The room of the next call that ends is then kept for this caller
   * until it returns.
   */
  readonly claims: boolean
}

/** The state before the first call. */
export const freshThrottle: ThrottleState = { interval_ms: 0, next_at: 0, last_at: 0, calls: [], waiting: [] }

/** The constants of the throttle. Times are in milliseconds. */
export const throttleTimes = {
  /**
   * A call ends after this time at the latest: the deadline of a call plus 5 seconds. For callers that neither call
   * `leave` nor request again (LENDER-26).
   */
  callLapseMs: 35_000,
  /** Maximum number of waiting callers whose order is stored. */
  maxWaiting: 64,
  /** Maximum number of partners whose reserved slots are kept. */
  maxLanes: 256,
  /**
   * A waiting caller that is late by more than this is removed. Until then, the room that is kept for it stays free.
   */
  claimGraceMs: 3_000,
  /** Maximum time for which a late caller delays the callers behind it, if no room is kept for it. */
  longestGraceMs: 1_000,
  /** The shortest pause of a caller while the maximum number of calls is in progress. */
  roomPauseMs: 100,
  longestRoomPauseMs: 2_000,
  /** The longest pause of a caller whose order is not stored. */
  longestPauseMs: 10_000
} as const

const {
  callLapseMs,
  claimGraceMs,
  longestGraceMs,
  longestPauseMs,
  longestRoomPauseMs,
  maxLanes,
  maxWaiting,
  roomPauseMs
} = throttleTimes

/** Returns the minimum time between two calls in milliseconds. */
export const intervalMs = ({ requests_per_second }: LenderThrottleLimits): number =>
  requests_per_second === null ? 0 : 1_000 / requests_per_second

/**
 * The limits of a lender (calls per second, and calls at a time) are those that its adapter requires, unless the
 * operator overrides them.
 * @rule LENDER-09
 */
export const throttleLimits = (
  required: LenderThrottleLimits,
  settings: Pick<LenderSettingsValues, "max_in_flight" | "requests_per_second">
): LenderThrottleLimits => ({
  requests_per_second: settings.requests_per_second === undefined
    ? required.requests_per_second
    : settings.requests_per_second,
  max_in_flight: settings.max_in_flight === undefined ? required.max_in_flight : settings.max_in_flight
})

/**
 * A request to enter the throttle: the limits, the time `at` in milliseconds, and `call`, the id of the call if it
 * enters.
 */
export interface EntryAttempt {
  readonly request: CallRequest
  readonly limits: LenderThrottleLimits
  readonly call: string
  readonly at: number
}

/** Returns the callers in the order of their turns. */
const orderCallers = (
  callers: ReadonlyArray<WaitingCaller>,
  { calls, served = [] }: Pick<ThrottleState, "calls" | "served">
): ReadonlyArray<WaitingCaller> =>
  inTurns(
    callers.toSorted((a, b) => a.ticket < b.ticket ? -1 : 1).map((caller) => ({
      ...caller.tenancy ?? unknownTenancy,
      since: caller.slot_at,
      caller
    })),
    { running: calls.map(({ tenancy = unknownTenancy }) => tenancy), served }
  ).map(({ caller }) => caller)

/** Returns the turns of the partners and roots that have a call, a slot or a waiting caller. */
const keptTurns = (
  served: ReadonlyArray<string>,
  { calls, lanes = [], waiting }: Pick<ThrottleState, "calls" | "lanes" | "waiting">
): ReadonlyArray<string> => {
  const present = new Set([...calls, ...lanes, ...waiting].flatMap(({ tenancy = unknownTenancy }) => turnKeys(tenancy)))
  return served.filter((key) => present.has(key))
}

const isSame = (a: Tenancy, b: Tenancy): boolean => a.root === b.root && a.partner === b.partner

/**
 * A job has at most one call in progress: a new request of a job ends its earlier call. So a node that takes over the
 * jobs of a crashed node does not wait until their calls lapse.
 * @rule LENDER-26
 */
export const callsBeside = (
  calls: ReadonlyArray<CallInProgress>,
  at: number,
  ticket: string
): ReadonlyArray<CallInProgress> =>
  calls.filter((call) => call.ends_at > at && (ticket === "" || call.ticket !== ticket))

/**
 * Calls enter in turns by root partner, then by partner (TURN-01), and within one partner first come, first served.
 *
 * - A caller reserves the next free slot of its partner, and keeps it until it enters. Slots are one interval apart:
 *   the minimum time between two calls.
 * - A call enters when its slot has come, the last call began at least one interval ago, the maximum number of calls is
 *   not reached, and no waiting caller comes first. Room that is kept for a waiting caller counts as a call.
 * - A caller that returns late keeps its turn for one interval, at most one second, so that it does not block the
 *   others. Until it returns, later callers can overtake the callers behind it.
 * @rule LENDER-10
 */
export const judgeEntry = (
  state: ThrottleState,
  attempt: EntryAttempt
): readonly [ThrottleState, CallEntry] => {
  const { at, limits: { max_in_flight } } = attempt
  const present = presentAt(state, attempt)
  const { ahead, free_at, self, slots: { calls, interval_ms } } = present
  if (at < self.slot_at) return wait(present, self, self.slot_at - at)

  const claimed = ahead.filter(({ claims }) => claims).length
  const isRoomFree = max_in_flight === null || calls.length + claimed < max_in_flight
  const grace_ms = Math.min(interval_ms, longestGraceMs)
  const isLateCallerAhead = ahead.some(({ claims, returns_at }) =>
    !claims && returns_at <= at && at < returns_at + grace_ms
  )
  if (at >= free_at && isRoomFree && !isLateCallerAhead) return enter(present, attempt)

  const turn_ms = Math.max(free_at - at, 0) + ahead.length * interval_ms
  const room_ms = isRoomFree
    ? 0
    : roomPause(claimed, max_in_flight, calls.map(({ ends_at }) => at + callLapseMs - ends_at))
  const after_ms = Math.max(turn_ms, room_ms, 1)
  return wait(present, { ...self, returns_at: at + after_ms, claims: !isRoomFree }, after_ms)
}

/** The throttle at the time of an attempt, as its caller finds it. */
interface PresentThrottle {
  readonly slots: Pick<ThrottleState, "calls" | "interval_ms" | "lanes" | "next_at">
  readonly served: ReadonlyArray<string>
  readonly last_at: number
  /** The end of the interval after the last call. */
  readonly free_at: number
  /** The caller of the attempt, with its slot. */
  readonly self: WaitingCaller
  /** The other waiting callers that are not too late. */
  readonly others: ReadonlyArray<WaitingCaller>
  /** The callers among `others` whose slot has come, and whose turn is before that of `self`. */
  readonly ahead: ReadonlyArray<WaitingCaller>
}

const presentAt = (
  state: ThrottleState,
  { at, limits, request: { slot_at: reserved, tenancy = unknownTenancy, ticket } }: EntryAttempt
): PresentThrottle => {
  const { served = [] } = state
  const interval_ms = intervalMs(limits)
  const last_at = Math.min(state.last_at, at)
  const free_at = last_at + interval_ms
  const calls = callsBeside(state.calls, at, ticket)
  const { lanes, slot_at } = reserveSlot(state, { at, free_at, interval_ms, reserved, tenancy })
  const next_at = Math.max(0, ...lanes.map((lane) => lane.next_at))
  const others = state.waiting.filter((waiter) => waiter.returns_at + claimGraceMs > at && waiter.ticket !== ticket)
  const self: WaitingCaller = { tenancy, ticket, slot_at, returns_at: slot_at, claims: false }
  const ready = orderCallers([...others.filter((other) => other.slot_at <= at), self], { calls, served })
  const ahead = ready.slice(0, ready.indexOf(self))
  return { slots: { interval_ms, next_at, lanes, calls }, served, last_at, free_at, self, others, ahead }
}

const enter = (
  { others, self: { tenancy = unknownTenancy, ticket }, served, slots }: PresentThrottle,
  { at, call, limits: { max_in_flight } }: EntryAttempt
): readonly [ThrottleState, CallEntry] => {
  const begun = { call, ends_at: at + callLapseMs, tenancy, ticket }
  const entered = {
    ...slots,
    last_at: at,
    calls: max_in_flight === null ? slots.calls : [...slots.calls, begun],
    waiting: others
  }
  const keys = turnKeys(tenancy)
  const turns = [...served.filter((key) => !keys.includes(key)), ...keys]
  return [{ ...entered, served: keptTurns(turns, entered) }, { _tag: "ENTERED", call }]
}

const wait = (
  { last_at, others, served, slots }: PresentThrottle,
  caller: WaitingCaller,
  after_ms: number
): readonly [ThrottleState, CallEntry] => {
  // A caller for an API request has no ticket and never requests entry again, so it does not wait.
  const callers = caller.ticket === "" ? others : [...others, caller]
  const waiting = orderCallers(callers, { calls: slots.calls, served }).slice(0, maxWaiting)
  const state = { ...slots, last_at, waiting, served: keptTurns(served, { ...slots, waiting }) }
  return [state, { _tag: "WAIT", after_ms, slot_at: caller.slot_at }]
}

/** Returns the slot of a caller, and all reserved slots. Reserves a slot if the caller has none. */
const reserveSlot = (
  state: ThrottleState,
  { at, free_at, interval_ms, reserved, tenancy }: {
    readonly at: number
    readonly free_at: number
    readonly interval_ms: number
    readonly reserved: number | null
    readonly tenancy: Tenancy
  }
): { readonly lanes: NonNullable<ThrottleState["lanes"]>; readonly slot_at: number } => {
  // Slots reserved at another rate do not count.
  const lanes = state.interval_ms === interval_ms ? (state.lanes ?? []).filter(({ next_at }) => next_at > at) : []
  if (reserved !== null) return { lanes, slot_at: reserved }
  const own = lanes.find((lane) => isSame(lane.tenancy, tenancy))
  const slot_at = Math.max(at, own?.next_at ?? 0, free_at)
  const others = lanes.filter((lane) => lane !== own)
  return { lanes: [...others, { tenancy, next_at: slot_at + interval_ms }].slice(-maxLanes), slot_at }
}

/**
 * Callers that wait for room at a lender return later, the longer its calls in progress take. The first caller returns
 * after 100 ms. Any other returns after a tenth of the median age of the calls, at least 100 ms. This pause is added
 * again for every `max_in_flight` callers ahead. So the callers of a lender that does not answer return seldom, and
 * leave the worker to the other lenders.
 * @rule LENDER-30
 */
export const roomPause = (claimed: number, max_in_flight: number, ages: ReadonlyArray<number>): number => {
  if (claimed === 0) return roomPauseMs
  const median = ages.toSorted((a, b) => a - b)[Math.floor(ages.length / 2)] ?? 0
  const pause_ms = Math.max(roomPauseMs, Math.round(median / 10)) * (1 + Math.floor(claimed / max_in_flight))
  return claimed < maxWaiting
    ? Math.min(pause_ms, longestRoomPauseMs)
    : Math.min(Math.max(pause_ms, longestRoomPauseMs), longestPauseMs)
}

/** Returns the state after a call has ended. */
export const leaveThrottle = (state: ThrottleState, call: string): ThrottleState => ({
  ...state,
  calls: state.calls.filter((running) => running.call !== call)
})

/**
 * Returns the state of a throttle after the clock was set back (JOB-09): all its times are earlier by `by_ms`. The
 * order of the callers and the pauses between calls are unchanged.
 */
export const setBackThrottle = (state: ThrottleState, by_ms: number): ThrottleState => ({
  ...state,
  next_at: state.next_at - by_ms,
  last_at: state.last_at - by_ms,
  calls: state.calls.map((call) => ({ ...call, ends_at: call.ends_at - by_ms })),
  waiting: state.waiting.map((caller) => ({
    ...caller,
    slot_at: caller.slot_at - by_ms,
    returns_at: caller.returns_at - by_ms
  })),
  ...state.lanes === undefined
    ? {}
    : { lanes: state.lanes.map((lane) => ({ ...lane, next_at: lane.next_at - by_ms })) }
})
