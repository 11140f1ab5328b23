import { Effect, Option, Predicate, Result, Struct } from "effect"
import { type Caller, callerKey } from "../access/Caller.ts"
import { PersonalDataHasher } from "../audit/PersonalDataHasher.ts"
import { type Once, parseIdempotencyKey, type SentKey } from "../idempotency/runOnce.ts"
import { type FieldProblem, fieldProblem, problem } from "../input/FieldProblem.ts"
import { canonicalJson, isJson, isSame } from "../input/json.ts"
import { anyState } from "../input/Precondition.ts"
import { type RawQuery } from "../input/RawQuery.ts"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import { type InputKind, type OperationInput, type PermittedCall } from "../operation/Operation.ts"
import { type FgtsApplicationStatus, withoutLink } from "../origination/FgtsApplicationStatus.ts"
import { readList } from "../ports/CostlyReads.ts"
import { Busy } from "../ports/UnitOfWork.ts"
import { metadataParameter } from "../values/metadataFilter.ts"
import { type ChangeOptions, type CreateOptions, type PollOptions } from "./CallOptions.ts"

/** The methods of URLSearchParams that are used here. */
interface Parameters {
  readonly keys: () => Iterable<string>
  readonly getAll: (name: string) => ReadonlyArray<string>
}

const isParameters = (query: object): query is Parameters =>
  Predicate.hasProperty(query, "getAll") && typeof query.getAll === "function" &&
  Predicate.hasProperty(query, "keys") && typeof query.keys === "function"

const isValue = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value)

const isAbsent = (value: unknown): boolean => value === undefined || value === null

/**
 * Returns the text parameters of one field of a query. An absent field has none. The object `metadata` has one for each
 * key: `metadata[plan]`.
 */
const parametersOf = (name: string, value: unknown): ReadonlyArray<readonly [string, unknown]> => {
  if (isAbsent(value)) return []
  return name === "metadata" && Predicate.isReadonlyObject(value) && isJson(value)
    ? Object.entries(value).map(([key, one]) => [metadataParameter(key), one] as const)
    : [[name, value]]
}

/**
 * Converts a query to text parameters, as in a URL. Accepts a URLSearchParams, or an object of strings, numbers,
 * booleans and arrays of these. `metadata` can be an object of these. Any other value is a problem of its field.
 */
export const readQuery = (query: unknown): Result.Result<RawQuery, ValidationFailed> => {
  if (isAbsent(query)) return Result.succeed({})
  if (typeof query !== "object" || query === null || Array.isArray(query)) {
    return Result.fail(new ValidationFailed({ problems: [fieldProblem("query", problem("INVALID_TYPE"))] }))
  }
  if (isParameters(query)) {
    return Result.succeed(Object.fromEntries(Array.from(query.keys(), (name) => [name, query.getAll(name)])))
  }
  const entries = Object.entries(query).flatMap(([name, value]) => parametersOf(name, value))
  const problems = entries.flatMap(([name, value]): ReadonlyArray<FieldProblem> =>
    (Array.isArray(value) ? value : [value]).every(isValue)
      ? []
      // A metadata filter without a value is refused. If it were ignored, the list would contain all records.
      : [fieldProblem(`query.${name}`, problem(isAbsent(value) ? "NOT_NULLABLE" : "INVALID_TYPE"))]
  )
  return problems.length > 0
    ? Result.fail(new ValidationFailed({ problems }))
    : Result.succeed(Object.fromEntries(
      entries.map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)])
    ))
}

/** The options of every kind of call. */
export type AnyOptions = ChangeOptions<unknown> & CreateOptions & PollOptions<unknown>

/** A permitted call with its input and options. */
interface Call<A, E, R> extends Pick<PermittedCall<A, E, R>, "execute"> {
  readonly name: string
  readonly caller: Caller
  readonly ids: ReadonlyArray<string>
  /** The query or the body. Undefined if the operation takes neither. */
  readonly input: unknown
  /** The query of an operation that takes a file. */
  readonly query: unknown
  readonly options: AnyOptions
  /** The field of a record that preconditions ignore. */
  readonly untagged: string | undefined
}

