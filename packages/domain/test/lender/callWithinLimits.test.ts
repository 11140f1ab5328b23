import { assert, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { callWithinLimits, ticketOfRequest } from "../../src/lender/callWithinLimits.ts"
import { Lender } from "../../src/lender/Lender.ts"
import { LenderUnavailable } from "../../src/lender/LenderFailures.ts"
import { LenderThrottle } from "../../src/lender/LenderThrottle.ts"
import { runWithoutWorkers } from "../fixtures.ts"

it.effect("LENDER-11 a call that the circuit breaker withholds takes no place in the throttle", () =>
  runWithoutWorkers(Effect.gen(function*() {
    const [lender, throttle] = [yield* Lender, yield* LenderThrottle]
    const entered: Array<string> = []
    let isOpen = true
    const limited = Lender.of({
      ...lender,
      requirements: { ...lender.requirements, throttle: { requests_per_second: 0.001, max_in_flight: 1 } },
      withheld: (operation) =>
        Effect.succeed(
          isOpen ? new LenderUnavailable({ reason: "WITHHELD", detail: operation, is_cause: false }) : null
        )
    })
    const counting = LenderThrottle.of({
      ...throttle,
      enter: (request, limits) => {
        entered.push(request.ticket)
        return throttle.enter(request, limits)
      }
    })
    const call = Effect.result(
      callWithinLimits({ ...ticketOfRequest, ticket: "job" }, "quote", Effect.succeed("called"))
    ).pipe(
      Effect.provideService(Lender, limited),
      Effect.provideService(LenderThrottle, counting)
    )
    for (let times = 0; times < 3; times++) {
      const answer = yield* call
      assert.deepInclude(Result.isFailure(answer) ? answer.failure : {}, { reason: "WITHHELD", detail: "quote" })
    }
    assert.deepStrictEqual(entered, [])
    isOpen = false
    assert.deepStrictEqual(yield* call, Result.succeed("called"))
    assert.deepStrictEqual(entered, ["job"])
  })))
