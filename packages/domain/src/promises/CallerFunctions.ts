import { Effect, type Result } from "effect"
import { type Caller, checkCaller } from "../access/Caller.ts"
import { type PersonalDataHasher } from "../audit/PersonalDataHasher.ts"
import { type AnswerOf, type InputKind, type Operation } from "../operation/Operation.ts"
import { operations } from "../operation/operations.ts"
import { type AdministrationFunctions } from "./AdministrationFunctions.ts"
import { type AnyOptions, executeCall } from "./callInput.ts"
import { type CallOptions, type ChangeOptions, type CreateOptions, type PollOptions } from "./CallOptions.ts"
import { type CommissionFunctions } from "./CommissionFunctions.ts"
import { type FailureOf } from "./OperationFailure.ts"
import { type OriginationFunctions } from "./OriginationFunctions.ts"
import { type Run } from "./Run.ts"
import { type UseCasePorts } from "./UseCasePorts.ts"
import { type WebhookFunctions } from "./WebhookFunctions.ts"

/**
 * The parameters of an operation's function after the caller and the ids, for each kind of input. `State` is the record
 * on which a change is based, or the polled status.
 */
interface InputParameters<State> {
  readonly nothing: [options?: CallOptions]
  readonly query: [query: unknown, options?: CallOptions]
  readonly "optional query": [query?: unknown, options?: CallOptions]
  readonly list: [query?: unknown, options?: CallOptions]
  readonly command: [body: unknown, options?: CreateOptions]
  readonly "optional command": [body?: unknown, options?: CreateOptions]
  readonly file: [file: unknown, query: unknown, options?: CreateOptions]
  readonly patch: [body: unknown, options?: ChangeOptions<State>]
  readonly deletion: [options?: ChangeOptions<State>]
  readonly "long poll": [options?: PollOptions<State>]
  readonly feed: [query?: unknown, options?: CallOptions]
}

/** The type of the record or status that the last parameter of a use case checks. That parameter is a function. */
type JudgedState<UseCase> = UseCase extends (...parameters: infer Parameters) => unknown
  ? Required<Parameters> extends [...ReadonlyArray<unknown>, (state: infer State) => unknown] ? State : never
  : never

type CallerFunction<Entry> = Entry extends Operation<infer Texts, infer Kind, infer A, infer E, infer _R, infer UseCase>
  ? (
    ...parameters: [caller: Caller, ...Texts, ...InputParameters<JudgedState<UseCase>>[Kind]]
  ) => Promise<Result.Result<AnswerOf<A>, FailureOf<Kind, E>>>
  : never

/** Every operation of a table as a function, with the types of its use case. */
export type OperationFunctions<Table> = { readonly [Name in keyof Table]: CallerFunction<Table[Name]> }

/**
 * Every operation as a function that returns a promise.
 *
 * Bodies and queries are untrusted and have the form of the API's requests. A query is an object such as
 * `{ size: 5, sort: "name,desc" }`, or a URLSearchParams. ValidationFailed lists every invalid field. A malformed or
 * unknown id fails with NotFound, and a record outside the caller's subtree with OutsideHierarchy.
 *
 * The promise resolves with `_tag: "Success"` and the answer in `success`, or with `_tag: "Failure"` and the error in
 * `failure`. It rejects with a defect (such as an unreachable database), if the first argument is not a Caller
 * (TypeError), if the call is aborted, and after `close` (LastroClosed).
 *
 * Transactions add reasons to reject. In the callback of a transaction, a function of the outer Lastro rejects with
 * CallOutsideTransaction. A function of `tx` rejects with one of these errors:
 * - TransactionEnded: the callback has ended.
 * - WaitInTransaction: the call is a long poll with a `wait`.
 * - Busy: its savepoint failed, and a retry can succeed.
 * - ClientRefused: the client of `within` cannot be used.
 */
export interface CallerFunctions
  extends AdministrationFunctions, CommissionFunctions, OriginationFunctions, WebhookFunctions
{}

type PortOf<Entry> = Entry extends Operation<infer _Texts, infer _Kind, infer _A, infer _E, infer R, infer _UseCase> ? R
  : never

/** The ports that the functions of a table of operations need. */
export type PortsOf<Table> = PortOf<Table[keyof Table]> | PersonalDataHasher

type AnyOperation<R> = Operation<ReadonlyArray<string>, InputKind, unknown, { readonly _tag: string }, R>

/** The number of parameters between the ids and the options. */
const inputCount = (takes: InputKind): number => {
  if (takes === "file") return 2
  return takes === "nothing" || takes === "deletion" || takes === "long poll" ? 0 : 1
}

const callerFunction =
  <R>(run: Run<R | PersonalDataHasher>, name: string, { authorize, idCount, takes, untagged }: AnyOperation<R>) =>
  (caller: Caller, ...parameters: ReadonlyArray<unknown>) => {
    const texts = Array.from({ length: idCount }, (_, index) => String(parameters[index]))
    const end = idCount + inputCount(takes)
    const [input, query] = parameters.slice(idCount, end)
    const options = (parameters[end] ?? {}) as AnyOptions
    return run(() =>
      Effect.gen(function*() {
        const { execute, ids } = yield* Effect.fromResult(authorize(checkCaller(caller), ...texts))
        const call = { name, caller, ids: yield* Effect.fromResult(ids), execute, input, query, options, untagged }
        return yield* executeCall[takes](call)
      }), options)
  }

/** Creates one function for each operation of a table. */
export const operationFunctions = <R, Table extends Readonly<Record<string, AnyOperation<R>>>>(
  run: Run<R | PersonalDataHasher>,
  table: Table
): OperationFunctions<Table> => {
  const entries: ReadonlyArray<[string, AnyOperation<R>]> = Object.entries(table)
  return Object.fromEntries(
    entries.map(([name, entry]) => [name, callerFunction(run, name, entry)])
  ) as OperationFunctions<Table>
}

/** Creates one function for each operation. */
export const callerFunctions = (run: Run<UseCasePorts>): CallerFunctions =>
  operationFunctions<UseCasePorts, typeof operations>(run, operations)
