import { Option, Result } from "effect"
import { problem } from "../validation/FieldProblem.ts"
import { parsed, type Parser } from "../validation/parsed.ts"

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * The canonical form of a UUID: 36 characters, lower case, dashes; another letter case names the same object, braces
 * or missing dashes do not.
 * @rule ID-01
 */
export const parseUuid = (input: string): ReturnType<Parser<string>> => {
  const lower = input.length === 36 ? input.toLowerCase() : input
  return shape.test(lower) ? Result.succeed(lower) : Result.fail(problem("INVALID_FORMAT"))
}

/** The schema of an id; each kind of id brands it with its own name. */
export const Uuid = parsed<string>(parseUuid, {
  description: "UUID",
  format: "uuid"
})

/** The id that a text names, in its canonical form; none where the text is malformed, which is then no record's id. */
export const idOf = <Id extends string>(text: string): Option.Option<Id> =>
  Option.map(Result.getSuccess(parseUuid(text)), (id) => id as Id)

/** The same, and where the text is malformed an id that no record has: for what is judged before existence. */
export const idOrNobody = <Id extends string>(text: string): Id => Option.getOrElse(idOf<Id>(text), () => "" as Id)
