import { Duration, Effect, Exit, Fiber, Scope } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { Pooler } from "./Pooler.ts"
import { type PoolUse, registerPoolMetrics } from "./poolMetrics.ts"
import { type Session, type SessionConfig, SilentConnection } from "./Session.ts"

/** Settings of a pool of sessions. */
export interface SessionPoolConfig extends SessionConfig {
  readonly maxConnections: number
  /** Maximum wait for a session while all are in use. */
  readonly poolTimeout: Duration.Duration
}

/** Idle time after which a session is closed, in milliseconds. */
const idleTimeout = 60_000

/** Minimum time between two replacements of all sessions, in milliseconds. */
const replaceInterval = 1_000

/** Maximum wait at the end for sessions that are still lent. */
const closeTimeout = "1 second"

const allInUse = ({ maxConnections, poolTimeout }: SessionPoolConfig) =>
  new SqlError({
    reason: new ConnectionError({
      cause: Object.assign(new Error("All connections are in use"), { name: "ConnectionsInUse" }),
      message: `All ${maxConnections} connections stayed in use for ${Duration.format(poolTimeout)}`,
      operation: "acquire"
    })
  })

const ended = new SqlError({
  reason: new ConnectionError({
    cause: new Error("The pool has ended"),
    message: "The pool has ended",
    operation: "acquire"
  })
})

/** A fiber that waits for a session. It gets a session, or `open` if it may open one. */
interface Waiter {
  readonly resume: (offer: Effect.Effect<Session | "open", SqlError>) => void
  /** The offer that the fiber has not taken yet. */
  offer: Session | "open" | undefined
}

/**
 * Opens sessions on demand, and lends the session that was used last. Closes a spent session instead of lending it
 * again. An idle session is lent synchronously, because the pool of Effect takes more processor time than a short
 * statement.
 */
export class SessionPool {
  readonly #config: SessionPoolConfig
  readonly #pooler = new Pooler()
  /** The scope of each open session. */
  readonly #open = new Map<Session, Scope.Closeable>()
  readonly #lent = new Set<Session>()
  /** The idle sessions, the one that was used last at the end. */
  readonly #idle: Array<Session> = []
  readonly #waiting = new Set<Waiter>()
  /** Number of sessions that are open or being opened. */
  #size = 0
  #isEnded = false
  /** Number of waits that ended without a session since the start. */
  #timeouts = 0
  #replacedAt = Number.NEGATIVE_INFINITY

  constructor(config: SessionPoolConfig) {
    this.#config = config
  }

