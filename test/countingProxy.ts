import { Effect, type Scope } from "effect"
import { connect, createServer, type Socket } from "node:net"
import { type OpenWaits, type Sent, WireCounter } from "./WireCounter.ts"

/**
 * Delay of each answer in milliseconds. A program that sends its next message earlier has not waited for the answer.
 */
const delay = 3

/** A proxy in front of PostgreSQL that counts round trips. */
export interface CountingProxy {
  /** The URL of the database through the proxy. */
  readonly url: string
  /** Returns the traffic so far of the connections for whose `application_name` the function returns true. */
  readonly count: (isCounted: (application: string) => boolean) => Sent
}

/** Opens a proxy to the database at `url`. Closing the scope ends all connections. */
export const countingProxy = (url: string): Effect.Effect<CountingProxy, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const target = new URL(url)
        const counters: Array<WireCounter> = []
        const waits: OpenWaits = { count: 0 }
        const sockets = new Set<Socket>()
        const server = createServer((client) => {
          const upstream = connect({ host: target.hostname, port: Number(target.port), noDelay: true })
          const counter = new WireCounter(waits)
          counters.push(counter)
          client.setNoDelay(true)
          for (const [socket, other] of [[client, upstream], [upstream, client]] as const) {
            sockets.add(socket)
            socket.on("error", () => other.destroy())
            socket.on("close", () => {
              sockets.delete(socket)
              setTimeout(() => other.destroy(), 2 * delay)
            })
          }
          client.on("close", () => counter.closed())
          client.on("data", (bytes) => {
            counter.sent(bytes)
            upstream.write(bytes)
          })
          upstream.on("data", (bytes) => {
            setTimeout(() => {
              counter.received(bytes)
              client.write(bytes)
            }, delay)
          })
        })
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
        return { counters, server, sockets, target }
      }),
      ({ server, sockets }) =>
        Effect.promise(() => {
          for (const socket of sockets) socket.destroy()
          return new Promise((resolve) => server.close(resolve))
        })
    ),
    ({ counters, server, target }) => {
      const address = server.address()
      const proxied = new URL(target)
      proxied.host = `127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`
      return {
        url: proxied.href,
        count: (isCounted) => {
          const all = counters.filter(({ name }) => isCounted(name)).map(({ count }) => count)
          return {
            trips: all.reduce((sum, { trips }) => sum + trips, 0),
            statements: all.reduce((sum, { statements }) => sum + statements, 0)
          }
        }
      }
    }
  )
