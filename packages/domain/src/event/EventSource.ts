import { Duration, Effect, Option, Result, Stream } from "effect"
import { NotFound, parseRecordId } from "../hierarchy/Scope.ts"
import { fieldProblem, problem } from "../input/FieldProblem.ts"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import { PartnerTree } from "../ports/PartnerTree.ts"
import { type PartnerId } from "../values/ids.ts"
import { type DomainEvent, type EventType } from "./DomainEvent.ts"
import { EventLog, type EventsExpired } from "./EventLog.ts"
import { parseEventTypes } from "./ListEvents.ts"

/** Selects the events that a program of the host reads. */
export interface EventSelection {
  /** The events that happened to this partner and to the partners below it. For a whole tree, the id of its root. */
  readonly partner_id: string
  /** Types and groups: `["proposal.paid", "user.*"]`. Default: all types. */
  readonly types?: ReadonlyArray<string> | undefined
}

/** A checked selection. */
export interface EventSource {
  readonly partner_id: PartnerId
  readonly root_id: PartnerId
  readonly types?: ReadonlyArray<EventType>
}

/** Returns whether a value can be the sequence of an event. 0 is the position before the first event. */
export const isSequence = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

/** Checks a selection and the sequence after which to read, and finds the tree of its partner. */
export const findEventSource = Effect.fnUntraced(function*(
  { after, partner_id, types = [] }: EventSelection & { readonly after?: number | undefined }
) {
  const parsed = Array.isArray(types) ? parseEventTypes(types.join(",")) : Result.fail(problem("INVALID_TYPE"))
  if (Result.isFailure(parsed)) {
    return yield* new ValidationFailed({ problems: [fieldProblem("types", parsed.failure)] })
  }
  if (after !== undefined && !isSequence(after)) {
    return yield* new ValidationFailed({
      problems: [fieldProblem("after", problem(Number.isInteger(after) ? "OUT_OF_RANGE" : "INVALID_TYPE"))]
    })
  }
  const id = yield* Effect.fromResult(parseRecordId<PartnerId>(String(partner_id)))
  const place = yield* (yield* PartnerTree).findPlace(id)
  if (Option.isNone(place)) return yield* new NotFound()
  const source: EventSource = {
    partner_id: id,
    root_id: place.value.root_id,
    ...(parsed.success === undefined ? {} : { types: parsed.success })
  }
  return source
})

/** Maximum number of events in memory for each reader of the host. */
const batchSize = 100

/** Maximum wait between two reads, in case a notification is lost. */
const longestWait = Duration.seconds(30)

/** Reads up to `limit` events of a source, after a sequence or from the oldest kept event. */
export const readSource = Effect.fnUntraced(function*(
  { partner_id, root_id, types }: EventSource,
  after: number | undefined,
  limit: number = batchSize
) {
  return yield* (yield* EventLog).read(partner_id, root_id, {
    limit,
    ...(after === undefined ? {} : { after }),
    ...(types === undefined ? {} : { types })
  })
})

/** Reads the next events. Waits for them for at most 30 seconds. */
export const readBatch = Effect.fnUntraced(function*(source: EventSource, after?: number) {
  const slice = yield* readSource(source, after)
  if (slice.events.length > 0 || slice.next !== after) return slice
  yield* Effect.timeoutOption((yield* EventLog).arrival(source.root_id, slice.next), longestWait)
  return yield* readSource(source, slice.next)
})

/**
 * Waits for an event of a source after a sequence, at most 30 seconds. Passes over events of other types and partners
 * without storing how far it has read.
 */
export const awaitEvent = Effect.fnUntraced(function*(source: EventSource, after: number) {
  const log = yield* EventLog
  const search = Effect.gen(function*() {
    for (let from = after;;) {
      yield* log.arrival(source.root_id, from)
      const { events, next } = yield* readSource(source, from, 1)
      if (events.length > 0) return
      from = next
    }
  })
  yield* Effect.timeoutOption(search, longestWait)
})

/**
 * The feed as a stream, after a sequence or from the oldest kept event. It waits for new events and never ends. It
 * reads at most 100 events ahead. Use it outside transactions.
 */
export const eventStream = (
  selection: EventSelection & { readonly after?: number | undefined }
): Stream.Stream<DomainEvent, EventsExpired | NotFound | ValidationFailed, EventLog | PartnerTree> =>
  Stream.unwrap(
    Effect.map(findEventSource(selection), (source) =>
      Stream.paginate(selection.after, (from) =>
        Effect.map(readBatch(source, from), ({ events, next }) =>
          [events, Option.some<number | undefined>(next)] as const)))
  )
