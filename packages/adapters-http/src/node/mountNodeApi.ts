import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, type Layer, Scope } from "effect"
import { type IncomingMessage, type ServerResponse } from "node:http"
import { type ApiPorts } from "../mount/layer.ts"
import { type MountedApi, webMount } from "../mount/mountApi.ts"
import { type MountOptions, openMount } from "../mount/openMount.ts"

/** The API as a function of Fetch API requests and of node requests. */
export interface MountedNodeApi extends MountedApi {
  /**
   * Answers a request of node's HTTP server, Express, Connect, middie or Fastify (hijacked). Mount it at the root or at the prefix,
   * before `express.json()` and other body parsers: the body must be unread. A request outside the prefix is passed to `next`, or
   * answered 404 without `next`.
   */
  readonly handle: (request: IncomingMessage, response: ServerResponse, next?: () => void) => void
}

/** Builds a layer of ports, as `mountApi` does, and returns the API over it as a node request handler too. */
export const mountNodeApi = <E>(ports: Layer.Layer<ApiPorts, E>, options: MountOptions): Promise<MountedNodeApi> =>
  Effect.runPromise(Effect.gen(function*() {
    const mount = yield* openMount(ports, options)
    // This scope is never closed: closing the mount waits for active requests.
    const handler = yield* Effect.provideContext(
      NodeHttpServer.makeHandler(mount.app, { scope: yield* Scope.make() }),
      mount.services
    )
    return {
      ...webMount(mount),
      handle: (request, response, next) =>
        next !== undefined && mount.mountedUrl(request.url ?? "/", request) === undefined
          ? next()
          : handler(request, response)
    }
  }))
