import { Result } from "effect"
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
  format: "uuid",
  examples: ["0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40"]
})
