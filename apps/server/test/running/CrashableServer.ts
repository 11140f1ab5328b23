import { Effect, Latch, type Scope } from "effect"
import { type Environment } from "./lastro.ts"
import { type RunningServer, startServer } from "./serving.ts"

/** A server that can be killed and restarted at the same URL and on the same database. */
export interface CrashableServer {
  readonly url: string
  /** Waits until the server is up. It may crash again at any time. */
  readonly isUp: Effect.Effect<void>
  /** Kills the server with SIGKILL and restarts it. */
  readonly crash: Effect.Effect<void, never, Scope.Scope>
  /** The current process of the server. */
  readonly current: () => RunningServer
}

/** Starts a crashable server. The environment must set a fixed port and a persistent database. */
export const startCrashableServer = (environment: Environment): Effect.Effect<CrashableServer, never, Scope.Scope> =>
  Effect.gen(function*() {
    let server = yield* startServer(environment)
    const up = yield* Latch.make(true)
    return {
      url: server.url,
      isUp: up.await,
      crash: Effect.uninterruptible(Effect.gen(function*() {
        up.closeUnsafe()
        server.kill("SIGKILL")
        yield* server.ended
        server = yield* startServer(environment)
        up.openUnsafe()
      })),
      current: () => server
    }
  })
