import { Effect, type Scope } from "effect"
import { connect, createServer, type Server, type Socket } from "node:net"

/** A TCP proxy in front of a database, for tests of a network that fails. */
export interface Proxy {
  /** The URL of the database through the proxy. */
  readonly url: string
  /** The number of open connections. */
  readonly connections: () => number
  /**
   * Discards everything that is sent on all connections, or on the open ones only. Nothing is closed, and new connections
   * are accepted.
   */
  readonly swallow: (which?: "all" | "open") => void
  /** Sends bytes that are not part of the protocol on each connection that waits for a response. */
  readonly garble: () => void
  /** Closes all connections. */
  readonly cut: () => void
  /** Delays everything by this time, in milliseconds. */
  readonly delay: (milliseconds: number) => void
  /** Forwards new data again. Discarded data stays lost. */
  readonly heal: () => void
}

interface Link {
  readonly sockets: readonly [Socket, Socket]
  isSilent: boolean
  /** True if the client has sent something that the server has not responded to. */
  isWaiting: boolean
}

/** Starts a proxy in front of the database at `url`, and closes it with the scope. */
export const startProxy = (url: string): Effect.Effect<Proxy, never, Scope.Scope> =>
  Effect.gen(function*() {
    const { hostname, port } = new URL(url)
    const links = new Set<Link>()
    let isSilent = false
    let delay = 0

    const forward = (link: Link, from: Socket, to: Socket): void => {
      from.on("data", (data: Buffer) => {
        if (isSilent || link.isSilent) return
        link.isWaiting = from === link.sockets[0]
        if (delay === 0) to.write(data)
        else setTimeout(() => to.destroyed || to.write(data), delay)
      })
      from.on("error", () => undefined)
      // A silent network also loses the end of a connection.
      from.on("close", () => {
        if (isSilent || link.isSilent) return
        links.delete(link)
        to.destroy()
      })
    }
    const accept = (client: Socket): void => {
      const server = connect(Number(port), hostname)
      const link: Link = { sockets: [client, server], isSilent: false, isWaiting: false }
      links.add(link)
      forward(link, client, server)
      forward(link, server, client)
    }
    const close = (): void => {
      for (const { sockets } of links) sockets.forEach((socket) => socket.destroy())
      links.clear()
    }
    const listener = yield* Effect.acquireRelease(
      Effect.promise(() =>
        new Promise<Server>((resolve) => {
          const server = createServer({ allowHalfOpen: true }, accept)
          server.listen(0, "127.0.0.1", () => resolve(server))
        })
      ),
      (server) =>
        Effect.sync(() => {
          close()
          server.close()
        })
    )
    const through = new URL(url)
    const address = listener.address()
    through.hostname = "127.0.0.1"
    through.port = String(typeof address === "object" ? address?.port : address)
    return {
      url: through.href,
      connections: () => links.size,
      swallow: (which = "all") => {
        isSilent = which === "all"
        for (const link of links) link.isSilent = true
      },
      garble: () => {
        for (const { isWaiting, sockets: [client] } of links) if (isWaiting) client.write("this is not PostgreSQL")
      },
      cut: close,
      delay: (milliseconds) => {
        delay = milliseconds
      },
      heal: () => {
        isSilent = false
        delay = 0
        for (const link of links) link.isSilent = false
      }
    }
  })
