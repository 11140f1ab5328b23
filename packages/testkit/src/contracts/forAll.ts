import { Effect } from "effect"
import * as fc from "fast-check"

/** Holds an effectful property for random examples; dies with the smallest example found that breaks it. */
export const forAll = <A, E, R>(
  arbitrary: fc.Arbitrary<A>,
  runs: number,
  property: (example: A) => Effect.Effect<void, E, R>
): Effect.Effect<void, never, R> =>
  Effect.flatMap(Effect.context<R>(), (context) =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(arbitrary, (example) => Effect.runPromiseWith(context)(property(example))),
        { numRuns: runs }
      )
    ))
