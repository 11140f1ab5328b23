import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import {
  answerClientErrors,
  layer as layerApi,
  layerDocuments,
  layerTokens,
  type OpenDocument
} from "@lastro/adapters-http"
import { StatusWatch } from "@lastro/domain"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { NetAddress } from "effect/net"
import { PrometheusMetrics } from "effect/observability"
import { PromptServer } from "./PromptServer.ts"
import { type Settings } from "./settings/Settings.ts"

/** How long clients may take, in milliseconds. */
export interface Patience {
  /** For the head of a request. */
  readonly head: number
  /** For a request as a whole, its body included. */
  readonly request: number
  /** For what is still running when the server is told to stop. */
  readonly stop: number
}

/** Slow senders are shed, and a stop waits for nobody longer than the ten seconds that most supervisors give. */
const usual: Patience = { head: 10_000, request: 30_000, stop: 10_000 }

const listen = (host: string, port: number, { head, request, stop }: Patience) =>
  Layer.unwrap(Effect.sync(() => {
    const server = answerClientErrors(
      new PromptServer({
        headersTimeout: head,
        requestTimeout: request,
        connectionsCheckingInterval: Math.min(1_000, head),
        maxHeaderSize: 16_384
      })
    )
    // Once it is closed, node looks for slow senders no longer, and waits for them without end.
    const cutOff = Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))
    return Layer.provideMerge(
      Layer.effectDiscard(cutOff),
      NodeHttpServer.layer(() => server, { host, port, gracefulShutdownTimeout: stop })
    )
  }))

const quiet = { disableLogger: true, disableListenLog: true } as const

const metrics: OpenDocument = {
  path: "/metrics",
  type: "text/plain; version=0.0.4; charset=utf-8",
  text: PrometheusMetrics.format()
}

const announced = (of: string) =>
  Layer.effectDiscard(Effect.flatMap(HttpServer.HttpServer, ({ address }) =>
    Effect.annotateLogs(
      Effect.logInfo("listening"),
      "port" in address ? { of, host: NetAddress.formatIp(address.address), port: address.port } : { of }
    )))

/** Who waits for a status is let go when a stop begins, not when it ends. Belongs above the server, which waits for them. */
const lettingGo = Layer.effectDiscard(
  Effect.flatMap(StatusWatch, ({ release }) => Effect.addFinalizer(() => release))
)

/** The API on its port, with `/metrics` beside it or on a port of its own. */
export const api = (
  { host, issuer, metrics_port, port, rate_limit, trusted_proxies }: Settings,
  patience: Patience = usual
) => {
  const routes = layerApi({
    documents: metrics_port === undefined ? [metrics] : [],
    issuer,
    callerLimit: rate_limit,
    tokenLimit: rate_limit,
    trustedProxies: trusted_proxies
  })
  const serve = <A, E, R>(of: string, served: Layer.Layer<A, E, R>, on: number) =>
    Layer.merge(announced(of), lettingGo).pipe(
      Layer.provide(HttpRouter.serve(served, quiet)),
      Layer.provide(listen(host, on, patience))
    )
  const servers = metrics_port === undefined
    ? serve("api", routes, port)
    : Layer.merge(serve("api", routes, port), serve("metrics", layerDocuments([metrics]), metrics_port))
  return Layer.provide(servers, layerTokens({ issuer }))
}
