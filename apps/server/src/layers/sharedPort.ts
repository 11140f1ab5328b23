import { Effect } from "effect"
import { ServeError } from "effect/http/HttpServerError"
import { createServer, type ListenOptions, type Server } from "node:net"

/** The address and the queue of a listening socket. */
export type Address = Required<Pick<ListenOptions, "host" | "port" | "backlog">>

/**
 * Number of sockets that listen on the port of a server. In each iteration of the event loop, libuv accepts one
 * connection of each listening socket. An iteration takes several milliseconds on a busy server. With a single socket, a
 * burst of new connections would therefore wait for seconds before the server knows about them, and a health check with
 * a new connection would wait behind them.
 */
const listeningSockets = 32

/** True if several sockets can listen on one port, and the kernel distributes new connections among them. */
const canShare = process.platform === "linux"

/** The options of the first socket that listens on an address, so that further sockets can share its port. */
export const shared = (address: Address): ListenOptions => ({ ...address, reusePort: canShare })

/**
 * Opens further sockets on the port of a server that listens with the options of {@link shared}. The server gets their
 * connections. Returns the servers of these sockets.
 */
export const shareConnections = (server: Server, address: Address): ReadonlyArray<Server> =>
  Array.from({ length: canShare ? listeningSockets - 1 : 0 }, () =>
    // The options of Node's HTTP server for its sockets.
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit("connection", socket))
      // The first socket is enough to serve all connections.
      .on("error", () => {})
      .listen(shared(address)))

/**
 * Fails like the server if another process listens on the port. A socket that can share its port does not notice this if
 * the other one can share its port, too.
 */
export const requireFreePort = (address: Address): Effect.Effect<void, ServeError> =>
  Effect.callback((resume) => {
    const server = createServer()
      .once("error", (cause) => resume(Effect.fail(new ServeError({ cause }))))
      .listen(address, () => server.close(() => resume(Effect.void)))
  })
