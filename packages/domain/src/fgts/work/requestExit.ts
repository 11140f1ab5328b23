import { Data, Effect } from "effect"
import { type Lender } from "../lender/Lender.ts"
import { type LenderExits, noExits } from "../lender/LenderContract.ts"
import { type LenderUnavailable, LenderUnsupported } from "../lender/LenderFailures.ts"

/** This run found out that the lender offers the exit. The next run requests it. */
export class ExitFound extends Data.TaggedError("ExitFound") {}

/**
 * A job requests an exit only from a lender whose exits are known. If they are not known yet, the run finds them out instead, so that no run
 * makes two calls: the next run requests the exit. An exit that is not among them counts as not offered.
 * @rule LENDER-21
 */
export const requestExit = <A, E>(
  { exits, knownExits = Effect.succeed(noExits) }: Lender["Service"],
  exit: keyof LenderExits,
  request: Effect.Effect<A, E>
): Effect.Effect<A, E | ExitFound | LenderUnavailable | LenderUnsupported> =>
  Effect.flatMap(
    knownExits,
    (known): Effect.Effect<A, E | ExitFound | LenderUnavailable | LenderUnsupported> =>
      known !== null
        ? request
        : Effect.flatMap(exits, (found) => Effect.fail(found[exit] ? new ExitFound() : new LenderUnsupported()))
  )
