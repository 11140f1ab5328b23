import { refusePipelining } from "@lastro/adapters-http"
import { Predicate } from "effect"
import { IncomingMessage, Server, type ServerOptions, ServerResponse } from "node:http"
import { type AddressInfo, Server as NetServer, type Socket } from "node:net"
import { type Listener, shareConnections } from "./sharedPort.ts"

/**
 * Maximum number of requests of one connection that wait for their responses. Only a client that pipelines (RFC 9112
 * §9.3.2) has more than one. Node parses all requests of a packet at once, so thousands of them would keep the process
 * busy without a pause for other connections.
 */
const maxPipelined = 32

/** The result of a parser's callback that skips the rest of the data, as after the head of an upgrade. */
const skipRest = 2

/**
 * Stops the parser of a connection. A packet may have thousands of requests, and each that is parsed takes processor
 * time even if it is ignored. Node.js has no public function for this. If its private one changes, the requests are
 * parsed and ignored.
 */
const stopParsing = (socket: Socket): void => {
  // Read no further packets.
  socket.pause()
  const parser = Predicate.hasProperty(socket, "parser") ? socket.parser : undefined
  if (Predicate.hasProperty(parser, "onIncoming")) Reflect.set(Object(parser), "onIncoming", () => skipRest)
}

/** Admits a request by calling `serve`, now or later, or sends the response itself. */
export type Admit = (request: IncomingMessage, response: ServerResponse, serve: () => void) => void

/** Options of a server in addition to those of Node.js. */
export interface GracefulOptions extends ServerOptions {
  /**
   * Returns the milliseconds for which `close` leaves idle connections open. A request that arrives in this time is
   * answered, and its response closes the connection. Without this time, a request that is already on its way would be
   * lost.
   */
  readonly linger: () => number
  /** Returns the options of the further listening sockets. Default: none. */
  readonly others?: Listener["others"]
}

/**
 * An HTTP server whose `close` waits for active requests, and keeps idle connections open for `linger`. Node's own
 * server closes idle connections at once. The listeners of a request are called only when {@link Admit} has admitted
 * the request.
 *
 * A connection with too many pipelined requests gets 429 after the responses in progress, and is then closed. Its
 * further requests are ignored.
 */
export class GracefulServer extends Server {
  /**
   * The responses in progress of each connection, oldest first. They are arrays, because V8 may keep an element that
   * was removed from a `Set` until the next major garbage collection.
   */
  readonly #active = new Map<Socket, Array<ServerResponse>>()
  /** The responses that close their connections because the server is stopping. */
  readonly #last = new WeakSet<ServerResponse>()

  /** The connections that are closed because of too many pipelined requests. */
  readonly #refused = new WeakSet<Socket>()

  readonly #admit: Admit
  readonly #linger: () => number
  /** The servers of the further listening sockets. */
  #others: ReadonlyArray<NetServer> = []
  #isEnding = false
  #closesIdle = false

  constructor(
    { linger, others = () => [], ...options }: GracefulOptions,
    admit: Admit = (_request, _response, serve) => serve()
  ) {
    super(options)
    this.#admit = admit
    this.#linger = linger
    this.once("listening", () => {
      this.#others = shareConnections(this, others(this.address() as AddressInfo))
    })
    this.on("connection", (socket: Socket) => {
      this.#active.set(socket, [])
      socket.once("close", () => this.#active.delete(socket))
    })
  }

  override emit(event: string | symbol, ...values: Array<unknown>): boolean {
    const [request, response] = values
    const isRequest = event === "request" || event === "checkContinue"
    if (!isRequest || !(request instanceof IncomingMessage) || !(response instanceof ServerResponse)) {
      return Reflect.apply(super.emit, this, [event, ...values])
    }
    if (this.#refused.has(request.socket)) return true
    const isExcessive = (this.#active.get(request.socket)?.length ?? 0) >= maxPipelined
    this.#track(request, response)
    if (isExcessive) {
      this.#refused.add(request.socket)
      stopParsing(request.socket)
      refusePipelining(request, response)
      return true
    }
    this.#admit(request, response, () => Reflect.apply(super.emit, this, [event, request, response]))
    return true
  }

  /** Sends `Connection: close` with all further responses, including those in progress (RFC 9112 §9.6). */
  endConnections(): void {
    this.#isEnding = true
    this.#active.forEach(this.#markLast)
  }

  /** Stops accepting connections, and closes the existing ones when their responses are sent. */
  override close(callback?: (error?: Error) => void): this {
    this.endConnections()
    // Do not call the method of the HTTP server: it would also close idle connections, and end the timeouts for slow
    // requests.
    const closing = [this, ...this.#others].map((server) =>
      new Promise<Error | undefined>((resolve) => NetServer.prototype.close.call(server, resolve))
    )
    // A further socket that could not listen fails to close, which does not matter.
    void Promise.all(closing).then(([error]) => callback?.(error))
    const closeIdle = () => {
      this.#closesIdle = true
      this.#active.forEach(this.#closeIfIdle)
    }
    const linger = this.#linger()
    if (linger === 0) closeIdle()
    else setTimeout(closeIdle, linger).unref()
    return this
  }

  readonly #track = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    const responses = this.#active.get(socket)
    if (responses === undefined) return
    responses.push(response)
    if (this.#isEnding) this.#markLast(responses)
    response.once("close", () => {
      const place = responses.indexOf(response)
      if (place >= 0) responses.splice(place, 1)
      if (this.#closesIdle) this.#closeIfIdle(responses, socket)
    })
  }

  /**
   * Makes the newest response of a connection close it. An earlier response must not close it, because the client has
   * already sent further requests.
   */
  readonly #markLast = (responses: ReadonlyArray<ServerResponse>): void => {
    const newest = responses.at(-1)
    for (const response of responses) {
      if (response === newest) {
        if (response.shouldKeepAlive) this.#last.add(response)
        response.shouldKeepAlive = false
      } else if (this.#last.delete(response)) response.shouldKeepAlive = true
    }
  }

  readonly #closeIfIdle = (responses: ReadonlyArray<ServerResponse>, socket: Socket): void => {
    if (responses.length > 0) return
    // Forget the connection first, so that destroySoon is called only once: each call adds a listener to a socket that
    // is still sending.
    this.#active.delete(socket)
    socket.destroySoon()
  }
}
