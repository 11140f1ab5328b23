import { PgConnection } from "@effect/sql-pg"
import { Duration, Effect, Redacted, type Scope } from "effect"
import { type SqlError } from "effect/sql/SqlError"
import { connect, type Socket } from "node:net"
import { serverAddress, targetOfUrl } from "../connection/ConnectionTarget.ts"
import { describeFailure, describeSqlError, toSqlError } from "../connection/describeFailure.ts"
import { readTlsOptions, tlsOfUrl } from "../connection/TlsSettings.ts"

/** Settings of a connection. `url` must be valid. */
export interface ConnectionConfig
  extends Omit<PgConnection.Config, "stream" | "url" | "ssl" | "keepAlive" | "multiplex">
{
  readonly url: Redacted.Redacted
  /** Maximum wait for a response to a statement. It is longer than the server's `statement_timeout`. */
  readonly responseTimeout: Duration.Duration
  /** The `search_path` of the connection, which {@link setSearchPath} sets. Default: that of the database or the role. */
  readonly searchPath?: string | undefined
}

/** The server did not respond in time. The socket is destroyed, because a later response could belong to any statement. */
export class SilentConnection extends Error {
  override readonly name = "SilentConnection"
  constructor(milliseconds: number) {
    super(`The database did not respond within ${milliseconds} ms`)
  }
}

/** Idle time before TCP keep-alive probes start, in milliseconds. Ten lost probes, one each second, end the connection. */
const keepAliveDelay = 10_000

/** Maximum time in milliseconds to send the Terminate message. After that, the socket is destroyed. */
const closeTimeout = 1_000

/** One connection to the server, and the socket below it. */
export class ServerConnection {
  readonly pg: PgConnection.PgConnection
  readonly #socket: Socket
  /** True if the connection must not be used for another transaction. */
  isSpent = false
  /** The time of the last response, in monotonic milliseconds. */
  lastResponse = performance.now()
  /**
   * The id of the server process of this connection. A connection pooler announces a different id when the connection
   * starts.
   */
  processId: number

  constructor(connection: PgConnection.PgConnection, socket: Socket) {
    this.pg = connection
    this.processId = connection.processId
    this.#socket = socket
    socket.once("close", () => {
      this.isSpent = true
    })
  }

  /** True if the socket can send nothing more. */
  get isClosed(): boolean {
    return this.#socket.destroyed
  }

  /** Destroys the socket, which fails the current statement. */
  destroy(error: Error): void {
    this.isSpent = true
    this.#socket.destroy(error)
  }

  /** Calls a function when the socket is closed. */
  onClose(listener: () => void): void {
    this.#socket.once("close", listener)
  }
}

/** Runs a query of a new connection within a time limit. */
export const queryNew = (
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

/**
 * Sets the `search_path` of a connection. This is a statement and not a parameter of the startup message, because a
 * connection pooler ignores or refuses such parameters. If it ignored this one, the statements would reach the tables
 * of another schema.
 */
export const setSearchPath = (server: ServerConnection, { responseTimeout, searchPath }: ConnectionConfig) =>
  searchPath === undefined
    ? Effect.void
    : queryNew(server, "select set_config('search_path', $1, false)", [searchPath], responseTimeout)

/**
 * Opens a connection. Closing the scope terminates the connection, and destroys the socket if that takes too long. Fails with
 * an `SqlError` whose cause is a `ConnectionFailed`.
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
    // The first socket carries the statements. The others carry cancel requests.
    const sockets: Array<Socket> = []
    const stream = (): Socket => {
      const socket = connect({
        ...address,
        noDelay: true,
        keepAlive: true,
        keepAliveInitialDelay: keepAliveDelay
      })
      // With TLS, this is the only listener for errors of the underlying socket. Without a listener, an error would
      // crash the process.
      socket.on("error", () => undefined)
      sockets.push(socket)
      return socket
    }
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        setTimeout(() => sockets[0]?.destroy(), closeTimeout).unref()
      })
    )
    // Multiplexing lets a statement be sent before the response to the one before it has arrived.
    const connection = yield* Effect.mapError(
      PgConnection.make({ ...config, url, ssl, stream, multiplex: true }),
      describeSqlError(target)
    )
    const [socket] = sockets
    if (socket === undefined) return yield* Effect.die("PgConnection did not open the stream")
    return new ServerConnection(connection, socket)
  })
