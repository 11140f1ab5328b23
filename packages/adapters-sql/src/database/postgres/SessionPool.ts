import { Duration, Effect, Fiber, Pool, Scope } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { openSession, type Session, type SessionConfig, SilentConnection } from "./Session.ts"

/** Settings of a pool of sessions. */
export interface SessionPoolConfig extends SessionConfig {
  readonly maxConnections: number
  /** Maximum wait for a session while all are in use. */
  readonly poolTimeout: Duration.Duration
}

/** Sessions that statements and transactions borrow. */
export interface SessionPool {
  /** Borrows a session until the scope closes. */
  readonly lease: Effect.Effect<Session, SqlError, Scope.Scope>
  /** Borrows a session for one effect. */
  readonly use: <A, E, R>(f: (session: Session) => Effect.Effect<A, E, R>) => Effect.Effect<A, E | SqlError, R>
  /** Destroys the idle sessions that have not received a response since this time, in monotonic milliseconds. */
  readonly destroyIdleSince: (time: number) => void
  /** Replaces all sessions, each after its current use, at most once a second. */
  readonly replaceAll: () => void
}

/** Idle time after which a session is closed. */
const idleTimeout = "1 minute"

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

/**
 * Opens sessions on demand. A spent session is closed instead of being lent again. Closing the scope destroys the
 * sessions that are still lent.
 */
export const makeSessionPool = Effect.fnUntraced(function*(
  config: SessionPoolConfig
): Effect.fn.Return<SessionPool, never, Scope.Scope> {
  const { maxConnections, poolTimeout } = config
  const open = new Set<Session>()
  const lent = new Set<Session>()
  const runFork = Effect.runForkWith(yield* Effect.context())

  const acquire = Effect.tap(openSession(config), (session) =>
    Effect.sync(() => {
      open.add(session)
      session.onClose(() => {
        open.delete(session)
        runFork(Pool.invalidate(pool, session))
      })
    }))
  const scope = yield* Scope.make()
  const pool: Pool.Pool<Session, SqlError> = yield* Pool.makeWithTTL({
    acquire,
    min: 0,
    max: maxConnections,
    timeToLive: idleTimeout,
    timeToLiveStrategy: "usage"
  }).pipe(Scope.provide(scope))
  yield* Effect.addFinalizer((exit) =>
    Effect.gen(function*() {
      for (const session of lent) session.destroy(new Error("The pool is closing"))
      const closing = yield* Effect.forkDetach(Scope.close(scope, exit))
      // The pool waits until every session is returned. Finalizers cannot be interrupted, so another fiber limits the wait.
      yield* Fiber.await(yield* Effect.forkDetach(Effect.timeoutOption(Fiber.await(closing), closeTimeout)))
    })
  )

  /** The number of callers that have or want a session. */
  let callers = 0
  let replacedAt = Number.NEGATIVE_INFINITY
  const enter = Effect.sync(() => {
    callers++
  })
  const leave = Effect.sync(() => {
    callers--
  })
  const lend = (session: Session): void => {
    lent.add(session)
  }
  const takeBack = (session: Session): Effect.Effect<void> =>
    Effect.suspend(() => {
      lent.delete(session)
      return session.isSpent ? Pool.invalidate(pool, session) : Effect.void
    })

  const get: Effect.Effect<Session, SqlError, Scope.Scope> = Effect.flatMap(
    Pool.get(pool),
    (session) => session.isSpent ? Effect.andThen(Pool.invalidate(pool, session), get) : Effect.succeed(session)
  )
  const getInTime = Effect.suspend(() =>
    callers > maxConnections
      ? Effect.timeoutOrElse(get, { duration: poolTimeout, orElse: () => Effect.fail(allInUse(config)) })
      : get
  )
  const borrow = Effect.acquireRelease(
    Effect.tap(getInTime, (session) => Effect.sync(() => lend(session))),
    takeBack,
    { interruptible: true }
  )
  const lease = Effect.andThen(Effect.acquireRelease(enter, () => leave), borrow)

  /** Lends an idle session, without the cost of a scope. Returns undefined if the session is spent. */
  const useIdle = <A, E, R>(f: (session: Session) => Effect.Effect<A, E, R>) =>
    Pool.use(pool, (session) => {
      if (session.isSpent) return Effect.as(Pool.invalidate(pool, session), undefined)
      lend(session)
      return Effect.ensuring(Effect.map(f(session), (value) => ({ value })), takeBack(session))
    })
  return {
    lease,
    use: (f) =>
      Effect.suspend(() => {
        if (callers >= maxConnections) return Effect.scoped(Effect.flatMap(lease, f))
        callers++
        const used = Effect.flatMap(
          useIdle(f),
          (used) => used === undefined ? Effect.scoped(Effect.flatMap(borrow, f)) : Effect.succeed(used.value)
        )
        return Effect.ensuring(used, leave)
      }),
    replaceAll: () => {
      const now = performance.now()
      if (now - replacedAt < replaceInterval) return
      replacedAt = now
      for (const session of open) {
        session.isSpent = true
        if (!lent.has(session)) runFork(Pool.invalidate(pool, session))
      }
    },
    destroyIdleSince: (time) => {
      for (const session of open) {
        if (!lent.has(session) && session.lastResponse <= time) {
          session.destroy(new SilentConnection(Math.round(performance.now() - time)))
        }
      }
    }
  }
})
