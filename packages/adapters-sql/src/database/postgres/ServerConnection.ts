import { PgConnection } from "@effect/sql-pg"
import { Duration, Effect, Redacted, type Scope } from "effect"
import { type SqlError } from "effect/sql/SqlError"
import { connect, type Socket } from "node:net"
import { serverAddress, targetOfUrl } from "../connection/ConnectionTarget.ts"
import { describeFailure, describeSqlError, toSqlError } from "../connection/describeFailure.ts"
import { readTlsOptions, tlsOfUrl } from "../connection/TlsSettings.ts"
import { type PrimaryIdentity } from "./SessionRole.ts"

/** Settings of a connection. `url` must be valid, and have one host. */
export interface ConnectionConfig
  extends Omit<PgConnection.Config, "stream" | "url" | "ssl" | "keepAlive" | "multiplex">
{
  readonly url: Redacted.Redacted
  /** Maximum wait for a response to a statement. It is longer than the server's `statement_timeout`. */
  readonly responseTimeout: Duration.Duration
  /**
   * The `search_path` of the connection, which {@link prepareSession} sets. Default: that of the database or the role.
   */
  readonly searchPath?: string | undefined
}

/**
 * The server did not respond in time. The socket is destroyed, because a late response could be taken for that of
 * another statement.
 */
export class SilentConnection extends Error {
  override readonly name = "SilentConnection"
  constructor(milliseconds: number) {
    super(`The database did not respond within ${milliseconds} ms`)
  }
}

/**
 * The outcome of a commit is unknown: the connection was lost during the commit, or the standby has not confirmed it.
 * Read the data again, or repeat the request with the same idempotency key.
 */
export class CommitOutcomeUnknown extends Error {
  override readonly name = "CommitOutcomeUnknown"
}

/** A message of the server, such as a notice or a changed parameter. The driver ignores these. */
interface ServerMessage {
  readonly _tag: string
  readonly name?: string
  readonly value?: string
  readonly fields?: { readonly routine?: string | undefined }
}

/** Calls a function with each message of a connection. The driver has no public API for this. */
const observeMessages = (connection: PgConnection.PgConnection, listener: (message: ServerMessage) => void): void => {
  const dispatch: unknown = Reflect.get(connection, "dispatch")
  if (typeof dispatch !== "function") return
  Reflect.set(connection, "dispatch", (message: ServerMessage) => {
    listener(message)
    Reflect.apply(dispatch, connection, [message])
  })
}

/**
 * Idle time before TCP keep-alive probes start, in milliseconds. Probes follow every second; ten lost ones end the
 * connection.
 */
const keepAliveDelay = 10_000

/** Maximum time in milliseconds to send the Terminate message. After that, the socket is destroyed. */
const closeTimeout = 1_000

/** A connection to the server, with its socket. */
export class ServerConnection {
  readonly pg: PgConnection.PgConnection
  readonly #socket: Socket
  /** True if the connection must not be lent again. */
  isSpent = false
  /** The time of the last response, in monotonic milliseconds. */
  lastResponse = performance.now()
  /** The primary of this session. Undefined if it is unknown or does not matter. */
  primary: PrimaryIdentity | undefined
  /** Number of statements that wait for a response. */
  #waiting = 0
  /** The time since which statements have waited without any response, in monotonic milliseconds. */
  #waitingSince = 0
  /**
   * The process id of this connection on the server. A connection pooler reports another id at the start of the
   * connection.
   */
  processId: number
  /** True if a commit was stored on the primary only, because its wait for the synchronous standby was canceled. */
  #isCommitLocal = false
  #readOnlyListener: (() => void) | undefined
  #lostListener: (() => void) | undefined

  constructor(connection: PgConnection.PgConnection, socket: Socket) {
    this.pg = connection
    this.processId = connection.processId
    this.#socket = socket
    socket.once("close", () => {
      this.isSpent = true
    })
    observeMessages(connection, (message) => this.#observe(message))
  }

  #observe({ _tag, fields, name, value }: ServerMessage): void {
    if (_tag === "NoticeResponse" && fields?.routine === "SyncRepWaitForLSN") this.#isCommitLocal = true
    if (_tag !== "ParameterStatus" || value !== "on") return
    if (name === "default_transaction_read_only" || name === "in_hot_standby") this.#readOnlyListener?.()
  }

  /** Calls a function when the server reports that the session has become read-only. */
  onReadOnly(listener: () => void): void {
    this.#readOnlyListener = listener
  }

