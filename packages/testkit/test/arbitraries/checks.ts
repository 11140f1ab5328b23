import { assert } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"

/** Checks a property for random examples. */
export const checkProperty = <A>(arbitrary: fc.Arbitrary<A>, property: (example: A) => void, numRuns = 100): void =>
  fc.assert(fc.property(arbitrary, property), { numRuns })

/** Asserts that decoding returns every example unchanged. */
export const assertDecodes = (
  schema: Schema.Codec<unknown, unknown>,
  arbitrary: fc.Arbitrary<unknown>,
  numRuns?: number
): void => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  checkProperty(arbitrary, (example) => assert.deepStrictEqual(decode(example), Result.succeed(example)), numRuns)
}

/** Lists the distinct kinds of examples, sorted. */
export const kindsOf = <A>(
  arbitrary: fc.Arbitrary<A>,
  kinds: (example: A) => ReadonlyArray<string>,
  numRuns = 200
): ReadonlyArray<string> => Array.from(new Set(fc.sample(arbitrary, { numRuns, seed: 7 }).flatMap(kinds))).toSorted()
