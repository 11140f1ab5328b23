import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import {
  answerClientErrors,
  layer as layerApi,
  layerDocuments,
  layerTokens,
  type OpenDocument
} from "@lastro/adapters-http"
import { StatusWatch } from "@lastro/domain/origination"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { NetAddress } from "effect/net"
import { PrometheusMetrics } from "effect/observability"
import { type Settings } from "../settings/Settings.ts"
import { GracefulServer } from "./GracefulServer.ts"

/** Timeouts of the HTTP server in milliseconds. */
export interface Timeouts {
  /** Maximum time for the head of a request to arrive. */
  readonly head: number
  /** Maximum time for a whole request to arrive. */
  readonly request: number
  /** Maximum time for active requests to finish after a stop signal. */
  readonly stop: number
}

/** The stop timeout of 10 s equals Docker's default: Docker kills a container 10 s after the stop signal. */
const defaultTimeouts: Timeouts = { head: 10_000, request: 30_000, stop: 10_000 }

const listen = (host: string, port: number, { head, request, stop }: Timeouts) =>
  Layer.unwrap(Effect.sync(() => {
    const server = answerClientErrors(
      new GracefulServer({
        headersTimeout: head,
        requestTimeout: request,
        connectionsCheckingInterval: Math.min(1_000, head),
        maxHeaderSize: 16_384,
        // The API answers a missing Host header itself, with the error envelope.
        requireHostHeader: false
      })
    )
    // After close, node no longer applies request timeouts and would wait forever for slow clients.
    const closeConnections = Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))
    return Layer.provideMerge(
      Layer.effectDiscard(closeConnections),
      NodeHttpServer.layer(() => server, { host, port, gracefulShutdownTimeout: stop })
    )
  }))

const noServerLogs = { disableLogger: true, disableListenLog: true } as const

const metrics: OpenDocument = {
  path: "/metrics",
  type: "text/plain; version=0.0.4; charset=utf-8",
  text: PrometheusMetrics.format()
}

const logListening = (of: string) =>
  Layer.effectDiscard(Effect.flatMap(HttpServer.HttpServer, ({ address }) =>
    Effect.annotateLogs(
      Effect.logInfo("listening"),
      "port" in address ? { of, host: NetAddress.formatIp(address.address), port: address.port } : { of }
    )))

/**
 * Ends long polls when the server starts to stop. This finalizer must run before the finalizer of the server, which waits for
 * active requests.
 */
const releaseLongPolls = Layer.effectDiscard(
  Effect.flatMap(StatusWatch, ({ release }) => Effect.addFinalizer(() => release))
)

/** Serves the API, and `/metrics` on the same port or on a separate one. */
export const api = (
  { host, issuer, metrics_port, port, rate_limit, trusted_proxies }: Settings,
  timeouts: Timeouts = defaultTimeouts
) => {
  const routes = layerApi({
    documents: metrics_port === undefined ? [metrics] : [],
    issuer,
    callerLimit: rate_limit,
    tokenLimit: rate_limit,
    trustedProxies: trusted_proxies
  })
  const serve = <A, E, R>(of: string, served: Layer.Layer<A, E, R>, on: number) =>
    Layer.merge(logListening(of), releaseLongPolls).pipe(
      Layer.provide(HttpRouter.serve(served, noServerLogs)),
      Layer.provide(listen(host, on, timeouts))
    )
  const servers = metrics_port === undefined
    ? serve("api", routes, port)
    : Layer.merge(serve("api", routes, port), serve("metrics", layerDocuments([metrics]), metrics_port))
  return Layer.provide(servers, layerTokens({ issuer }))
}
