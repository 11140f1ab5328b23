import { Effect, Result, Schema, SchemaGetter, SchemaIssue } from "effect"
import type { Problem } from "./FieldProblem.ts"

/** Parses a text into its canonical form, or returns a problem. A canonical form is returned unchanged. */
export type TextParser<A extends string> = (input: string) => Result.Result<A, Problem>

const annotation = "lastro/problem"

/** Returns the code of a problem with its parameters: `INVALID_FORMAT (expected: YYYY-MM-DD)`. */
const messageOf = ({ code, params = {} }: Problem): string => {
  const listed = Object.entries(params).map(([name, value]) => `${name}: ${value}`).join(", ")
  return listed === "" ? code : `${code} (${listed})`
}

/** Wraps a problem in a schema issue. {@link problemOf} unwraps it. */
export const issueOf = (problem: Problem): SchemaIssue.Issue =>
  new SchemaIssue.InvalidValue({ [annotation]: problem, message: messageOf(problem) })

/** Annotates a check of a schema with the problem of a failing value. {@link problemOf} returns it. */
export const failsWith = (problem: Problem): Schema.Annotations.Filter => ({ [annotation]: problem })

/** Returns the problem of an issue made by {@link issueOf}, or of a check annotated by {@link failsWith}. */
export const problemOf = ({ annotations }: Pick<SchemaIssue.InvalidValue, "annotations">): Problem | undefined =>
  annotations?.[annotation] as Problem | undefined

/**
 * The schema of a text with a parser. The encoded form is any string, and the decoded form is the canonical one. The
 * parser's problem is reported with its code.
 */
export const schemaOfParser = <A extends string>(
  parse: TextParser<A>,
  annotations: Schema.Annotations.Documentation<string>
): Schema.Codec<A, string> =>
  Schema.String.annotate(annotations).pipe(
    Schema.decodeTo(
      Schema.declare<A>((u): u is A => {
        if (typeof u !== "string") return false
        const result = parse(u)
        return Result.isSuccess(result) && result.success === u
      }),
      {
        decode: SchemaGetter.transformEffect((input: string) =>
          Effect.fromResult(Result.mapError(parse(input), issueOf))
        ),
        encode: SchemaGetter.passthrough<string>()
      }
    )
  )
