import { Effect, Predicate, type Scope } from "effect"
import { ServeError } from "effect/http/HttpServerError"
import { lookup } from "node:dns/promises"
import net, { type AddressInfo, createServer, type ListenOptions, type Server } from "node:net"
import { getSystemErrorName } from "node:util"

/** The address and the queue of a listening socket. */
export interface Address {
  readonly host: string
  readonly port: number
  readonly backlog: number
}

/**
 * Number of sockets that listen on the port of a server. In each turn of the event loop, libuv accepts one connection
 * per listening socket. A turn takes several milliseconds on a busy server. With one socket, a burst of new connections
 * would wait for seconds, and so would a health check on a new connection.
 */
const listeningSockets = 32

/** True if several sockets can listen on one port, and the kernel distributes new connections among them. */
const canShare = process.platform === "linux"

/** The options of the first socket on an address. Further sockets can share its port. */
const shared = (address: Address): ListenOptions => ({ ...address, reusePort: canShare })

/**
 * The options of a listening socket. `fd` is the file descriptor of an existing socket, which the types of Node.js
 * lack.
 */
export type SocketOptions = ListenOptions & { readonly fd?: number }

/** The options of the listening sockets of a server. */
export interface Listener {
  readonly first: SocketOptions
  /** Returns the options of the further sockets. `bound` is the address of the first one. */
  readonly others: (bound: AddressInfo) => ReadonlyArray<SocketOptions>
}

/** Returns the listener of a server that is alone on its port. */
export const ownListener = (address: Address): Listener => ({
  first: shared(address),
  others: (bound) =>
    Array.from(
      { length: canShare ? listeningSockets - 1 : 0 },
      () => shared({ host: bound.address, port: bound.port, backlog: address.backlog })
    )
})

/**
 * The first file descriptor that a worker inherits. Lower ones are the standard streams and the channel to the
 * supervisor.
 */
const firstInherited = 4

/** Returns the listener of a worker that inherits `count` listening sockets from its supervisor. */
export const inheritedListener = (count: number, backlog: number): Listener => {
  const at = (index: number): SocketOptions => ({ fd: firstInherited + index, backlog })
  return { first: at(0), others: () => Array.from({ length: count - 1 }, (_, index) => at(index + 1)) }
}

/**
 * Opens further listening sockets of a server that already listens on the first one. The server gets their connections.
 * Returns the servers of these sockets.
 */
export const shareConnections = (server: Server, options: ReadonlyArray<SocketOptions>): ReadonlyArray<Server> =>
  options.map((option) =>
    // These are the options that Node's HTTP server uses for its sockets.
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit("connection", socket))
      // Ignore a failure, because the first socket can serve all connections.
      .on("error", () => {})
      .listen(option)
  )

/**
 * Fails if another process listens on the port. Without this check, two processes that share their ports would both
 * listen on it.
 */
export const requireFreePort = (address: Address): Effect.Effect<void, ServeError> =>
  Effect.callback((resume) => {
    const server = createServer()
      .once("error", (cause) => resume(Effect.fail(new ServeError({ cause }))))
      .listen(address, () => server.close(() => resume(Effect.void)))
  })

interface BoundSocket {
  readonly fd: number
  readonly close: () => void
  readonly getsockname: (address: object) => number
}

/** The flag of libuv that lets several sockets listen on one port. */
const reusePortFlag = 2

/**
 * Binds a socket without accepting its connections. Returns an error number on failure. A public `Server` would accept
 * the connections in this process. `node:cluster` uses the same private function for its shared sockets.
 */
const bindSocket = (address: string, port: number, family: number): BoundSocket | number => {
  const bind: unknown = Reflect.get(net, "_createServerHandle")
  if (typeof bind !== "function") throw new Error("This version of Node.js cannot share a port among workers")
  return bind(address, port, family, undefined, canShare ? reusePortFlag : 0) as BoundSocket | number
}

/**
 * The sockets that the workers of a supervisor inherit. They stay open after the end of a worker, with their waiting
 * connections.
 */
export interface SharedSockets {
  readonly fds: ReadonlyArray<number>
  /** Closes the sockets in this process. The port stays open while a worker has them. */
  readonly close: () => void
}

/** Binds the sockets of an address for the workers, until the scope closes. They listen once a worker does. */
export const bindShared = (
  { host, port, backlog }: Address
): Effect.Effect<SharedSockets, ServeError, Scope.Scope> =>
  Effect.gen(function*() {
    yield* requireFreePort({ host, port, backlog })
    const { address, family } = yield* Effect.tryPromise({
      try: () => lookup(host),
      catch: (cause) => new ServeError({ cause })
    })
    const sockets: Array<BoundSocket> = []
    const close = () => sockets.splice(0).forEach((socket) => socket.close())
    yield* Effect.addFinalizer(() => Effect.sync(close))
    let bound = port
    for (let count = 0; count < (canShare ? listeningSockets : 1); count++) {
      const socket = bindSocket(address, bound, family)
      if (typeof socket === "number") {
        return yield* new ServeError({ cause: { code: getSystemErrorName(socket), port: bound } })
      }
      sockets.push(socket)
      const name = {}
      socket.getsockname(name)
      if (Predicate.hasProperty(name, "port")) bound = Number(name.port)
    }
    return { fds: sockets.map(({ fd }) => fd), close }
  })
