import { Deferred, type Duration, Effect, Layer, MutableRef } from "effect"
import { ApplicationRepository } from "../origination/ApplicationRepository.ts"
import { type HeldPoll, type StatusWaiter, StatusWatch, type WaitResult } from "../ports/StatusWatch.ts"
import { type ApplicationId } from "../values/ids.ts"

/** Options of the in-memory StatusWatch. */
export interface StatusWatchOptions {
  /** Maximum number of waiting long polls of a caller. Default: 20. */
  readonly perCaller?: number | undefined
  /** Maximum number of waiting long polls on a node. Default: 2000. */
  readonly perNode?: number | undefined
  /** The interval at which a node queries the database for changes. Default: 250 ms. */
  readonly tick?: Duration.Input | undefined
}

interface Waiting extends Pick<HeldPoll, "subject" | "timeout"> {
  /** The application, and the version that the caller has. Undefined if the long poll waits for anything else. */
  readonly known: Pick<StatusWaiter, "application_id" | "version"> | undefined
  readonly woken: Deferred.Deferred<WaitResult>
}

/**
 * By default, a caller can have at most 20 long polls waiting at a time, and a node at most 2 000.
 * @rule WAIT-01
 */
export const hasCapacity = (
  waiting: { readonly ofCaller: number; readonly ofNode: number },
  { perCaller = 20, perNode = 2_000 }: StatusWatchOptions = {}
): boolean => waiting.ofCaller < perCaller && waiting.ofNode < perNode

/**
 * Creates a StatusWatch that keeps the waiting long polls in memory. An event that this node records ends the long
 * polls on its application at once. For the events of other nodes, one query reads the versions of all watched
 * applications every 250 ms (default), and ends the long polls on changed ones.
 */
export const makeStatusWatch = Effect.fnUntraced(function*(
  versionsOf: ApplicationRepository["Service"]["versions"],
  options: StatusWatchOptions
) {
  const waiting = new Set<Waiting>()
  const open = MutableRef.make(true)

  const wake = (isWoken: (waiter: Waiting) => boolean, result: WaitResult) =>
    Effect.forEach([...waiting].filter(isWoken), ({ woken }) => Deferred.succeed(woken, result), { discard: true })

  const wakeChanged = Effect.suspend(() => {
    const ids = new Set([...waiting].flatMap(({ known }) => known === undefined ? [] : [known.application_id]))
    if (ids.size === 0) return Effect.void
    return Effect.flatMap(
      versionsOf([...ids]),
      (versions) =>
        wake(({ known }) => known !== undefined && versions.get(known.application_id) !== known.version, "CHANGED")
    )
  })
  // A failed query does not end the loop, for example while the database is down.
  const watched = Effect.ignoreCause(wakeChanged)
  yield* Effect.forkScoped(Effect.forever(Effect.delay(watched, options.tick ?? "250 millis")))

  const waitFor = Effect.fnUntraced(function*(
    { subject, timeout }: Pick<HeldPoll, "subject" | "timeout">,
    known: Waiting["known"],
    until: Effect.Effect<void>
  ) {
    const ofCaller = Array.from(waiting).filter((other) => other.subject === subject).length
    if (!MutableRef.get(open)) return "RELEASED"
    if (!hasCapacity({ ofCaller, ofNode: waiting.size }, options)) return "TURNED_AWAY"
    const waiter: Waiting = { subject, timeout, known, woken: Deferred.makeUnsafe() }
    return yield* Effect.acquireUseRelease(
      Effect.sync(() => waiting.add(waiter)),
      () =>
        Effect.timeoutOrElse(Effect.raceFirst(Deferred.await(waiter.woken), Effect.as(until, "CHANGED" as const)), {
          duration: timeout,
          orElse: () => Effect.succeed<WaitResult>("TIMEOUT")
        }),
      () => Effect.sync(() => waiting.delete(waiter))
    )
  })

  const release = Effect.suspend(() => {
    MutableRef.set(open, false)
    return wake(() => true, "RELEASED")
  })
  yield* Effect.addFinalizer(() => release)
  return StatusWatch.of({
    wait: (waiter) => waitFor(waiter, waiter, Effect.never),
    hold: (poll) => waitFor(poll, undefined, poll.until),
    changed: (id: ApplicationId) => wake(({ known }) => known?.application_id === id, "CHANGED"),
    release
  })
})

/** Provides the in-memory StatusWatch of {@link makeStatusWatch}. */
export const layerStatusWatch = (
  options: StatusWatchOptions = {}
): Layer.Layer<StatusWatch, never, ApplicationRepository> =>
  Layer.effect(
    StatusWatch,
    Effect.flatMap(
      ApplicationRepository,
      (applications) => makeStatusWatch((ids) => applications.versions(ids), options)
    )
  )
