import { Option, Result } from "effect"
import { problem } from "../validation/FieldProblem.ts"
import { schemaOfParser, type TextParser } from "../validation/textParser.ts"

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * A UUID has 36 characters with dashes, in any letter case; its canonical form is lower case. Braces and missing dashes are refused.
 * @rule ID-01
 */
export const parseUuid = (input: string): ReturnType<TextParser<string>> => {
  const lower = input.length === 36 ? input.toLowerCase() : input
  return shape.test(lower) ? Result.succeed(lower) : Result.fail(problem("INVALID_FORMAT"))
}

/** The schema of an id. Each kind of id brands it. */
export const Uuid = schemaOfParser<string>(parseUuid, {
  description: "UUID",
  format: "uuid"
})

/** Parses an id into its canonical form; none if it is malformed. */
export const parseId = <Id extends string>(text: string): Option.Option<Id> =>
  Option.map(Result.getSuccess(parseUuid(text)), (id) => id as Id)

/** Parses an id; a malformed one becomes an id that no record has. For checks that come before the check of existence. */
export const idOrUnknown = <Id extends string>(text: string): Id => Option.getOrElse(parseId<Id>(text), () => "" as Id)
