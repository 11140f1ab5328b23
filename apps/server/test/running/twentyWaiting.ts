import { Effect, Fiber } from "effect"
import { type Reply } from "./asking.ts"
import { type Desk } from "./desk.ts"

const isTurnedAway = ({ headers }: Reply): boolean => headers.has("retry-after")

/**
 * Has twenty requests wait until a status is another than the one that is known, as many as one caller may, and goes on once they
 * all do. Answers what they are answered with.
 */
export const twentyWaiting = Effect.fnUntraced(function*({ status }: Desk, id: string, known: string | null) {
  // Whoever is turned away, because somebody below has the last place, comes again.
  const place = status(id, { wait: 30, known }).pipe(Effect.repeat({ while: isTurnedAway }))
  const waiting = yield* Effect.forkScoped(
    Effect.all(Array.from({ length: 20 }, () => place), { concurrency: "unbounded" })
  )
  const turnedAway = yield* status(id, { wait: 1, known }).pipe(Effect.repeat({ until: isTurnedAway }))
  return { turnedAway, answers: Fiber.join(waiting) }
})
