import { type IncomingMessage, Server, type ServerOptions, type ServerResponse } from "node:http"
import { type Socket } from "node:net"

/**
 * An HTTP server that closes promptly: node waits for a connection on which no request has begun, or none has followed
 * the last, until its client gives up; this one waits only for requests that it is answering.
 */
export class PromptServer extends Server {
  /** How many requests each connection has under way. */
  readonly #underway = new Map<Socket, number>()

  constructor(options: ServerOptions) {
    super(options)
    this.on("connection", (socket: Socket) => {
      this.#underway.set(socket, 0)
      socket.once("close", () => this.#underway.delete(socket))
    })
    for (const event of ["request", "checkContinue"] as const) this.on(event, this.#begun)
  }

  readonly #begun = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    this.#count(socket, 1)
    response.once("close", () => {
      this.#count(socket, -1)
      if (!this.listening) this.#endIdle()
    })
  }

  override close(callback?: (error?: Error) => void): this {
    super.close(callback)
    this.#endIdle()
    return this
  }

  #count(socket: Socket, change: 1 | -1): void {
    const requests = this.#underway.get(socket)
    if (requests !== undefined) this.#underway.set(socket, requests + change)
  }

  #endIdle(): void {
    for (const [socket, requests] of this.#underway) {
      if (requests > 0) continue
      // Once is enough: each time, a socket that still sends would get one more listener.
      this.#underway.delete(socket)
      socket.destroySoon()
    }
  }
}
