import { Result, Schema } from "effect"

/**
 * The text is not a valid name of a schema. `problem` completes a sentence that starts with the name of the setting.
 */
export class InvalidSchemaName extends Schema.TaggedError<InvalidSchemaName>()("InvalidSchemaName", {
  problem: Schema.String
}) {
  override get message(): string {
    return `The option schema ${this.problem}.`
  }
}

/** Maximum length of a name in PostgreSQL, in bytes of UTF-8. PostgreSQL truncates a longer one. */
const maxBytes = 63

const problemOf = (name: string): string | undefined => {
  if (name === "") return "must not be empty"
  if (!name.isWellFormed() || name.includes("\0")) return "must be text without NUL characters"
  if (new TextEncoder().encode(name).length > maxBytes) return `must have at most ${maxBytes} bytes in UTF-8`
  if (name.startsWith("pg_")) return "must not start with pg_, which PostgreSQL reserves"
  // In a `search_path`, `"$user"` is the schema with the name of the role, even in quotes.
  if (name === "information_schema" || name === "$user") return `must not be ${name}, which PostgreSQL reserves`
  return undefined
}

/** Validates the name of a schema. Names are case-sensitive. They may have any character but NUL. */
export const validateSchemaName = (name: string): Result.Result<string, InvalidSchemaName> => {
  const problem = problemOf(name)
  return problem === undefined ? Result.succeed(name) : Result.fail(new InvalidSchemaName({ problem }))
}

/** Quotes a name for a statement or a `search_path`. */
export const quoteName = (name: string): string => `"${name.replaceAll("\"", "\"\"")}"`

/**
 * Returns the parameter `schema` of a valid database URL. Fails if the name is invalid or the parameter is repeated.
 */
export const schemaOfUrl = (url: string): Result.Result<string | undefined, InvalidSchemaName> => {
  const [name, ...more] = new URL(url).searchParams.getAll("schema")
  if (more.length > 0) return Result.fail(new InvalidSchemaName({ problem: "must be given once" }))
  return name === undefined ? Result.succeed(undefined) : validateSchemaName(name)
}

/**
 * Returns the schema of an installation: the option `schema`, or else the parameter `schema` of the URL. Undefined if
 * both are absent. Fails if they differ.
 */
export const chooseSchema = (
  option: string | undefined,
  ofUrl: string | undefined
): Result.Result<string | undefined, InvalidSchemaName> => {
  if (option === undefined || ofUrl === undefined || option === ofUrl) {
    return option === undefined ? Result.succeed(ofUrl) : validateSchemaName(option)
  }
  return Result.fail(new InvalidSchemaName({ problem: "must be the same as the parameter schema of the database URL" }))
}
