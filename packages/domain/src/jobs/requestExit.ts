import { Data, Effect } from "effect"
import { type Lender } from "../lender/Lender.ts"
import { LenderUnavailable, LenderUnsupported } from "../lender/LenderFailures.ts"
import { type LenderExits } from "../loan/LenderContract.ts"

/**
 * The lender answered that it offers the requested exit (cancellation, refund or new signature link). The next run
 * requests the exit.
 */
export class ExitFound extends Data.TaggedError("ExitFound") {}

/**
 * `knownExits` must not return null after `exits` has succeeded. If it does, the call counts as a call without an
 * answer, so that its retries back off.
 */
const exitsForgotten = new LenderUnavailable({
  reason: "ASKED",
  detail: "knownExits is null although exits has succeeded; fix the adapter"
})

/**
 * A job requests an exit (cancellation, refund or new signature link) only if the lender offers it. If the exits are
 * not known yet, the run calls `exits`, and the next run requests the exit, so that no run makes two calls. For an
 * adapter without `knownExits`, the exit is requested without this check.
 * @rule LENDER-21
 */
export const requestExit = <A, E>(
  { exits, knownExits }: Lender["Service"],
  exit: keyof LenderExits,
  request: () => Effect.Effect<A, E>
): Effect.Effect<A, E | ExitFound | LenderUnavailable | LenderUnsupported> => {
  if (knownExits === undefined) return Effect.suspend(request)
  return Effect.gen(function*() {
    const known = yield* knownExits
    if (known !== null) return yield* known[exit] ? request() : new LenderUnsupported()
    const found = yield* exits
    if (!found[exit]) return yield* new LenderUnsupported()
    if ((yield* knownExits) === null) return yield* exitsForgotten
    return yield* new ExitFound()
  })
}
