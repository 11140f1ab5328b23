import { Effect, Result, Schema, SchemaGetter, SchemaIssue } from "effect"
import type { Problem } from "./FieldProblem.ts"

/** Reads a text into its canonical form, or says what is wrong with it. Idempotent: a canonical form reads as itself. */
export type Parser<A extends string> = (input: string) => Result.Result<A, Problem>

const annotation = "lastro/problem"

/** Turns a problem into a schema issue that {@link problemOf} reads back. */
export const issueOf = (problem: Problem): SchemaIssue.Issue =>
  new SchemaIssue.InvalidValue({ [annotation]: problem, message: problem.code })

/** The problem an issue was made from by {@link issueOf}, if it was. */
export const problemOf = (issue: SchemaIssue.InvalidValue): Problem | undefined =>
  issue.annotations?.[annotation] as Problem | undefined

/**
 * The schema of a text that `parse` reads: any string on the encoded side, the canonical form on the decoded side.
 * A parser's problem keeps its code through the schema, so that one parser serves plain functions and schemas alike.
 */
export const parsed = <A extends string>(
  parse: Parser<A>,
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
