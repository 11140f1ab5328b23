import { type Caller } from "@lastro/domain/access"
import { type FeedRead } from "@lastro/domain/event"
import { type Once } from "@lastro/domain/idempotency"
import { type InputKind, type Operation, type OperationInput } from "@lastro/domain/operation"
import { type StatusRead, withoutLink } from "@lastro/domain/origination"
import { type ReadBudgetExceeded } from "@lastro/domain/ports"
import { Effect, Predicate, Result, Struct } from "effect"
import { RateLimited } from "../errors/HttpRefusals.ts"
import { type Refusal } from "../errors/Refusal.ts"
import { type OperationEndpoint } from "./endpoints.ts"
import { type Answer } from "./respond.ts"

type CommandKind = "command" | "optional command" | "file"

/** Returns whether an operation of this kind runs at most once per idempotency key. */
export const isCommandKind = (takes: InputKind): boolean =>
  takes === "command" || takes === "optional command" || takes === "file"

/** An operation of the domain whose expected errors all have an error code. */
export type ServedOperation<R> =
  | Operation<
    ReadonlyArray<string>,
    Exclude<InputKind, CommandKind | "list" | "long poll" | "feed">,
    unknown,
    Refusal,
    R
  >
  | Operation<ReadonlyArray<string>, CommandKind, Once<unknown>, Refusal, R>
  | Operation<ReadonlyArray<string>, "list", unknown, Refusal | ReadBudgetExceeded, R>
  | Operation<ReadonlyArray<string>, "long poll", StatusRead, Refusal, R>
  | Operation<ReadonlyArray<string>, "feed", FeedRead, Refusal, R>

/** Executes an operation that the caller is permitted to call. */
export type Execute<R> = (input: OperationInput) => Effect.Effect<Answer, Refusal | ReadBudgetExceeded, R>

type Permit<R> = (caller: Caller, ids: ReadonlyArray<string>) => Result.Result<Execute<R>, Refusal>

/** Seconds between two polls while a background job runs, or while the caller is at its limit of long polls. */
const pollSeconds = 1

/** Rejects a long poll of a caller at its limit. Otherwise, the caller would get answers at once and poll in a loop. */
const unlessTurnedAway = (turned_away: boolean, answer: Answer): Result.Result<Answer, RateLimited> =>
  turned_away ? Result.fail(new RateLimited({ retry_after_seconds: pollSeconds })) : Result.succeed(answer)

const answerPoll = ({ status, turned_away }: StatusRead) =>
  unlessTurnedAway(turned_away, {
    status: 200,
    body: status,
    tagged: withoutLink(status),
    ...(status.next_action === "WAIT" ? { retry_after_seconds: pollSeconds } : {})
  })

const answerFeed = ({ turned_away, ...feed }: FeedRead) => unlessTurnedAway(turned_away, { status: 200, body: feed })

/** Copies a record without some of its fields. Faster than `Struct.omit`. */
const omit = (record: Readonly<Record<string, unknown>>, names: ReadonlyArray<string>): object => {
  const copy: Record<string, unknown> = {}
  for (const name in record) if (!names.includes(name)) copy[name] = record[name]
  return copy
}

/** Sets a field of a record to undefined, which JSON omits, if its value is an empty object. */
const withoutEmpty = (record: unknown, name: string): unknown => {
  if (!Predicate.isReadonlyObject(record)) return record
  const value = record[name]
  // Faster than {@link omit}, which copies the other fields one by one.
  return Predicate.isReadonlyObject(value) && Object.keys(value).length === 0
    ? { ...record, [name]: undefined }
    : record
}

/** Wraps a result in `data`, and moves the given fields next to it. */
const wrapInData = (result: unknown, beside: ReadonlyArray<string>): unknown =>
  beside.length === 0 || !Predicate.isReadonlyObject(result)
    ? { data: result }
    : {
      data: omit(result, beside),
      ...Struct.pick(result, beside.filter((name) => Object.hasOwn(result, name)))
    }

/**
 * Makes the response from the result of a use case. A record gets an `ETag`, and a created record a `Location`. Lists
 * have their own envelope. Other results are wrapped in `data` if the API definition requires it.
 */
const answerResult = (
  { absentIfEmpty, creates, isRecord, secret, takes, untagged }: ServedOperation<unknown>,
  { besideData, path, status }: OperationEndpoint
) => {
  const isWrapped = besideData !== undefined && takes !== "list" && !takes.endsWith("query")
  const notTagged = [secret, untagged].filter((name) => name !== undefined)
  const isTagged = isRecord || creates !== undefined
  return (result: unknown): Answer => {
    if (status === 204) return { status }
    const shown = absentIfEmpty === undefined ? result : withoutEmpty(result, absentIfEmpty)
    const body = isWrapped ? wrapInData(shown, besideData) : shown
    if (!isTagged || !Predicate.isReadonlyObject(result)) return { status, body }
    return {
      status,
      body,
      tagged: notTagged.length === 0 ? result : omit(result, notTagged),
      secret: secret !== undefined && Object.hasOwn(result, secret),
      ...(creates === undefined ? {} : { location: `${path}/${String(result[creates])}` })
    }
  }
}

const permitWith = <A, R>(
  { authorize }: Operation<ReadonlyArray<string>, InputKind, A, Refusal | ReadBudgetExceeded, R>,
  answer: (result: A) => Result.Result<Answer, Refusal>
): Permit<R> =>
(caller, ids) =>
  Result.map(
    authorize(caller, ...ids),
    ({ execute }) => (input) => Effect.flatMapEager(execute(input), (result) => Effect.fromResult(answer(result)))
  )

/** Returns a function that checks the caller's permission, and then returns a function that executes the operation. */
export const permitCall = <R>(operation: ServedOperation<R>, endpoint: OperationEndpoint): Permit<R> => {
  if (operation.takes === "long poll") return permitWith(operation, answerPoll)
  if (operation.takes === "feed") return permitWith(operation, answerFeed)
  const respond = answerResult(operation, endpoint)
  return operation.takes === "command" || operation.takes === "optional command" || operation.takes === "file"
    ? permitWith(operation, ({ answer, replayed }) => Result.succeed({ ...respond(answer), replayed }))
    : permitWith(operation, (result) => Result.succeed(respond(result)))
}
