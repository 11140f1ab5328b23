import { Data, Effect } from "effect"
import { type Lender } from "../lender/Lender.ts"
import { type LenderExits } from "../lender/LenderContract.ts"
import { LenderUnavailable, LenderUnsupported } from "../lender/LenderFailures.ts"

/** The lender answered that it offers the exit. The next run requests the exit. */
export class ExitFound extends Data.TaggedError("ExitFound") {}

/** An adapter must know its exits after `exits` has answered. Otherwise, the answer counts as no answer, so that the repetitions back off. */
const exitsForgotten = new LenderUnavailable({
  reason: "ASKED",
  detail: "knownExits is null although exits has answered; mend the adapter"
})

/**
 * A job requests an exit only if the known exits contain it, and otherwise counts it as not offered. If the exits are not known yet, the run
 * calls `exits` instead, so that no run makes two calls: the next run requests the exit. An adapter whose exits are always known has no
 * `knownExits`: its exits are requested without this check.
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
    return yield* (yield* knownExits) === null ? exitsForgotten : new ExitFound()
  })
}
