import { connect, createServer, type Server, type Socket } from "node:net"
import { type AddressInfo } from "node:net"

/** The type of the frontend message that asks for the response to a statement. */
const sync = 0x53

const endsWithSync = (sent: Buffer): boolean =>
  sent.length >= 5 && sent[sent.length - 5] === sync && sent.readInt32BE(sent.length - 4) === 4

/** A proxy in front of PostgreSQL that counts round trips: each time, a client waits for the response to what it has sent. */
export class TripCounter {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #trips = 0

  private constructor(server: Server) {
    this.#server = server
  }

  /** Starts a proxy in front of the database at a URL. */
  static async start(database: string): Promise<TripCounter> {
    const { hostname, port } = new URL(database)
    const server = createServer({ noDelay: true })
    const counter = new TripCounter(server)
    server.on("connection", (client) => {
      const upstream = connect({ host: hostname, port: Number(port), noDelay: true })
      let isWaiting = false
      for (const socket of [client, upstream]) {
        counter.#sockets.add(socket)
        socket.on("error", () => undefined)
        socket.on("close", () => {
          client.destroy()
          upstream.destroy()
        })
      }
      client.on("data", (sent: Buffer) => {
        if (!isWaiting && endsWithSync(sent)) counter.#trips += 1
        isWaiting = true
        upstream.write(sent)
      })
      upstream.on("data", (received: Buffer) => {
        isWaiting = false
        client.write(received)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    return counter
  }

  /** Returns the URL of the database through this proxy. */
  urlOf(database: string): string {
    const url = new URL(database)
    url.hostname = "127.0.0.1"
    url.port = String((this.#server.address() as AddressInfo).port)
    return url.href
  }

  /** Returns the number of round trips since the last call. */
  take(): number {
    const trips = this.#trips
    this.#trips = 0
    return trips
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }
}
