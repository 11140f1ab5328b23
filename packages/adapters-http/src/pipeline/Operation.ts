import { type Caller } from "@lastro/domain/access"
import { type Once } from "@lastro/domain/idempotency"
import { type InputKind, type Operation as DomainOperation, type OperationInput } from "@lastro/domain/operation"
import { type StatusRead } from "@lastro/domain/origination"
import { type ReadBudgetExceeded } from "@lastro/domain/ports"
import { Effect, Predicate, Result, Struct } from "effect"
import { type Refusal } from "../errors/Refusal.ts"
import { type OperationEndpoint } from "./endpoints.ts"

/** The path parameters exactly as the client sent them, by their names in the API definition. */
export type PathParams = Readonly<Record<string, string | undefined>>

/** The response of an operation before it is encoded. */
export interface Answer {
  readonly status: number
  /** The body as a JSON value. Absent if the response has no content. */
  readonly body?: unknown
  /** The record from which the `ETag` is computed. */
  readonly tagged?: unknown
  /** The path of the created record, as in the API definition. */
  readonly location?: string
  /** Seconds after which the client should poll again. Set if the status is expected to change. */
  readonly retry_after_seconds?: number
  /** True if the response contains a secret. It is then sent with headers that forbid caches to store it. */
  readonly secret?: boolean
  /** True if the response is the stored response to an earlier request with the same idempotency key. */
  readonly replayed?: boolean
}

type CommandKind = "command" | "optional command"

/** An operation of the domain whose expected errors all have an error code. */
export type Operation<R> =
  | DomainOperation<ReadonlyArray<string>, Exclude<InputKind, CommandKind | "list" | "long poll">, unknown, Refusal, R>
  | DomainOperation<ReadonlyArray<string>, CommandKind, Once<unknown>, Refusal, R>
  | DomainOperation<ReadonlyArray<string>, "list", unknown, Refusal | ReadBudgetExceeded, R>
  | DomainOperation<ReadonlyArray<string>, "long poll", StatusRead, Refusal, R>

/** Executes an operation that the caller is permitted to call. */
export type Execute<R> = (input: OperationInput) => Effect.Effect<Answer, Refusal | ReadBudgetExceeded, R>

type Permit<R> = (caller: Caller, ids: ReadonlyArray<string>) => Result.Result<Execute<R>, Refusal>

/** Seconds between two polls while a background job runs, or when the caller has reached its limit of long polls. */
const pollSeconds = 1

const answerPoll = ({ status, turned_away }: StatusRead): Answer => ({
  status: 200,
  body: status,
  tagged: status,
  ...(turned_away || status.next_action === "WAIT" ? { retry_after_seconds: pollSeconds } : {})
})

/**
 * Makes the response from the result of a use case. A record gets an `ETag`, and a created record gets a `Location`.
 * Lists have an envelope of their own. Other results are wrapped in `data` if the API definition requires it.
 */
const answerResult = (
  { creates, isRecord, secret, takes }: Operation<unknown>,
  { hasDataEnvelope, path, status }: OperationEndpoint
) =>
(result: unknown): Answer => {
  if (status === 204) return { status }
  const body = hasDataEnvelope && takes !== "list" && !takes.endsWith("query") ? { data: result } : result
  if (!Predicate.isReadonlyObject(result) || !(isRecord || creates !== undefined)) return { status, body }
  return {
    status,
    body,
    tagged: secret === undefined ? result : Struct.omit(result, [secret]),
    secret: secret !== undefined && Object.hasOwn(result, secret),
    ...(creates === undefined ? {} : { location: `${path}/${String(result[creates])}` })
  }
}

const permitWith = <A, R>(
  { authorize }: DomainOperation<ReadonlyArray<string>, InputKind, A, Refusal | ReadBudgetExceeded, R>,
  answer: (result: A) => Answer
): Permit<R> =>
(caller, ids) => Result.map(authorize(caller, ...ids), ({ execute }) => (input) => Effect.map(execute(input), answer))

/**
 * Makes a function that checks the caller's permission. If the check succeeds, it returns a second function, which
 * executes the operation.
 */
export const permitCall = <R>(operation: Operation<R>, endpoint: OperationEndpoint): Permit<R> => {
  if (operation.takes === "long poll") return permitWith(operation, answerPoll)
  const respond = answerResult(operation, endpoint)
  return operation.takes === "command" || operation.takes === "optional command"
    ? permitWith(operation, ({ answer, replayed }) => ({ ...respond(answer), replayed }))
    : permitWith(operation, respond)
}
