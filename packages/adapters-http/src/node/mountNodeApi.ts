import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Effect, type Layer, Scope } from "effect"
import { HttpMiddleware, HttpServerRequest } from "effect/http"
import { type IncomingMessage, type ServerResponse } from "node:http"
import { answerWith, type ApiPorts } from "../mount/layer.ts"
import { type MountedApi, webMount } from "../mount/mountApi.ts"
import { type MountOptions, openMount } from "../mount/openMount.ts"
import { isPlain, serveNode } from "./NodeRoutes.ts"

/** The API as a handler of Fetch API requests and of Node.js requests. */
export interface MountedNodeApi extends MountedApi {
  /**
   * Answers a request of Node's HTTP server, Express, Connect, middie or Fastify (with a hijacked reply). Mount it at
   * the root or at the prefix, before body parsers such as `express.json()`: they would read the body first. A request
   * outside the prefix is passed to `next`, or gets 404 without a `next`.
   */
  readonly handle: (request: IncomingMessage, response: ServerResponse, next?: () => void) => void
}

/** Mounts the API like `mountApi`. The result also handles Node.js requests. */
export const mountNodeApi = <E>(ports: Layer.Layer<ApiPorts, E>, options: MountOptions): Promise<MountedNodeApi> =>
  Effect.runPromise(Effect.gen(function*() {
    const mount = yield* openMount(ports, options)
    const { activeRequests, find, gate, mountedUrl, services } = mount
    const app = Effect.gen(function*() {
      yield* activeRequests.track
      const request = yield* HttpServerRequest.HttpServerRequest
      const url = mountedUrl(request.url, request.source)
      return yield* answerWith(find(request.method, url), url === undefined ? request : request.modify({ url }))
    })
    // This scope need not be closed: closing the mount already waits for active requests.
    const handler = yield* Effect.provideContext(
      NodeHttpServer.makeHandler(app, { scope: yield* Scope.make() }),
      // The spans of the HTTP server contain whole URLs and client addresses. The API's own spans contain neither.
      Context.add(services, HttpMiddleware.TracerDisabledWhen, () => true)
    )
    return {
      ...webMount(mount),
      handle: (request, response, next) => {
        const url = mountedUrl(request.url ?? "/", request)
        if (next !== undefined && url === undefined) return next()
        return gate.admit(request, response, url ?? "/", () => {
          if (!isPlain(request)) return handler(request, response)
          const found = find(request.method ?? "GET", url)
          return serveNode(request, response, url ?? "/", found, services, activeRequests)
        })
      }
    }
  }))
