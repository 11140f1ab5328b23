import { Effect, Result } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { scopeOf } from "../hierarchy/Scope.ts"
import { type FieldProblem, fieldProblem, problem, ValidationFailed } from "../input/FieldProblem.ts"
import { parseInteger } from "../input/PageRequest.ts"
import { firstValue, type RawQuery, unknownParameters } from "../input/RawQuery.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { WaitInTransaction } from "../ports/WaitInTransaction.ts"
import { parseUuid } from "../values/Uuid.ts"
import { type EventFeed, type EventType, eventTypes } from "./DomainEvent.ts"
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
): Result.Result<ReadonlyArray<EventType> | undefined, ReturnType<typeof problem>> => {
  const names = text.split(",").map((name) => name.trim()).filter((name) => name !== "")
  const known = names.map((name) =>
    eventTypes.filter((type) => type === name || name.endsWith(".*") && type.startsWith(name.slice(0, -1)))
  )
  return known.some((types) => types.length === 0)
    ? Result.fail(problem("UNKNOWN_VALUE"))
    : Result.succeed(names.length === 0 ? undefined : [...new Set(known.flat())])
}

/**
 * Reads the events of the caller's partner and the partners below it, as of the time when they happened, in the order of
 * their sequences. `after` is the `next` of the read before; without it, the feed begins with the oldest event. `limit`
 * is between 1 and 1000. The query is untrusted.
 *
 * Dies with {@link WaitInTransaction} in a transaction, because the lock that gives the sequences would last until its
 * end, and stop every other reader of the tree.
 * @rule EVENT-05
 */
export const listEvents = Effect.fnUntraced(function*(allowed: Allowed<"events:read">, query: RawQuery) {
  const parsed = yield* Effect.fromResult(parseQuery(query))
  if (yield* (yield* UnitOfWork).isOpen) return yield* Effect.die(new WaitInTransaction())
  const { partner_id } = scopeOf(allowed)
  const { events, next } = yield* (yield* EventLog).read(partner_id, allowed.caller.root_id, parsed)
  const feed: EventFeed = { data: events, next }
  return feed
})

const parameters = new Set(["after", "limit", "subject_id", "types"])

const parseQuery = (query: RawQuery): Result.Result<EventQuery, ValidationFailed> => {
  const problems: Array<FieldProblem> = [...unknownParameters(query, (name) => parameters.has(name))]
  const read = <A>(
    name: string,
    parse: (text: string) => Result.Result<A, ReturnType<typeof problem>>
  ): A | undefined => {
    const text = firstValue(query[name]) ?? ""
    if (text === "") return undefined
    const parsed = parse(text)
    if (Result.isSuccess(parsed)) return parsed.success
    problems.push(fieldProblem(`query.${name}`, parsed.failure))
    return undefined
  }
  const after = read("after", parseInteger) ?? 0
  const limit = read("limit", parseInteger) ?? defaultLimit
  const types = read("types", parseEventTypes)
  const subject_id = read("subject_id", (text) => Result.orElse(parseUuid(text), () => Result.succeed(text)))
  return problems.length > 0 ? Result.fail(new ValidationFailed({ problems })) : Result.succeed({
    after: Math.max(after, 0),
    limit: Math.min(Math.max(limit, 1), maxLimit),
    ...(types === undefined ? {} : { types }),
    ...(subject_id === undefined ? {} : { subject_id })
  })
}
