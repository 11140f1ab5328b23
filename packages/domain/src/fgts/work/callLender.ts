import { Duration, Effect } from "effect"
import { endWithin } from "../../time/endWithin.ts"
import { LenderUnavailable } from "../lender/LenderFailures.ts"

/** Maximum duration of one call to the lender, in milliseconds: 30 seconds. */
export const lenderCallDeadlineMs = 30_000

/**
 * A call to the lender ends after 30 seconds at the latest, even if the adapter never returns and ignores its interruption. A call without an
 * answer by then counts as a call that failed.
 * @rule LENDER-05
 */
export const callLender = <A, E, R>(
  call: Effect.Effect<A, E, R>
): Effect.Effect<A, E | LenderUnavailable, R> =>
  endWithin(
    call,
    Duration.millis(lenderCallDeadlineMs),
    Effect.fail(new LenderUnavailable({ reason: "ASKED", detail: "no answer within 30 s" }))
  )
