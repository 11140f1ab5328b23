import { Duration, Effect, Exit, Fiber, Redacted, Scope } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { targetOfUrl } from "../connection/ConnectionTarget.ts"
import { type ClusterMember, joinCluster } from "./Cluster.ts"
import { Hosts, type HostsConfig } from "./Hosts.ts"
import { type PoolUse, registerPoolMetrics } from "./poolMetrics.ts"
import { type ServerConnection, SilentConnection } from "./ServerConnection.ts"
import { isEarlier, isPrimaryRequired, type PrimaryIdentity } from "./SessionRole.ts"

export interface ConnectionPoolConfig extends HostsConfig {
  readonly maxConnections: number
  /** Maximum wait for a connection while all are in use. */
  readonly poolTimeout: Duration.Duration
}

/** Idle time after which a connection is closed, in milliseconds. */
const idleTimeout = 60_000

/** Minimum time between two replacements of all connections, in milliseconds. */
const replaceInterval = 1_000

/**
 * If a response takes longer than this, in milliseconds, the pool searches for a new primary. It repeats the search
 * after each such time.
 */
const silenceTimeout = 1_000

/** Maximum wait for connections in use when the pool ends. */
const closeTimeout = "1 second"

const allInUse = ({ maxConnections, poolTimeout }: ConnectionPoolConfig) =>
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

/** The server is a former primary of the cluster. Another server has replaced it. */
class FormerPrimary extends Error {
  override readonly name = "FormerPrimary"
  constructor() {
    super("Another server has become the primary")
  }
}

/** Returns a key that is equal for the pools of a process with the same hosts. */
const hostsKey = ({ sessionAttrs, urls }: ConnectionPoolConfig): string =>
  [sessionAttrs, ...urls.map((url) => targetOfUrl(Redacted.value(url)).address)].join(" ")

/** Makes an effect interruptible within an uninterruptible one, as `Effect.uninterruptibleMask` does. */
type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** A fiber that waits for a connection. It gets a connection, or `open`, the permission to open one. */
interface Waiter {
  readonly resume: (offer: Effect.Effect<ServerConnection | "open", SqlError>) => void
  /** The connection or permission that the fiber has been given but has not taken yet. */
  offer: ServerConnection | "open" | undefined
}

/**
 * Opens connections on demand. Lends the connection that was used last. Closes a spent connection instead of lending it
 * again. Lends an idle connection synchronously, because the pool of Effect takes more processor time than a short
 * statement.
 */
export class ConnectionPool implements ClusterMember {
  readonly #config: ConnectionPoolConfig
  readonly #hosts: Hosts
  /** The scope of each open connection. */
  readonly #open = new Map<ServerConnection, Scope.Closeable>()
  readonly #lent = new Set<ServerConnection>()
  /** The idle connections. The last one is the most recently used. */
  readonly #idle: Array<ServerConnection> = []
  readonly #waiting = new Set<Waiter>()
  /** Number of connections that are open or being opened. */
  #size = 0
  #isEnded = false
  /** Number of waits that ended without a connection since the start. */
  #timeouts = 0
  #replacedAt = Number.NEGATIVE_INFINITY

  /** Replaces the sessions of all pools of the process that use the same hosts. */
  readonly replaceEverywhere: () => void
  readonly #leaveCluster: () => void

  constructor(config: ConnectionPoolConfig) {
    const { cluster, leave } = joinCluster(hostsKey(config), this)
    this.#config = config
    this.#hosts = new Hosts(config, cluster)
    this.#leaveCluster = leave
    this.replaceEverywhere = cluster.replaceAll
  }

