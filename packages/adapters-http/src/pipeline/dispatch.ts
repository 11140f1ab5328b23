import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { type PathParams } from "./Operation.ts"

/** Fills the parameters of a path pattern. */
const fillPath = (pattern: string, params: PathParams): string =>
  pattern.replace(/:([a-z_]+)/g, (_, name: string) => params[name] ?? "")

/** Returns whether a URL is exactly this path, with or without a query. */
const isLiteral = (url: string, path: string): boolean =>
  url.startsWith(path) && (url.length === path.length || url[path.length] === "?")

/** Handles a request. Always succeeds with a response. */
export type Handler<R> = Effect.Effect<HttpServerResponse.HttpServerResponse, never, R>

/** The handlers of a path by method. HEAD is answered like GET, without the body (RFC 9110 §9.3.2). */
export interface Methods<R, Refusing> {
  readonly path: `/${string}`
  readonly byMethod: ReadonlyMap<string, Handler<R>>
  readonly notAllowed: Handler<Refusing>
  readonly notFound: Handler<Refusing>
}

/** Lists the methods of a path for the `Allow` header. */
export const allowedMethods = (methods: Iterable<string>): ReadonlyArray<string> =>
  [...methods].flatMap((method) => method === "GET" ? ["GET", "HEAD"] : [method]).toSorted()

/**
 * Selects the handler of a request by method. The router ignores letter case, duplicate and trailing slashes and percent-encoding;
 * this function accepts only the literal path, so that every resource has exactly one URL.
 */
export const dispatch = <R, Refusing>({ byMethod, notAllowed, notFound, path }: Methods<R, Refusing>) =>
  Effect.flatMap(
    HttpServerRequest.HttpServerRequest,
    (request) =>
      Effect.flatMap(HttpRouter.RouteContext, ({ params }): Handler<R | Refusing> => {
        if (!isLiteral(request.url, fillPath(path, params))) return notFound
        return byMethod.get(request.method === "HEAD" ? "GET" : request.method) ?? notAllowed
      })
  )
