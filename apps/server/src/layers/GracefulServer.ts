import { refusePipelining } from "@lastro/adapters-http"
import { Predicate } from "effect"
import { IncomingMessage, Server, type ServerOptions, ServerResponse } from "node:http"
import { type AddressInfo, Server as NetServer, type Socket } from "node:net"
import { type Listener, shareConnections } from "./sharedPort.ts"

/**
 * Maximum number of requests on one connection without a complete response. Only a client that pipelines (RFC 9112
 * §9.3.2) has more than one.
 */
const maxPipelined = 32

/**
 * Milliseconds for which a connection is held, without being read, before it gets 429 and is closed. Otherwise, its
 * client could connect again at once, which takes more processor time than a refusal.
 */
const holdMs = 1_000

/** The result of a parser's callback that skips the rest of the data, as after the head of an upgrade. */
const skipRest = 2

/**
 * Stops the parser of a connection. A packet may contain thousands of requests, and parsing each takes processor time
 * even if it is ignored. Node.js has no public API for this. If its private one changes, the requests are parsed and
 * ignored.
 */
const stopParsing = (socket: Socket): void => {
  socket.pause()
  const parser = Predicate.hasProperty(socket, "parser") ? socket.parser : undefined
  if (Predicate.hasProperty(parser, "onIncoming")) Reflect.set(Object(parser), "onIncoming", () => skipRest)
}

/** Calls `serve` now or later if the request is admitted. Otherwise sends the response itself. */
export type Admit = (request: IncomingMessage, response: ServerResponse, serve: () => void) => void

/** A request without a complete response. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Starts the work of the request. */
  readonly start: () => void
}

/** Returns whether a request was rejected because its client has reached a rate limit. */
const isLimited = ({ response }: Exchange): boolean => response.headersSent && response.statusCode === 429

/** Options of a server in addition to those of Node.js. */
export interface GracefulOptions extends ServerOptions {
  /**
   * Returns the milliseconds for which `close` leaves idle connections open. A request that arrives in this time is
   * answered, and its response closes the connection. Otherwise, a request that is already on its way would be lost.
   */
  readonly linger: () => number
  /** Returns the options of the other listening sockets. Default: none. */
  readonly others?: Listener["others"]
}

/**
 * An HTTP server whose `close` waits for active requests, and keeps idle connections open for `linger`. Node's own
 * server closes idle connections at once. A request reaches its listeners only after {@link Admit} has admitted it.
 *
 * A pipelined request starts after the response to the previous one. Node parses all requests of a packet at once.
 * Therefore, only one pipelined request starts per turn of the event loop, and other connections are served in between.
 *
 * A connection with too many pipelined requests gets 429 a second later, after the responses in progress, and is then
 * closed. Its other requests are ignored. This also applies to a connection that pipelines further requests after a
 * response 429.
 */
export class GracefulServer extends Server {
  /**
   * The requests of each connection without a complete response, oldest first. They are in arrays, because V8 may keep
   * a removed element of a `Set` until the next major garbage collection.
   */
  readonly #active = new Map<Socket, Array<Exchange>>()
  /** The next request of each connection that pipelines. */
  readonly #waiting: Array<Exchange> = []
  /** The responses that close their connections because the server is stopping. */
  readonly #last = new WeakSet<ServerResponse>()

  /**
   * The connections that are held and then closed because of their pipelined requests, each with the request that gets
   * 429.
   */
  readonly #refused = new WeakMap<Socket, Exchange>()

  readonly #admit: Admit
  readonly #linger: () => number
  /** The servers of the other listening sockets. */
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
    const start = () =>
      this.#admit(request, response, () => Reflect.apply(super.emit, this, [event, request, response]))
    this.#add({ request, response, start })
    return true
  }

  /** Sends `Connection: close` with all further responses, including those in progress (RFC 9112 §9.6). */
  endConnections(): void {
    this.#isEnding = true
    this.#active.forEach(this.#markLast)
  }

  /** Stops accepting connections. Closes the existing ones after their responses. */
  override close(callback?: (error?: Error) => void): this {
    this.endConnections()
    // Do not call the method of the HTTP server: it would also close idle connections, and end the timeouts of slow
    // requests.
    const closing = [this, ...this.#others].map((server) =>
      new Promise<Error | undefined>((resolve) => NetServer.prototype.close.call(server, resolve))
    )
    // Ignore the other errors: a socket that could not listen also fails to close.
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

  /** Starts a request: now, or after the earlier requests of its connection. Rejects it if there are too many. */
  readonly #add = (exchange: Exchange): void => {
    const { request: { socket }, response, start } = exchange
    if (this.#refused.has(socket)) return
    const exchanges = this.#active.get(socket)
    if (exchanges === undefined) return start()
    const [current, waiting] = exchanges
    const isAfterRefusal = current !== undefined && waiting === undefined && isLimited(current)
    const isExcessive = isAfterRefusal || exchanges.length >= maxPipelined
    exchanges.push(exchange)
    if (this.#isEnding) this.#markLast(exchanges)
    response.on("close", () => this.#end(exchange, exchanges))
    if (isExcessive) this.#refuse(exchange)
    else if (current === undefined) start()
  }

  /** Starts the next request of a connection after a response. */
  readonly #end = (exchange: Exchange, exchanges: Array<Exchange>): void => {
    const { socket } = exchange.request
    const place = exchanges.indexOf(exchange)
    if (place >= 0) exchanges.splice(place, 1)
    const [next] = exchanges
    if (next === undefined) {
      if (this.#closesIdle) this.#closeIfIdle(exchanges, socket)
      return
    }
    if (!socket.writable || this.#refused.get(socket) === next) return
    if (isLimited(exchange)) {
      exchanges.splice(1)
      return this.#refuse(next)
    }
    this.#waiting.push(next)
    if (this.#waiting.length === 1) setImmediate(this.#startNext)
  }

  /** Starts one pipelined request, and the others in later turns of the event loop. */
  readonly #startNext = (): void => {
    const next = this.#waiting.shift()
    if (this.#waiting.length > 0) setImmediate(this.#startNext)
    if (next?.request.socket.writable === true) next.start()
  }

  /** Holds a connection, answers one of its requests with 429, and closes it. Ignores its other requests. */
  readonly #refuse = (exchange: Exchange): void => {
    const { request, response } = exchange
    this.#refused.set(request.socket, exchange)
    stopParsing(request.socket)
    setTimeout(() => refusePipelining(request, response), holdMs)
  }

  /**
   * Makes the newest response of a connection close it. An earlier one must not close it, because the client has
   * already sent further requests.
   */
  readonly #markLast = (exchanges: ReadonlyArray<Exchange>): void => {
    const newest = exchanges.at(-1)
    for (const exchange of exchanges) {
      const { response } = exchange
      if (exchange === newest) {
        if (response.shouldKeepAlive) this.#last.add(response)
        response.shouldKeepAlive = false
      } else if (this.#last.delete(response)) response.shouldKeepAlive = true
    }
  }

  readonly #closeIfIdle = (exchanges: ReadonlyArray<Exchange>, socket: Socket): void => {
    if (exchanges.length > 0) return
    // Remove the connection first, so that `destroySoon` is called only once: each call adds a listener to a socket
    // that is still sending.
    this.#active.delete(socket)
    socket.destroySoon()
  }
}
