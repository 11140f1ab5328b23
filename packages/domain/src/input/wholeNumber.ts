import { Effect, Schema, SchemaGetter } from "effect"
import { problem } from "./FieldProblem.ts"
import { issueOf } from "./textParser.ts"
import { invalidType } from "./ValueType.ts"

/** Bounds of a whole number, inclusive. */
export interface NumberBounds {
  readonly min: number
  readonly max: number
}

/**
 * The schema of a whole number within bounds. A fraction is INVALID_TYPE, and a number outside the bounds is
 * OUT_OF_RANGE.
 */
export const wholeNumber = (
  { max, min, ...annotations }: NumberBounds & Schema.Annotations.Documentation<number>
): Schema.Codec<number, number> =>
  Schema.Finite.annotate({ ...annotations, minimum: min, maximum: max, multipleOf: 1 }).pipe(
    Schema.decodeTo(Schema.Int, {
      decode: SchemaGetter.transformEffect((value: number) => {
        if (!Number.isInteger(value)) return Effect.fail(issueOf(invalidType("integer")))
        const isWithin = min <= value && value <= max
        return isWithin ? Effect.succeed(value) : Effect.fail(issueOf(problem("OUT_OF_RANGE", { min, max })))
      }),
      encode: SchemaGetter.passthrough<number>()
    })
  )