  /** Borrows a session until the scope closes. */
  readonly lease: Effect.Effect<Session, SqlError, Scope.Scope> = Effect.acquireRelease(
    Effect.uninterruptibleMask((restore) => this.#acquire(restore)),
    (session) => Effect.sync(() => this.#takeBack(session)),
    { interruptible: true }
  )

  /** Returns how the pool is used now. */
  get present(): PoolUse {
    const inUse = this.#lent.size
    const idle = this.#idle.length
    return { inUse, idle, opening: this.#size - inUse - idle, waiting: this.#waiting.size, timeouts: this.#timeouts }
  }

  /**
   * Borrows a session for one effect. An idle session is taken in the step that starts the effect, so that nothing can
   * interrupt the fiber in between.
   */
  use<A, E, R>(f: (session: Session) => Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> {
    return Effect.suspend(() => {
      let taken: Session | undefined
      return Effect.onExitPrimitive(
        Effect.suspend((): Effect.Effect<A, E | SqlError, R> => {
          taken = this.#isEnded ? undefined : this.#takeIdle()
          return taken === undefined ? this.#useLater(f) : f(taken)
        }),
        () => {
          if (taken !== undefined) this.#takeBack(taken)
          return undefined
        }
      )
    })
  }

  /** Waits for a session, and borrows it for one effect. */
  #useLater<A, E, R>(f: (session: Session) => Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> {
    return Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(
        this.#acquire(restore),
        (session) =>
          Effect.onExitPrimitive(restore(Effect.suspend(() => f(session))), () => {
            this.#takeBack(session)
            return undefined
          })
      )
    )
  }

  /** Replaces all sessions. A lent session is replaced after its current use. Runs at most once a second. */
  readonly replaceAll = (): void => {
    const now = performance.now()
    if (now - this.#replacedAt < replaceInterval) return
    this.#replacedAt = now
    for (const session of this.#open.keys()) session.isSpent = true
    for (const session of this.#idle.splice(0)) this.#close(session)
  }

  /** Destroys the idle sessions that have not received a response since this time, in monotonic milliseconds. */
  readonly destroyIdleSince = (time: number): void => {
    for (const session of this.#idle.filter(({ lastResponse }) => lastResponse <= time)) {
      session.destroy(new SilentConnection(Math.round(performance.now() - time)))
    }
  }

  /** Closes the sessions that were idle for a minute. */
  closeIdle(): void {
    const since = performance.now() - idleTimeout
    while (this.#idle[0] !== undefined && this.#idle[0].lastResponse < since) this.#close(this.#idle.shift())
  }

  /** Destroys the sessions that are still lent, and closes the others. */
  readonly end: Effect.Effect<void> = Effect.suspend(() => {
    this.#isEnded = true
    this.#idle.length = 0
    for (const waiter of this.#waiting) waiter.resume(Effect.fail(ended))
    this.#waiting.clear()
    for (const session of this.#lent) session.destroy(new Error("The pool is closing"))
    const scopes = [...this.#open.values()]
    return Effect.forEach(scopes, (scope) => Scope.close(scope, Exit.void), { concurrency: "unbounded", discard: true })
  })

  /** Takes an idle session at once, or waits for one. Only the wait can be interrupted. */
  #acquire(
    restore: (effect: Effect.Effect<Session, SqlError>) => Effect.Effect<Session, SqlError>
  ): Effect.Effect<Session, SqlError> {
    if (this.#isEnded) return Effect.fail(ended)
    const session = this.#takeIdle()
    if (session !== undefined) return Effect.succeed(session)
    if (this.#size < this.#config.maxConnections) {
      this.#size++
      return restore(this.#openOne)
    }
    return restore(
      Effect.flatMap(this.#wait, (offer) => offer === "open" ? this.#openOne : Effect.succeed(offer))
    )
  }

  #takeIdle(): Session | undefined {
    for (let session = this.#idle.pop(); session !== undefined; session = this.#idle.pop()) {
      if (!session.isSpent) {
        this.#lent.add(session)
        return session
      }
      this.#close(session)
    }
    return undefined
  }

  #takeBack(session: Session): void {
    this.#lent.delete(session)
    if (session.isSpent) return this.#close(session)
    const waiter = this.#nextWaiter()
    if (waiter === undefined) this.#idle.push(session)
    else this.#offer(waiter, session)
  }

  #nextWaiter(): Waiter | undefined {
    const [waiter] = this.#waiting
    if (waiter !== undefined) this.#waiting.delete(waiter)
    return waiter
  }

  #offer(waiter: Waiter, offer: Session | "open"): void {
    if (offer !== "open") this.#lent.add(offer)
    waiter.offer = offer
    waiter.resume(Effect.succeed(offer))
  }

  /** Lets the next waiter open a new session after one was closed. */
  #vacate(): void {
    const waiter = this.#nextWaiter()
    if (waiter === undefined || this.#isEnded) this.#size--
    else this.#offer(waiter, "open")
  }

  #close(session: Session | undefined): void {
    const scope = session === undefined ? undefined : this.#open.get(session)
    if (session === undefined || scope === undefined) return
    this.#open.delete(session)
    session.isSpent = true
    Effect.runFork(Scope.close(scope, Exit.void))
    this.#vacate()
  }

  readonly #openOne: Effect.Effect<Session, SqlError> = Effect.suspend(() => {
    const scope = Scope.makeUnsafe()
    return Effect.onExitPrimitive(Scope.provide(this.#pooler.open(this.#config), scope), (exit) => {
      if (Exit.isSuccess(exit) && this.#isEnded) return Effect.andThen(Scope.close(scope, exit), Effect.fail(ended))
      if (Exit.isSuccess(exit)) {
        const session = exit.value
        this.#open.set(session, scope)
        this.#lent.add(session)
        session.onClose(() => this.#forget(session))
        return undefined
      }
      this.#vacate()
      return Scope.close(scope, exit)
    })
  })

  /** Removes an idle session whose socket was closed. A lent session is removed when it is returned. */
  #forget(session: Session): void {
    const index = this.#idle.indexOf(session)
    if (index < 0) return
    this.#idle.splice(index, 1)
    this.#close(session)
  }

  /** Waits for a session, or for permission to open one after another was closed. */
  readonly #wait: Effect.Effect<Session | "open", SqlError> = Effect.suspend(() => {
    const { poolTimeout } = this.#config
    const waiter: { offer: Waiter["offer"] } = { offer: undefined }
    const offered = Effect.callback<Session | "open", SqlError>((resume) => {
      const entry: Waiter = Object.assign(waiter, { resume })
      this.#waiting.add(entry)
      const timer = setTimeout(() => {
        if (!this.#waiting.delete(entry)) return
        this.#timeouts++
        resume(Effect.fail(allInUse(this.#config)))
      }, Duration.toMillis(poolTimeout))
      Object.assign(entry, {
        resume: (offer: Parameters<typeof resume>[0]) => {
          clearTimeout(timer)
          resume(offer)
        }
      })
      return Effect.sync(() => {
        clearTimeout(timer)
        this.#waiting.delete(entry)
      })
    })
    return Effect.onExitPrimitive(offered, (exit) => {
      const { offer } = waiter
      if (Exit.isFailure(exit) && offer !== undefined) {
        if (offer === "open") this.#vacate()
        else this.#takeBack(offer)
      }
      return undefined
    })
  })
}

/** Makes a pool. Closing the scope ends all its sessions. */
export const makeSessionPool = Effect.fnUntraced(function*(
  config: SessionPoolConfig
): Effect.fn.Return<SessionPool, never, Scope.Scope> {
  const pool = new SessionPool(config)
  yield* registerPoolMetrics(config, () => pool.present)
  yield* Effect.acquireRelease(
    Effect.sync(() => setInterval(() => pool.closeIdle(), idleTimeout / 2).unref()),
    (timer) =>
      Effect.gen(function*() {
        clearInterval(timer)
        // Finalizers cannot be interrupted, so another fiber limits the wait.
        const ending = yield* Effect.forkDetach(pool.end)
        yield* Fiber.await(yield* Effect.forkDetach(Effect.timeoutOption(Fiber.await(ending), closeTimeout)))
      })
  )
  return pool
})
