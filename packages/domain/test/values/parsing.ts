import { assert } from "@effect/vitest"
import { codePoint } from "@lastro/testkit/arbitraries"
import { Result } from "effect"
import * as fc from "fast-check"
import { type FieldErrorCode } from "../../src/input/FieldErrorCode.ts"
import { type Problem } from "../../src/input/FieldProblem.ts"

type Parse = (input: string) => Result.Result<string, Problem>

/** Asserts that a text is parsed as `canonical`. */
export const expectParsed = (parse: Parse, input: string, canonical: string): void =>
  assert.deepStrictEqual(parse(input), Result.succeed(canonical), JSON.stringify(input))

/** Asserts that a text is rejected with `code`. */
export const expectRejected = (parse: Parse, input: string, code: FieldErrorCode): void =>
  assert.strictEqual(
    Result.match(parse(input), { onSuccess: () => "accepted", onFailure: (problem) => problem.code }),
    code,
    JSON.stringify(input.slice(0, 80))
  )

/** Asserts that results parse to themselves, and that problems do not contain their input. */
export const checkParseIdempotent = (parse: Parse, inputs: fc.Arbitrary<string>): void =>
  fc.assert(
    fc.property(inputs, (input) => {
      const result = parse(input)
      if (Result.isSuccess(result)) expectParsed(parse, result.success, result.success)
      else assert.notInclude(Object.values(result.failure.params ?? {}), input)
    }),
    { numRuns: 1_000 }
  )

/** The length of the longest part of `value` that `masked` shows, ignoring punctuation. */
export const longestShown = (masked: string, value: string): number => {
  const shown = masked.replace(/[^\p{L}\p{N}]/gu, "")
  let longest = 0
  for (let from = 0; from < value.length; from++) {
    while (shown.includes(value.slice(from, from + longest + 1)) && from + longest < value.length) longest += 1
  }
  return longest
}

/** A text with surrounding whitespace and some of `punctuation` between its characters. */
export const punctuated = <A extends string>(
  values: fc.Arbitrary<A>,
  punctuation: string
): fc.Arbitrary<readonly [written: string, value: A]> =>
  values.chain((value) => {
    const characters = Array.from(value)
    const gap = fc.string({ unit: fc.constantFrom(...punctuation), maxLength: 2 })
    const blanks = fc.string({ unit: fc.constantFrom(" ", "\t", "\n", "\u00a0", "\ufeff"), maxLength: 2 })
    return fc.tuple(
      blanks,
      fc.array(gap, { minLength: characters.length - 1, maxLength: characters.length - 1 }),
      blanks
    )
      .map(([before, gaps, after]) =>
        [`${before}${characters.map((one, index) => one + (gaps[index] ?? "")).join("")}${after}`, value] as const
      )
  })

/** Any text, mostly of characters that documents contain. */
export const almostDocuments: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 20 }),
  fc.string({ unit: fc.constantFrom(..."0123456789"), maxLength: 16 }),
  fc.string({ unit: fc.constantFrom(..."0123456789012345678901234567890123456789.-/ ()+AZaxX@"), maxLength: 24 })
)
