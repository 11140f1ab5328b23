import { Context, Effect } from "effect"
import { type IncomingMessage, type ServerResponse } from "node:http"
import { ActiveRequests } from "../mount/ActiveRequests.ts"
import { ApiRoutes, type HandlerServices } from "../mount/ApiRoutes.ts"
import { type RouteTable } from "../pipeline/RouteTable.ts"
import { isPlain } from "./NodeIncoming.ts"
import { serveNode } from "./serveNode.ts"

/** Answers most requests of Node's HTTP server, without the layers of Effect's HTTP server. */
export class NodeRoutes {
  readonly #routes: RouteTable<HandlerServices>
  readonly #context: Context.Context<HandlerServices>
  readonly #active = new ActiveRequests()

  constructor(routes: RouteTable<HandlerServices>, context: Context.Context<HandlerServices>) {
    this.#routes = routes
    // Copy the context into a new map: one with few layers is faster to read and to extend.
    this.#context = Context.makeUnsafe(new Map(context.mapUnsafe))
  }

  /**
   * Answers a request and returns true. Returns false without answering if Effect's HTTP server must answer it, for
   * example because its body is large.
   */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    if (!isPlain(request)) return false
    const { method = "GET", url = "/" } = request
    serveNode(request, response, url, this.#routes.find(method, url), this.#context, this.#active)
    return true
  }

  /** Interrupts all requests, and waits until they have ended. They are answered with 503. */
  get interruptAll(): Effect.Effect<void> {
    return this.#active.interruptAll
  }
}

/** Makes the routes of the API for Node's HTTP server. */
export const openNodeRoutes: Effect.Effect<NodeRoutes, never, ApiRoutes | HandlerServices> = Effect.contextWith(
  (context: Context.Context<ApiRoutes | HandlerServices>) =>
    Effect.sync(() => new NodeRoutes(Context.get(context, ApiRoutes), context))
)