type Execution<A, E, R> = Effect.Effect<A, E | ValidationFailed, R | PersonalDataHasher>

const noInput: OperationInput = {
  query: {},
  budget: Number.POSITIVE_INFINITY,
  body: undefined,
  key: undefined,
  expected: anyState,
  isKnown: () => Option.none()
}

const executeQuery = <A, E, R>({ execute, input }: Call<A, E, R>): Execution<A, E, R> =>
  Effect.flatMap(Effect.fromResult(readQuery(input)), (query) => execute({ ...noInput, query }))

/** Executes a list. A costly list waits for a turn of its caller. The promise rejects if the database is busy. */
const executeList = <A, E, R>({ caller, execute, input }: Call<A, E, R>): Execution<A, E, R> =>
  Effect.flatMap(Effect.fromResult(readQuery(input)), (query) =>
    Effect.catch(
      readList({ root: caller.root_id, key: callerKey(caller) }, (budget) => execute({ ...noInput, query, budget })),
      (error) => error instanceof Busy ? Effect.die(error) : Effect.fail(error)
    ))

/**
 * Executes a command at most once for each idempotency key. The fingerprint is stored, so its format must not change.
 */
const executeOnce = <A, E, R>(
  { execute, ids, input, name, options }: Call<A, E, R>,
  query: RawQuery,
  sent: ReadonlyArray<unknown>
): Execution<A, E, R> =>
  Effect.gen(function*() {
    const answerTo = (key?: SentKey) =>
      Effect.map(
        execute({ ...noInput, body: input, query, key }) as Effect.Effect<Once<A>, E, R>,
        ({ answer }) => answer
      )
    const key = options.idempotency_key
    if (key === undefined) return yield* answerTo()
    // A body that is not JSON has no fingerprint, and no operation accepts it.
    if (!isJson(input)) return yield* new ValidationFailed({ problems: [fieldProblem("", problem("INVALID_TYPE"))] })
    const fingerprint = yield* (yield* PersonalDataHasher).hash(canonicalJson([name, ...ids, ...sent]))
    return yield* answerTo(parseIdempotencyKey(key, "idempotency_key", () => fingerprint))
  })

const executeCommand = <A, E, R>(call: Call<A, E, R>): Execution<A, E, R> => executeOnce(call, {}, [call.input])

const executeFile = <A, E, R>(call: Call<A, E, R>): Execution<A, E, R> =>
  Effect.flatMap(Effect.fromResult(readQuery(call.query)), (query) => executeOnce(call, query, [call.input, query]))

const executeChange = <A, E, R>(
  { execute, input, options: { based_on }, untagged }: Call<A, E, R>
): Execution<A, E, R> => {
  const known = untagged !== undefined && Predicate.isReadonlyObject(based_on)
    ? Struct.omit(based_on, [untagged])
    : based_on
  return execute({
    ...noInput,
    body: input,
    expected: known === undefined ? anyState : (current) => isSame(current, known)
  })
}

const executePoll = <A, E, R>({ execute, options: { known, wait } }: Call<A, E, R>): Execution<A, E, R> =>
  Effect.flatMap(Effect.fromResult(readQuery({ wait })), (query) =>
    execute({
      ...noInput,
      query,
      isKnown: (status) =>
        known === undefined
          ? Option.none()
          : Option.some(isSame(status, withoutLink(known as FgtsApplicationStatus)))
    }))

/** The functions that execute a permitted call, one for each kind of input. */
export const executeCall: {
  readonly [Kind in InputKind]: <A, E, R>(call: Call<A, E, R>) => Execution<A, E, R>
} = {
  nothing: ({ execute }) => execute(noInput),
  query: executeQuery,
  "optional query": executeQuery,
  list: executeList,
  command: executeCommand,
  "optional command": executeCommand,
  file: executeFile,
  patch: executeChange,
  deletion: executeChange,
  "long poll": executePoll,
  feed: executeQuery
}
