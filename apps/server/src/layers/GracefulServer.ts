import { IncomingMessage, Server, type ServerOptions, ServerResponse } from "node:http"
import { Server as NetServer, type Socket } from "node:net"

/** Calls `serve` once a request is admitted, or answers it. */
export type Admit = (request: IncomingMessage, response: ServerResponse, serve: () => void) => void

/** Options of a server in addition to those of Node.js. */
export interface GracefulOptions extends ServerOptions {
  /**
   * Milliseconds for which `close` leaves idle connections open. A request that arrives in this time is answered, and the response closes
   * the connection. If the server closed an idle connection at once, a request that is already on its way would be lost.
   */
  readonly linger: number
}

/**
 * An HTTP server whose `close` waits only for active requests, and for idle connections during `linger`. Node's own server closes idle
 * connections at once. Emits a request only once it is admitted.
 */
export class GracefulServer extends Server {
  /** The responses in progress of each connection, oldest first. */
  readonly #active = new Map<Socket, Set<ServerResponse>>()
  /** The responses that this server has made the last ones of their connections. */
  readonly #last = new WeakSet<ServerResponse>()

  readonly #admit: Admit
  readonly #linger: number
  #isEnding = false
  #closesIdle = false

  constructor({ linger, ...options }: GracefulOptions, admit: Admit = (_request, _response, serve) => serve()) {
    super(options)
    this.#admit = admit
    this.#linger = linger
    this.on("connection", (socket: Socket) => {
      this.#active.set(socket, new Set())
      socket.once("close", () => this.#active.delete(socket))
    })
  }

  override emit(event: string | symbol, ...values: Array<unknown>): boolean {
    const [request, response] = values
    const isRequest = event === "request" || event === "checkContinue"
    if (!isRequest || !(request instanceof IncomingMessage) || !(response instanceof ServerResponse)) {
      return Reflect.apply(super.emit, this, [event, ...values])
    }
    this.#track(request, response)
    this.#admit(request, response, () => Reflect.apply(super.emit, this, [event, request, response]))
    return true
  }

  /** Sends `Connection: close` with all responses from now on, including those in progress (RFC 9112 §9.6). */
  endConnections(): void {
    this.#isEnding = true
    this.#active.forEach(this.#markLast)
  }

  /** Refuses new connections, and ends the others. */
  override close(callback?: (error?: Error) => void): this {
    this.endConnections()
    // Not the method of the HTTP server, which also closes idle connections and ends the timeouts of slow requests.
    NetServer.prototype.close.call(this, callback)
    const closeIdle = () => {
      this.#closesIdle = true
      this.#active.forEach(this.#closeIfIdle)
    }
    if (this.#linger === 0) closeIdle()
    else setTimeout(closeIdle, this.#linger).unref()
    return this
  }

  readonly #track = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    const responses = this.#active.get(socket)
    if (responses === undefined) return
    responses.add(response)
    if (this.#isEnding) this.#markLast(responses)
    response.once("close", () => {
      responses.delete(response)
      if (this.#closesIdle) this.#closeIfIdle(responses, socket)
    })
  }

  /** Makes the newest response the last one of its connection. An older one must not close it, because the client pipelines requests. */
  readonly #markLast = (responses: ReadonlySet<ServerResponse>): void => {
    const newest = Array.from(responses).at(-1)
    for (const response of responses) {
      if (response === newest) {
        if (response.shouldKeepAlive) this.#last.add(response)
        response.shouldKeepAlive = false
      } else if (this.#last.delete(response)) response.shouldKeepAlive = true
    }
  }

  readonly #closeIfIdle = (responses: ReadonlySet<ServerResponse>, socket: Socket): void => {
    if (responses.size > 0) return
    // Call destroySoon once only: each call adds a listener to a socket that is still sending.
    this.#active.delete(socket)
    socket.destroySoon()
  }
}
