import { Effect, Latch, type Scope } from "effect"
import { type Environment } from "./lastro.ts"
import { type Serving, serving } from "./serving.ts"

/** A server that is killed and comes back, at the same URL and on the same database. */
export interface Mortal {
  readonly url: string
  /** Waits until it is up, which it may no longer be a moment later. */
  readonly alive: Effect.Effect<void>
  /** Ends it like a power cut does, and starts it again. */
  readonly dies: Effect.Effect<void, never, Scope.Scope>
  /** The server as it is now. */
  readonly present: () => Serving
}

/** Starts a server that can be killed; the environment has to name a port and a database that outlive it. */
export const mortal = (environment: Environment): Effect.Effect<Mortal, never, Scope.Scope> =>
  Effect.gen(function*() {
    let server = yield* serving(environment)
    const up = yield* Latch.make(true)
    return {
      url: server.url,
      alive: up.await,
      dies: Effect.uninterruptible(Effect.gen(function*() {
        up.closeUnsafe()
        server.kill("SIGKILL")
        yield* server.ended
        server = yield* serving(environment)
        up.openUnsafe()
      })),
      present: () => server
    }
  })
