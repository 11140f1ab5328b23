import { freshThrottle, judgeEntry, leaveThrottle, LenderThrottle, type ThrottleState } from "@lastro/domain/lender"
import { Clock, Effect, Layer } from "effect"

/** Keeps the throttle of each lender in memory. */
export const layer = Layer.sync(LenderThrottle, () => {
  const states = new Map<string, ThrottleState>()
  let calls = 0
  const stateOf = (lender: string) => states.get(lender) ?? freshThrottle
  return LenderThrottle.of({
    enter: (request, limits) =>
      Effect.map(Clock.currentTimeMillis, (at) => {
        const call = String(++calls)
        const [state, entry] = judgeEntry(stateOf(request.lender), { at, call, limits, request })
        states.set(request.lender, state)
        return entry
      }),
    leave: (lender, call) =>
      Effect.sync(() => {
        states.set(lender, leaveThrottle(stateOf(lender), call))
      })
  })
})
