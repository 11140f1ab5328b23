import { Effect } from "effect"
import * as fc from "fast-check"

/** Milliseconds a property may take: room for an adapter over a network, and for making a failing example smaller. */
export const propertyTimeout = 60_000

/** Milliseconds that are spent on making a failing example smaller. */
const shrinkingLimit = 5_000

/**
 * Holds an effectful property for random examples; dies with the smallest example that was found to break it within a
 * few seconds. Examples are tried one after another, and none any more once the effect is interrupted.
 */
export const forAll = <A, E, R>(
  arbitrary: fc.Arbitrary<A>,
  runs: number,
  property: (example: A) => Effect.Effect<void, E, R>
): Effect.Effect<void, never, R> =>
  Effect.flatMap(Effect.context<R>(), (context) =>
    Effect.promise((signal) => {
      let until = Number.POSITIVE_INFINITY
      const run = async (example: A): Promise<void> => {
        if (signal.aborted || Date.now() > until) return
        try {
          await Effect.runPromiseWith(context)(property(example), { signal })
        } catch (error) {
          until = Math.min(until, Date.now() + shrinkingLimit)
          throw error
        }
      }
      return fc.assert(fc.asyncProperty(arbitrary, run), { numRuns: runs })
    }))
