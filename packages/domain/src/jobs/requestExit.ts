import { Data, Effect } from "effect"
import { type Lender } from "../lender/Lender.ts"
import { LenderUnavailable, LenderUnsupported } from "../lender/LenderFailures.ts"
import { type LenderExits } from "../loan/LenderContract.ts"

/** The lender supports the request (a cancellation, refund or new signature link). The next run sends the request. */
export class ExitFound extends Data.TaggedError("ExitFound") {}

/**
 * The failure of an adapter whose `knownExits` returns null after `exits` has succeeded. It counts as a missing answer,
 * so that the retries back off.
 */
const exitsForgotten = new LenderUnavailable({
  reason: "ASKED",
  detail: "knownExits is null although exits has succeeded; fix the adapter"
})

/**
 * A job requests a cancellation, refund or new signature link only if the lender supports it. If this is unknown, the
 * run calls `exits`, and the next run makes the request, so that no run makes two calls. If the adapter has no
 * `knownExits`, the request is made without this check.
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
