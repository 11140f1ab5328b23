import { type IncomingMessage, Server, type ServerOptions, type ServerResponse } from "node:http"
import { type Socket } from "node:net"

/**
 * An HTTP server whose `close` waits only for active requests. Node's own server also waits for idle connections until the client
 * closes them.
 */
export class GracefulServer extends Server {
  /** The number of active requests per connection. */
  readonly #activeRequests = new Map<Socket, number>()

  constructor(options: ServerOptions) {
    super(options)
    this.on("connection", (socket: Socket) => {
      this.#activeRequests.set(socket, 0)
      socket.once("close", () => this.#activeRequests.delete(socket))
    })
    for (const event of ["request", "checkContinue"] as const) this.on(event, this.#trackRequest)
  }

  readonly #trackRequest = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    this.#addActive(socket, 1)
    response.once("close", () => {
      this.#addActive(socket, -1)
      if (!this.listening) this.#closeIdle()
    })
  }

  override close(callback?: (error?: Error) => void): this {
    super.close(callback)
    this.#closeIdle()
    return this
  }

  #addActive(socket: Socket, change: 1 | -1): void {
    const requests = this.#activeRequests.get(socket)
    if (requests !== undefined) this.#activeRequests.set(socket, requests + change)
  }

  #closeIdle(): void {
    for (const [socket, requests] of this.#activeRequests) {
      if (requests > 0) continue
      // Call destroySoon once only: each call adds a listener to a socket that is still sending.
      this.#activeRequests.delete(socket)
      socket.destroySoon()
    }
  }
}
