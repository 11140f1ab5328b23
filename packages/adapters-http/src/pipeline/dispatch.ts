import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { type PathParams } from "./Operation.ts"

/** The path that a pattern stands for when its parameters have these values. */
const filled = (pattern: string, params: PathParams): string =>
  pattern.replace(/:([a-z_]+)/g, (_, name: string) => params[name] ?? "")

/** Whether a URL is this path, with or without a query, and written in the one way that counts. */
const isLiteral = (url: string, path: string): boolean =>
  url.startsWith(path) && (url.length === path.length || url[path.length] === "?")

/** Answers a request, whatever happens. */
export type Handler<R> = Effect.Effect<HttpServerResponse.HttpServerResponse, never, R>

/** What a path has: handlers by their method. HEAD is answered like GET, without the body (RFC 9110 §9.3.2). */
export interface Methods<R, Refusing> {
  readonly path: `/${string}`
  readonly byMethod: ReadonlyMap<string, Handler<R>>
  readonly notAllowed: Handler<Refusing>
  readonly notFound: Handler<Refusing>
}

/** The methods of a path, for `Allow`. */
export const allowedMethods = (methods: Iterable<string>): ReadonlyArray<string> =>
  [...methods].flatMap((method) => method === "GET" ? ["GET", "HEAD"] : [method]).toSorted()

/**
 * Finds what a request asks for: the router matches paths loosely (letter case, doubled and trailing slashes, percent-
 * encoding), here only the literal path counts, so that there is one name for everything.
 */
export const dispatch = <R, Refusing>({ byMethod, notAllowed, notFound, path }: Methods<R, Refusing>) =>
  Effect.flatMap(
    HttpServerRequest.HttpServerRequest,
    (request) =>
      Effect.flatMap(HttpRouter.RouteContext, ({ params }): Handler<R | Refusing> => {
        if (!isLiteral(request.url, filled(path, params))) return notFound
        return byMethod.get(request.method === "HEAD" ? "GET" : request.method) ?? notAllowed
      })
  )
