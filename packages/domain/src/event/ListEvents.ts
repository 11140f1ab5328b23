import { Duration, Effect, Option, Result } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { callerKey } from "../access/Caller.ts"
import { scopeOf } from "../hierarchy/Scope.ts"
import { type FieldProblem, fieldProblem, type Problem, problem } from "../input/FieldProblem.ts"
import { parseInteger } from "../input/PageRequest.ts"
import { firstValue, type RawQuery, unknownParameters } from "../input/RawQuery.ts"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import { type HeldPoll, parseWait, StatusWatch, type WaitResult } from "../ports/StatusWatch.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { WaitInTransaction } from "../ports/WaitInTransaction.ts"
import { parseExactFilter } from "../values/exactFilter.ts"
import { currentTimestamp, millisOf } from "../values/Timestamp.ts"
import { type EventFeed, type EventType, eventTypeNames, eventTypes, isSelectedBy } from "./DomainEvent.ts"
import { EventLog, type EventQuery } from "./EventLog.ts"

const defaultLimit = 100
const maxLimit = 1_000

/**
 * A list of event types names types and groups, separated by commas: `proposal.paid,user.*`. An unknown name is
 * invalid. An empty list means all types.
 * @rule EVENT-04
 */
export const parseEventTypes = (
  text: string
): Result.Result<ReadonlyArray<EventType> | undefined, Problem> => {
  const names = text.split(",").map((name) => name.trim()).filter((name) => name !== "")
  const selected = names.map((name) => eventTypes.filter((type) => isSelectedBy(type, name)))
  if (selected.some((types) => types.length === 0)) {
    return Result.fail(problem("UNKNOWN_VALUE", { allowed: eventTypeNames.join(", ") }))
  }
  return Result.succeed(names.length === 0 ? undefined : [...new Set(selected.flat())])
}

/** A part of the feed, and whether its long poll was refused for lack of capacity. */
export interface FeedRead extends EventFeed {
  readonly turned_away: boolean
}

/**
 * Waits like `StatusWatch.hold`, but never refuses. For an administration without applications, which has no
 * StatusWatch.
 */
const holdAlone = ({ timeout, until }: HeldPoll): Effect.Effect<WaitResult> =>
  Effect.timeoutOrElse(Effect.as(until, "CHANGED" as const), {
    duration: timeout,
    orElse: () => Effect.succeed("TIMEOUT" as const)
  })

/**
 * A caller can read the events of its partner and of the partners below it, as of the time of each event, in the order
 * of sequences. `after` is the `next` of the previous read. Without it, the feed begins with the oldest kept event.
 * `limit` is from 1 to 1000. With `wait`, a read without an event is answered when one is committed, or when the wait
 * ends. The query is untrusted.
 *
 * Dies with {@link WaitInTransaction} in a transaction. There, the lock that assigns the sequences would last until the
 * end of the transaction and block every other reader of the tree.
 * @rule EVENT-05
 */
export const listEvents = Effect.fnUntraced(function*(allowed: Allowed<"events:read">, query: RawQuery) {
  const parsed = yield* Effect.fromResult(parseQuery(query))
  if (yield* (yield* UnitOfWork).isOpen) return yield* Effect.die(new WaitInTransaction())
  const { partner_id } = scopeOf(allowed)
  const { root_id } = allowed.caller
  const log = yield* EventLog
  const hold = Option.match(yield* Effect.serviceOption(StatusWatch), {
    onNone: () => holdAlone,
    onSome: (watch) => watch.hold
  })
  let slice = yield* log.read(partner_id, root_id, parsed)
  let now = millisOf(yield* currentTimestamp)
  const until = now + 1_000 * parsed.wait
  let awaited: WaitResult = "CHANGED"
  while (slice.events.length === 0 && now < until && awaited === "CHANGED") {
    awaited = yield* hold({
      subject: callerKey(allowed.caller),
      until: log.arrival(root_id, slice.next),
      timeout: Duration.millis(until - now)
    })
    if (awaited !== "TURNED_AWAY") slice = yield* log.read(partner_id, root_id, { ...parsed, after: slice.next })
    now = millisOf(yield* currentTimestamp)
  }
  const feed: FeedRead = { data: slice.events, next: slice.next, turned_away: awaited === "TURNED_AWAY" }
  return feed
})

/** Parses the sequence of an event. An integer that JSON cannot represent exactly is out of range (RFC 8259 §6). */
const parseSequence = (text: string): Result.Result<number, Problem> =>
  Result.flatMap(parseInteger(text), (sequence) =>
    Number.isSafeInteger(sequence)
      ? Result.succeed(sequence)
      : Result.fail(problem("OUT_OF_RANGE", { max: Number.MAX_SAFE_INTEGER })))

const parameters = new Set(["after", "limit", "subject_id", "types", "wait"])

const parseQuery = (query: RawQuery): Result.Result<EventQuery & { readonly wait: number }, ValidationFailed> => {
  const problems: Array<FieldProblem> = [...unknownParameters(query, (name) => parameters.has(name))]
  const read = <A>(
    name: string,
    parse: (text: string) => Result.Result<A, Problem>
  ): A | undefined => {
    const text = firstValue(query[name]) ?? ""
    if (text === "") return undefined
    const parsed = parse(text)
    if (Result.isSuccess(parsed)) return parsed.success
    problems.push(fieldProblem(`query.${name}`, parsed.failure))
    return undefined
  }
  const after = read("after", parseSequence)
  const limit = read("limit", parseInteger) ?? defaultLimit
  const types = read("types", parseEventTypes)
  const subject_id = read("subject_id", (text) => Result.map(parseExactFilter(text), Option.getOrUndefined))
  const wait = parseWait(query)
  if (Result.isFailure(wait)) problems.push(...wait.failure.problems)
  if (problems.length > 0 || Result.isFailure(wait)) return Result.fail(new ValidationFailed({ problems }))
  return Result.succeed({
    wait: wait.success,
    ...(after === undefined ? {} : { after: Math.max(after, 0) }),
    limit: Math.min(Math.max(limit, 1), maxLimit),
    ...(types === undefined ? {} : { types }),
    ...(subject_id === undefined ? {} : { subject_id })
  })
}
