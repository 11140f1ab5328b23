import { type ThrottleState } from "./judgeThrottle.ts"

/**
 * Returns the state of a throttle after the clock was set back (JOB-09): every time in it is earlier by `by_ms`. So the
 * order of the callers and the pauses between their calls stay the same.
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
