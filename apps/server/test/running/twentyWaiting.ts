import { Effect, Fiber } from "effect"
import { type Reply } from "./asking.ts"
import { type Desk } from "./desk.ts"

const isNotHeld = ({ headers }: Reply): boolean => headers.has("retry-after")

/**
 * Starts twenty long polls, the maximum per caller, and waits until all of them are held. Returns their responses and that of one
 * more poll, which is not held.
 */
export const twentyWaiting = Effect.fnUntraced(function*({ status }: Desk, id: string, known: string | null) {
  // A poll that is not held, because the extra poll below took the last place, is retried.
  const poll = status(id, { wait: 30, known }).pipe(Effect.repeat({ while: isNotHeld }))
  const waiting = yield* Effect.forkScoped(
    Effect.all(Array.from({ length: 20 }, () => poll), { concurrency: "unbounded" })
  )
  const notHeld = yield* status(id, { wait: 1, known }).pipe(Effect.repeat({ until: isNotHeld }))
  return { notHeld, answers: Fiber.join(waiting) }
})
