import { type Caller } from "@lastro/domain/identity"
import { type InputKind, type Operation as DomainOperation, type OperationInput } from "@lastro/domain/operation"
import { type StatusRead } from "@lastro/domain/origination"
import { Effect, Predicate, Result, Struct } from "effect"
import { type Refusal } from "../errors/Refusal.ts"
import { type OperationEndpoint } from "./endpoints.ts"

/** The path parameters as sent, by their names in the API definition. */
export type PathParams = Readonly<Record<string, string | undefined>>

/** The answer of an operation. */
export interface Answer {
  readonly status: number
  /** JSON. Absent if there is no content. */
  readonly body?: unknown
  /** The record whose tag is the `ETag`. */
  readonly tagged?: unknown
  /** The path of the created record, as in the API definition. */
  readonly location?: string
  /** The interval at which to poll, if the status is expected to change by itself. */
  readonly retry_after_seconds?: number
  /** True if the answer holds a secret, so that no cache may store it. */
  readonly secret?: boolean
}

/** An operation of the domain that fails only with refusals that have an error code. */
export type Operation<R> =
  | DomainOperation<ReadonlyArray<string>, Exclude<InputKind, "long poll">, unknown, Refusal, R>
  | DomainOperation<ReadonlyArray<string>, "long poll", StatusRead, Refusal, R>

type Permit<R> = (
  caller: Caller,
  ids: ReadonlyArray<string>
) => Result.Result<(input: OperationInput) => Effect.Effect<Answer, Refusal, R>, Refusal>

/** Seconds between two polls while a background job runs, or after the caller used up its long polls. */
const pollSeconds = 1

const answerPoll = ({ status, turned_away }: StatusRead): Answer => ({
  status: 200,
  body: status,
  tagged: status,
  ...(turned_away || status.next_action === "WAIT" ? { retry_after_seconds: pollSeconds } : {})
})

/**
 * Makes the answer from what a use case returned. A record is tagged. A created record has a `Location`. Lists have an envelope of
 * their own; a record is wrapped in `data` where the API definition has it.
 */
const answerResult = (
  { creates, isRecord, secret, takes }: DomainOperation<ReadonlyArray<string>, InputKind, unknown, Refusal, unknown>,
  { hasDataEnvelope, path, status }: OperationEndpoint
) =>
(result: unknown): Answer => {
  if (status === 204) return { status }
  const body = hasDataEnvelope && !takes.endsWith("query") ? { data: result } : result
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
  { authorize }: DomainOperation<ReadonlyArray<string>, InputKind, A, Refusal, R>,
  answer: (result: A) => Answer
): Permit<R> =>
(caller, ids) => Result.map(authorize(caller, ...ids), ({ execute }) => (input) => Effect.map(execute(input), answer))

/** Makes the function that checks a caller's permission and returns what executes its call. */
export const permitCall = <R>(operation: Operation<R>, endpoint: OperationEndpoint): Permit<R> =>
  operation.takes === "long poll"
    ? permitWith(operation, answerPoll)
    : permitWith(operation, answerResult(operation, endpoint))
