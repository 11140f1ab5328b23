import { IncomingMessage, Server, type ServerOptions, ServerResponse } from "node:http"
import { type Socket } from "node:net"

/** Calls `serve` once a request is admitted, or answers it. */
export type Admit = (request: IncomingMessage, response: ServerResponse, serve: () => void) => void

/**
 * An HTTP server whose `close` waits only for active requests. Node's own server also waits for idle connections until the client
 * closes them. Emits a request only once it is admitted.
 */
export class GracefulServer extends Server {
  /** The number of active requests per connection. */
  readonly #activeRequests = new Map<Socket, number>()

  readonly #admit: Admit

  constructor(options: ServerOptions, admit: Admit = (_request, _response, serve) => serve()) {
    super(options)
    this.#admit = admit
    this.on("connection", (socket: Socket) => {
      this.#activeRequests.set(socket, 0)
      socket.once("close", () => this.#activeRequests.delete(socket))
    })
  }

  override emit(event: string | symbol, ...values: Array<unknown>): boolean {
    const [request, response] = values
    const isRequest = event === "request" || event === "checkContinue"
    if (!isRequest || !(request instanceof IncomingMessage) || !(response instanceof ServerResponse)) {
      return Reflect.apply(super.emit, this, [event, ...values])
    }
    this.#trackRequest(request, response)
    this.#admit(request, response, () => Reflect.apply(super.emit, this, [event, request, response]))
    return true
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
