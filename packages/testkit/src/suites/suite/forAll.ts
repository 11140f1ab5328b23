import { Effect } from "effect"
import * as fc from "fast-check"

/**
 * The timeout of a property, in milliseconds. It is long enough for a remote adapter, and for the shrinking of a
 * failing example.
 */
export const propertyTimeout = 60_000

/** The time limit for shrinking a failing example, in milliseconds. */
const shrinkingLimit = 5_000

/**
 * Checks an effectful property for random examples, one after another. If an example fails, shrinks it for at most 5 s, and dies with the
 * smallest example that fails. Stops when interrupted.
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
