import { Lender, LenderUnavailable } from "@lastro/domain/lender"
import { Effect } from "effect"

/** Runs an effect while the lender does not answer submissions. */
export const withoutAnswer = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Lender> =>
  Effect.flatMap(Lender, (lender) =>
    Effect.provideService(effect, Lender, {
      ...lender,
      submit: () => Effect.fail(new LenderUnavailable({ reason: "ASKED", detail: "no answer" }))
    }))
