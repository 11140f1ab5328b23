import { type Duration, Effect } from "effect"

/** How rounds follow each other. */
interface Rounds<E, R> {
  /** Does a part of what there is to do, and tells how much. */
  readonly round: Effect.Effect<number, E, R>
  /** From so much on there may be more to do, and the next round begins at once. */
  readonly full: number
  /** The pause after any other round. */
  readonly pause: Duration.Input
  /** What is logged of a round that fails. */
  readonly failure: string
}

/** Does rounds of background work without end; one that fails is logged, and tried again after the pause. */
export const endlessRounds = <E, R>({ failure, full, pause, round }: Rounds<E, R>): Effect.Effect<never, never, R> =>
  round.pipe(
    Effect.catchCause((cause) => Effect.as(Effect.logWarning(failure, cause), 0)),
    Effect.flatMap((done) => done < full ? Effect.sleep(pause) : Effect.void),
    Effect.forever
  )