  /** Borrows a connection until the scope closes. */
  readonly lease: Effect.Effect<ServerConnection, SqlError, Scope.Scope> = Effect.uninterruptibleMask((restore) =>
    Effect.acquireRelease(this.#acquire(restore), (connection) => Effect.sync(() => this.#takeBack(connection)))
  )

  /** Returns the current use of the pool. */
  get currentUse(): PoolUse {
    const inUse = this.#lent.size
    const idle = this.#idle.length
    return { inUse, idle, opening: this.#size - inUse - idle, waiting: this.#waiting.size, timeouts: this.#timeouts }
  }

  /**
   * Runs an effect on an idle connection. Opens one or waits for one if none is idle. Takes an idle connection in the
   * same step as it starts the effect, so no interruption can happen in between.
   */
  use<A, E, R>(f: (connection: ServerConnection) => Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> {
    return Effect.suspend(() => {
      let taken: ServerConnection | undefined
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

  /** Waits for a connection, and borrows it for one effect. */
  #useLater<A, E, R>(f: (connection: ServerConnection) => Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> {
    return Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(
        this.#acquire(restore),
        (connection) =>
          Effect.onExitPrimitive(restore(Effect.suspend(() => f(connection))), () => {
            this.#takeBack(connection)
            return undefined
          })
      )
    )
  }

  /** Replaces all connections, at most once a second. A connection in use is replaced after its current use. */
  readonly replaceAll = (): void => {
    const now = performance.now()
    if (now - this.#replacedAt < replaceInterval) return
    this.#replacedAt = now
    for (const connection of this.#open.keys()) connection.isSpent = true
    for (const connection of this.#idle.splice(0)) this.#close(connection)
  }

  /** Destroys the connections to a former primary, because its answers would lack later changes. */
  destroyEarlier(newest: PrimaryIdentity): void {
    for (const connection of this.#open.keys()) {
      if (connection.primary !== undefined && isEarlier(connection.primary, newest)) {
        connection.destroy(new FormerPrimary())
      }
    }
  }

  isConnectedTo(system: string): boolean {
    return Array.from(this.#open.keys()).some((connection) =>
      !connection.isClosed && connection.primary?.system === system
    )
  }

  /**
   * Searches the other hosts while a statement gets no response, because the primary may be frozen or cut off. If the
   * search finds a new primary, {@link destroyEarlier} ends the silent connections long before their timeout.
   */
  readonly searchIfSilent: Effect.Effect<void> = Effect.suspend(() => {
    const since = performance.now() - silenceTimeout
    return Array.from(this.#lent).some((connection) => connection.isSilentSince(since))
      ? this.#hosts.search
      : Effect.void
  })

  /** Destroys the idle connections that have received no response since this time, in monotonic milliseconds. */
  readonly destroyIdleSince = (time: number): void => {
    for (const connection of this.#idle.filter(({ lastResponse }) => lastResponse <= time)) {
      connection.destroy(new SilentConnection(Math.round(performance.now() - time)))
    }
  }

  /** Closes the connections that were idle for a minute. */
  closeIdle(): void {
    const since = performance.now() - idleTimeout
    while (this.#idle[0] !== undefined && this.#idle[0].lastResponse < since) this.#close(this.#idle.shift())
  }

  /** Destroys the connections in use, and closes the others. */
  readonly end: Effect.Effect<void> = Effect.suspend(() => {
    this.#isEnded = true
    this.#leaveCluster()
    this.#idle.length = 0
    for (const waiter of this.#waiting) waiter.resume(Effect.fail(ended))
    this.#waiting.clear()
    for (const connection of this.#lent) connection.destroy(new Error("The pool is closing"))
    const scopes = [...this.#open.values()]
    return Effect.forEach(scopes, (scope) => Scope.close(scope, Exit.void), { concurrency: "unbounded", discard: true })
  })

  /**
   * Takes an idle connection at once, opens one or waits for one. `restore` makes only the waits interruptible. An
   * interrupted wait gives back its reserved place or connection.
   */
  #acquire(restore: Restore): Effect.Effect<ServerConnection, SqlError> {
    if (this.#isEnded) return Effect.fail(ended)
    const connection = this.#takeIdle()
    if (connection !== undefined) return Effect.succeed(connection)
    if (this.#size < this.#config.maxConnections) {
      this.#size++
      return this.#openOne(restore)
    }
    return Effect.flatMap(
      this.#wait(restore),
      (offer) => offer === "open" ? this.#openOne(restore) : Effect.succeed(offer)
    )
  }

  #takeIdle(): ServerConnection | undefined {
    for (let connection = this.#idle.pop(); connection !== undefined; connection = this.#idle.pop()) {
      if (!connection.isSpent) {
        this.#lent.add(connection)
        return connection
      }
      this.#close(connection)
    }
    return undefined
  }

  #takeBack(connection: ServerConnection): void {
    this.#lent.delete(connection)
    if (connection.isSpent) return this.#close(connection)
    const waiter = this.#nextWaiter()
    if (waiter === undefined) this.#idle.push(connection)
    else this.#offer(waiter, connection)
  }

  #nextWaiter(): Waiter | undefined {
    const [waiter] = this.#waiting
    if (waiter !== undefined) this.#waiting.delete(waiter)
    return waiter
  }

  #offer(waiter: Waiter, offer: ServerConnection | "open"): void {
    if (offer !== "open") this.#lent.add(offer)
    waiter.offer = offer
    waiter.resume(Effect.succeed(offer))
  }

  /** Lets the next waiter open a connection, after one was closed. */
  #vacate(): void {
    const waiter = this.#nextWaiter()
    if (waiter === undefined || this.#isEnded) this.#size--
    else this.#offer(waiter, "open")
  }

  #close(connection: ServerConnection | undefined): void {
    const scope = connection === undefined ? undefined : this.#open.get(connection)
    if (connection === undefined || scope === undefined) return
    this.#open.delete(connection)
    connection.isSpent = true
    Effect.runFork(Scope.close(scope, Exit.void))
    this.#vacate()
  }

  #openOne(restore: Restore): Effect.Effect<ServerConnection, SqlError> {
    const scope = Scope.makeUnsafe()
    return Effect.onExitPrimitive(restore(Scope.provide(this.#hosts.open, scope)), (exit) => {
      if (Exit.isSuccess(exit) && this.#isEnded) return Effect.andThen(Scope.close(scope, exit), Effect.fail(ended))
      if (Exit.isSuccess(exit)) {
        const connection = exit.value
        this.#open.set(connection, scope)
        this.#lent.add(connection)
        connection.onClose(() => this.#forget(connection))
        if (isPrimaryRequired(this.#config.sessionAttrs)) connection.onReadOnly(this.replaceEverywhere)
        return undefined
      }
      this.#vacate()
      return Scope.close(scope, exit)
    })
  }

  /** Removes an idle connection whose socket was closed. A connection in use is removed when it is returned. */
  #forget(connection: ServerConnection): void {
    const index = this.#idle.indexOf(connection)
    if (index < 0) return
    this.#idle.splice(index, 1)
    this.#close(connection)
  }

  /** Waits for a connection, or for the permission to open one. */
  #wait(restore: Restore): Effect.Effect<ServerConnection | "open", SqlError> {
    const { poolTimeout } = this.#config
    let waiter: Waiter | undefined
    const offered = Effect.callback<ServerConnection | "open", SqlError>((resume) => {
      const timer = setTimeout(() => {
        if (!this.#waiting.delete(entry)) return
        this.#timeouts++
        resume(Effect.fail(allInUse(this.#config)))
      }, Duration.toMillis(poolTimeout))
      const entry: Waiter = {
        offer: undefined,
        resume: (offer) => {
          clearTimeout(timer)
          resume(offer)
        }
      }
      waiter = entry
      this.#waiting.add(entry)
      return Effect.sync(() => {
        clearTimeout(timer)
        this.#waiting.delete(entry)
      })
    })
    return Effect.onExitPrimitive(restore(offered), (exit) => {
      const offer = waiter?.offer
      if (Exit.isFailure(exit) && offer !== undefined) {
        if (offer === "open") this.#vacate()
        else this.#takeBack(offer)
      }
      return undefined
    })
  }
}

/** Makes a pool. Closing the scope ends all its connections. */
export const makeConnectionPool = Effect.fnUntraced(function*(
  config: ConnectionPoolConfig
): Effect.fn.Return<ConnectionPool, never, Scope.Scope> {
  const pool = new ConnectionPool(config)
  yield* registerPoolMetrics(config, () => pool.currentUse)
  yield* Effect.forkScoped(Effect.forever(Effect.delay(pool.searchIfSilent, silenceTimeout)))
  yield* Effect.acquireRelease(
    Effect.sync(() => setInterval(() => pool.closeIdle(), idleTimeout / 2).unref()),
    (timer) =>
      Effect.gen(function*() {
        clearInterval(timer)
        // A finalizer cannot be interrupted, so another fiber limits this wait.
        const ending = yield* Effect.forkDetach(pool.end)
        yield* Fiber.await(yield* Effect.forkDetach(Effect.timeoutOption(Fiber.await(ending), closeTimeout)))
      })
  )
  return pool
})