  /** Calls a function when the session turns out to have lost its prepared statements. */
  onLost(listener: () => void): void {
    this.#lostListener = listener
  }

  /** Records that the session has lost its prepared statements, for example to a pooler. It must not be lent again. */
  markLost(): void {
    this.isSpent = true
    this.#lostListener?.()
  }

  /** Returns whether the last commit was stored on the primary only. Resets this state. */
  takeLocalCommit(): boolean {
    const isLocal = this.#isCommitLocal
    this.#isCommitLocal = false
    return isLocal
  }

  /** True if the socket can no longer send data. */
  get isClosed(): boolean {
    return this.#socket.destroyed
  }

  /** Records that a statement was sent. `at` is in monotonic milliseconds. */
  statementSent(at: number): void {
    if (this.#waiting++ === 0) this.#waitingSince = at
  }

  /** Records that a statement has ended. */
  statementEnded(): void {
    this.#waiting--
    if (this.isClosed) return
    this.lastResponse = performance.now()
    this.#waitingSince = this.lastResponse
  }

  /** Returns whether statements have waited without any response since this time, in monotonic milliseconds. */
  isSilentSince(time: number): boolean {
    return this.#waiting > 0 && this.#waitingSince <= time
  }

  /** Destroys the socket. The current statement fails. */
  destroy(error: Error): void {
    this.isSpent = true
    this.#socket.destroy(error)
  }

  /** Calls a function when the socket is closed. */
  onClose(listener: () => void): void {
    this.#socket.once("close", listener)
  }
}

/** Runs a query on a connection that was just opened. After the timeout, destroys the connection. */
export const queryFirst = (
  server: ServerConnection,
  text: string,
  parameters: ReadonlyArray<unknown>,
  timeout: Duration.Duration
) =>
  Effect.suspend(() => {
    const milliseconds = Duration.toMillis(timeout)
    const timer = setTimeout(() => server.destroy(new SilentConnection(milliseconds)), milliseconds)
    return Effect.onExitPrimitive(server.pg.query(text, parameters, false), () => {
      clearTimeout(timer)
      return undefined
    })
  })

const setIsolation = "set_config('default_transaction_isolation', 'read committed', false)"

/**
 * Sets the isolation level and the `search_path` of a connection with a statement. A connection pooler may ignore a
 * parameter of the startup message.
 *
 * The role or the database may have another default isolation level. A transaction with an older snapshot would not see
 * what others committed while it waited for a lock, and could break the tree.
 */
export const prepareSession = (server: ServerConnection, { responseTimeout, searchPath }: ConnectionConfig) =>
  searchPath === undefined
    ? queryFirst(server, `select ${setIsolation}`, [], responseTimeout)
    : queryFirst(
      server,
      `select ${setIsolation}, set_config('search_path', $1, false)`,
      [searchPath],
      responseTimeout
    )

/**
 * Opens a connection. Closing the scope ends it, and destroys the socket if that takes too long. Fails with an
 * `SqlError` whose cause is a `ConnectionFailed`.
 */
export const openConnection = (
  { responseTimeout: _, searchPath: __, url, ...config }: ConnectionConfig
): Effect.Effect<ServerConnection, SqlError, Scope.Scope> =>
  Effect.gen(function*() {
    const text = Redacted.value(url)
    const address = serverAddress(text)
    const target = targetOfUrl(text)
    // As in libpq, a Unix socket is not encrypted.
    const ssl = "path" in address
      ? false
      : yield* Effect.mapError(
        readTlsOptions(tlsOfUrl(text)),
        (error) => toSqlError(describeFailure(error, "", target))
      )
    // The first socket is that of the statements. The others are those of cancel requests.
    const sockets: Array<Socket> = []
    const stream = (): Socket => {
      const socket = connect({
        ...address,
        noDelay: true,
        keepAlive: true,
        keepAliveInitialDelay: keepAliveDelay
      })
      // With TLS, this is the only error listener of the underlying socket. Without it, an error would crash the
      // process.
      socket.on("error", () => undefined)
      sockets.push(socket)
      return socket
    }
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        setTimeout(() => sockets[0]?.destroy(), closeTimeout).unref()
      })
    )
    // With multiplexing, a statement can be sent before the response to the previous one has arrived.
    const connection = yield* Effect.mapError(
      PgConnection.make({ ...config, url, ssl, stream, multiplex: true }),
      describeSqlError(target)
    )
    const [socket] = sockets
    if (socket === undefined) return yield* Effect.die("PgConnection did not open the stream")
    return new ServerConnection(connection, socket)
  })
