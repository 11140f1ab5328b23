import { Effect, Predicate, Result } from "effect"
import { type RawQuery } from "../paging/RawQuery.ts"
import { at, type FieldProblem, problem, ValidationFailed } from "../validation/FieldProblem.ts"

/** The part of a URLSearchParams that matters here. */
interface Parameters {
  readonly keys: () => Iterable<string>
  readonly getAll: (name: string) => ReadonlyArray<string>
}

const isParameters = (query: object): query is Parameters =>
  Predicate.hasProperty(query, "getAll") && typeof query.getAll === "function" &&
  Predicate.hasProperty(query, "keys") && typeof query.keys === "function"

const isValue = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value)

const absent = (value: unknown): boolean => value === undefined || value === null

/**
 * A query as it would have arrived on the wire, from what a program or a framework has: an object of texts, numbers, booleans and
 * lists of them, or a URLSearchParams. What else there is under a name is a problem of that name.
 */
const rawQuery = (query: unknown): Result.Result<RawQuery, ValidationFailed> => {
  if (absent(query)) return Result.succeed({})
  if (typeof query !== "object" || query === null || Array.isArray(query)) {
    return Result.fail(new ValidationFailed({ problems: [at("query", problem("INVALID_TYPE"))] }))
  }
  if (isParameters(query)) {
    return Result.succeed(Object.fromEntries(Array.from(query.keys(), (name) => [name, query.getAll(name)])))
  }
  const named = Object.entries(query).filter(([, value]) => !absent(value))
  const problems = named.flatMap(([name, value]): ReadonlyArray<FieldProblem> =>
    (Array.isArray(value) ? value : [value]).every(isValue) ? [] : [at(`query.${name}`, problem("INVALID_TYPE"))]
  )
  return problems.length > 0
    ? Result.fail(new ValidationFailed({ problems }))
    : Result.succeed(Object.fromEntries(
      named.map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)])
    ))
}

/** Asks with a query, once it is one. */
export const queried = <A, E, R>(
  query: unknown,
  ask: (query: RawQuery) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | ValidationFailed, R> => Effect.flatMap(Effect.fromResult(rawQuery(query)), ask)
