import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, type Layer, Scope } from "effect"
import { type IncomingMessage, type ServerResponse } from "node:http"
import { type ApiPorts } from "../layer.ts"
import { type MountedApi, webMount } from "../mount/mountApi.ts"
import { type MountOptions, openMount } from "../mount/openMount.ts"

/** The API, as a function of requests of the Fetch API and of node. */
export interface MountedNodeApi extends MountedApi {
  /**
   * Answers a request of node's HTTP server, Express, Connect, middie or Fastify (hijacked), before everything or at the path that is
   * the prefix. What is not below the prefix goes on to `next` where there is one, and is 404 where there is none. The body has to be
   * unread: mount it before `express.json()` and the like.
   */
  readonly handle: (request: IncomingMessage, response: ServerResponse, next?: () => void) => void
}

/** Builds a layer of ports, as `mountApi` does, and the API over it as a function of node's requests too. */
export const mountNodeApi = <E>(ports: Layer.Layer<ApiPorts, E>, options: MountOptions): Promise<MountedNodeApi> =>
  Effect.runPromise(Effect.gen(function*() {
    const mount = yield* openMount(ports, options)
    // Requests outlive no scope: who closes the mount waits for them.
    const answer = yield* Effect.provideContext(
      NodeHttpServer.makeHandler(mount.app, { scope: yield* Scope.make() }),
      mount.services
    )
    return {
      ...webMount(mount),
      handle: (request, response, next) =>
        next !== undefined && mount.wanted(request.url ?? "/", request) === undefined
          ? next()
          : answer(request, response)
    }
  }))
