import { type SchemaAST, type SchemaIssue } from "effect"
import { type FieldProblem, fieldProblem, type Problem, problem } from "./FieldProblem.ts"
import { problemOf } from "./textParser.ts"
import { invalidType, requiredType } from "./ValueType.ts"

/** Maximum length of a field name in a path. A request can contain unknown fields with long names. */
const maxStepLength = 64

/** Formats a path: `address.uf`, `partners[1]`. */
export const fieldPath = (path: ReadonlyArray<PropertyKey>): string =>
  path.reduce<string>((field, key) => {
    if (typeof key === "number") return `${field}[${key}]`
    const name = String(key)
    const step = name.length > maxStepLength ? `${name.slice(0, maxStepLength)}…` : name
    return field === "" ? step : `${field}.${step}`
  }, "")

/**
 * Returns a path ({@link fieldPath}) as a message shows it. Any step that is not an identifier is replaced, because the
 * name of an unknown field can contain personal data.
 */
export const printablePath = (field: string): string =>
  field.split(".").map((step) => /^[A-Za-z_]\w{0,63}(\[\d+\])?$/.test(step) ? step : "…").join(".")

/**
 * Lists the problems of a schema issue with their paths. `input` serves to distinguish null, a wrong type and an unknown
 * value.
 */
export const problemsOf = (
  issue: SchemaIssue.Issue,
  input: unknown,
  path: ReadonlyArray<PropertyKey> = []
): ReadonlyArray<FieldProblem> => {
  const here = (found: Problem): ReadonlyArray<FieldProblem> => [fieldProblem(fieldPath(path), found)]
  switch (issue._tag) {
    case "Pointer":
      return problemsOf(issue.issue, issue.path.reduce(memberOf, input), [...path, ...issue.path])
    case "Composite":
      return issue.issues.flatMap((inner) => problemsOf(inner, input, path))
    case "Filter": {
      const found = problemOf(issue.filter)
      return found === undefined ? problemsOf(issue.issue, input, path) : here(found)
    }
    case "Encoding":
      return problemsOf(issue.issue, input, path)
    case "AnyOf":
      return issue.issues.length === 0
        ? here(mistyped(issue.ast, input))
        : issue.issues.flatMap((inner) => problemsOf(inner, input, path))
    case "OneOf":
    case "InvalidType":
      return here(mistyped(issue.ast, input))
    case "InvalidValue":
      return here(problemOf(issue) ?? problem("INVALID_TYPE"))
    case "MissingKey":
      return here(problem("REQUIRED"))
    case "UnexpectedKey":
      return here(problem("UNKNOWN_FIELD"))
    case "Forbidden":
      return here(problem("INVALID_TYPE"))
  }
}

const memberOf = (value: unknown, key: PropertyKey): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined

const mistyped = (ast: SchemaAST.AST, input: unknown): Problem => {
  // An object schema without fields gives each field the type `never`, so the field is unknown.
  if (ast._tag === "Never") return problem("UNKNOWN_FIELD")
  if (input === null) return problem("NOT_NULLABLE")
  const allowed = literalsOf(ast)
  if (allowed.some((literal) => typeof literal === typeof input)) {
    return problem("UNKNOWN_VALUE", { allowed: allowed.join(", ") })
  }
  const expected = requiredType(ast)
  return expected === undefined ? problem("INVALID_TYPE") : invalidType(expected)
}

const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.LiteralValue> => {
  if (ast._tag === "Literal") return [ast.literal]
  return ast._tag === "Union" ? ast.types.flatMap(literalsOf) : []
}
