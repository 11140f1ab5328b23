import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import {
  answerClientErrors,
  layerDocuments,
  layerRoutes,
  type OpenDocument,
  openGate,
  serveRoutes
} from "@lastro/adapters-http"
import { makeConsole } from "@lastro/adapters-http/console"
import { openNodeRoutes } from "@lastro/adapters-http/node"
import { layerTokens } from "@lastro/adapters-http/security"
import { StatusWatch } from "@lastro/domain/origination"
import { Context, Duration, Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { NetAddress } from "effect/net"
import { hasSandbox } from "../settings/lender.ts"
import { type Settings } from "../settings/Settings.ts"
import { type Admit, GracefulServer } from "./GracefulServer.ts"
import { homePage } from "./homePage.ts"
import { layerFreshMetrics, layerProcessMetrics, metricsDocument } from "./metrics.ts"
import { sandboxPage } from "./sandboxPage.ts"
import { inheritedListener, type Listener, ownListener, requireFreePort } from "./sharedPort.ts"

/** Timeouts of the HTTP server in milliseconds. */
export interface Timeouts {
  /** Maximum time for the head of a request to arrive. */
  readonly head: number
  /** Maximum time for a whole request to arrive. */
  readonly request: number
  /** Maximum time for active requests to finish after the stop delay. */
  readonly stop: number
}

/** Maximum milliseconds for which a stopping server leaves idle connections open. */
const maxLinger = 2_000

/**
 * Milliseconds after which the server closes an idle connection. Common proxies close theirs after 60 s, so the proxy
 * closes first. If the server closed first, a request that the proxy sends at that moment would get no response.
 */
const keepAliveTimeout = 75_000

/** The default timeouts. `stop` leaves time to close the database before `ServerStop` ends the process. */
const defaultTimeouts: Timeouts = { head: 10_000, request: 30_000, stop: 7_000 }

/**
 * Maximum number of connections that wait to be accepted, per listening socket. Node's default of 511 is too low for a
 * burst of new connections.
 */
export const backlog = 4_096

/** Returns the listener of a port. Fails if another process uses the port. */
const freeListener = (host: string, port: number) => {
  const address = { host, port, backlog }
  return Effect.as(requireFreePort(address), ownListener(address))
}

/** Makes the layer of a server. Closing the layer waits for active requests. */
const listen = <E>(listener: Effect.Effect<Listener, E>, timeouts: Timeouts, linger: () => number, admit?: Admit) =>
  Layer.unwrap(Effect.gen(function*() {
    const { first, others } = yield* listener
    const { head, request, stop } = timeouts
    const server = answerClientErrors(
      new GracefulServer({
        headersTimeout: head,
        requestTimeout: request,
        connectionsCheckingInterval: Math.min(1_000, head),
        keepAliveTimeout,
        maxHeaderSize: 16_384,
        // Node must not answer a missing `Host` header, because the API answers it with the error envelope.
        requireHostHeader: false,
        linger,
        others
      }, admit)
    )
    // Close the connections of requests that are still active after the stop timeout.
    const closeConnections = Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))
    return Layer.mergeAll(
      Layer.succeed(EndConnections, Effect.sync(() => server.endConnections())),
      Layer.provideMerge(
        Layer.effectDiscard(closeConnections),
        NodeHttpServer.layer(() => server, { ...first, gracefulShutdownTimeout: stop })
      )
    )
  }))

/**
 * Returns the timeouts, with the arrival of a request limited to two thirds of `requestTimeout`. So a client that sends
 * too slowly gets 408 instead of 503.
 */
const withArrivalLimit = (timeouts: Timeouts, requestTimeout: Duration.Duration): Timeouts => {
  const request = Math.min(timeouts.request, Math.ceil(Duration.toMillis(requestTimeout) * 2 / 3))
  return { ...timeouts, request, head: Math.min(timeouts.head, request) }
}

const logListening = (of: string) =>
  Layer.effectDiscard(Effect.flatMap(HttpServer.HttpServer, ({ address }) =>
    Effect.annotateLogs(
      Effect.logInfo("listening"),
      "port" in address ? { of, host: NetAddress.formatIp(address.address), port: address.port } : { of }
    )))

/** An effect that makes all further responses of a server close their connections. */
class EndConnections extends Context.Service<EndConnections, Effect.Effect<void>>()(
  "@lastro/server/layers/api/EndConnections"
) {}

/**
 * Ends long polls at the stop of the server, and makes later responses close their connections. This finalizer must run
 * before that of the server, which waits for active requests.
 */
const releaseLongPolls = Layer.effectDiscard(Effect.gen(function*() {
  const endConnections = yield* EndConnections
  const { release } = yield* StatusWatch
  yield* Effect.addFinalizer(() => Effect.andThen(endConnections, release))
}))

/** The port of a worker. */
export interface InheritedPort {
  /** The number of listening sockets that the worker inherits. */
  readonly sockets: number
  /** Returns true if the worker stops because another one replaces it, so that the port stays open. */
  readonly isReplaced: () => boolean
}

/** Returns whether only programs on this machine can connect to a host. */
const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host)

/** Serves `/metrics` on a separate port. */
export const serveMetrics = (
  metrics: OpenDocument,
  { host, port }: { readonly host: string; readonly port: number },
  timeouts: Timeouts = defaultTimeouts
) =>
  logListening("metrics").pipe(
    Layer.provide(HttpRouter.serve(layerDocuments([metrics]), { disableLogger: true, disableListenLog: true })),
    Layer.provide(listen(freeListener(host, port), timeouts, () => 0))
  )

/**
 * Serves the API, and `/metrics` on a separate port if one is set. Without that port, the API's port serves `/metrics`,
 * but only with the embedded database and on a loopback address: any other port may be public. A worker inherits its
 * listening sockets instead of opening the port.
 */
export const api = (settings: Settings, timeouts: Timeouts = defaultTimeouts, place?: InheritedPort) => {
  const { host, issuer, metrics_port, request_timeout, telemetry } = settings
  const arrival = withArrivalLimit(timeouts, request_timeout)
  const serving = Layer.provide(serveApi(settings, arrival, place), layerApiRoutes(settings))
  const servers = metrics_port === undefined
    ? serving
    : Layer.merge(
      serving,
      Layer.unwrap(
        Effect.map(metricsDocument, (metrics) => serveMetrics(metrics, { host, port: metrics_port }, arrival))
      )
    )
  const measured = telemetry.metrics === undefined
    ? layerProcessMetrics
    : Layer.merge(layerProcessMetrics, layerFreshMetrics)
  return Layer.merge(servers, measured).pipe(Layer.provide(layerTokens({ issuer })))
}

const layerApiRoutes = (
  {
    console,
    database,
    docs,
    host,
    issuer,
    lenders,
    metrics_port,
    rate_limit,
    request_timeout,
    token_rate_limit,
    trusted_proxies
  }: Settings
) => {
  const hasMetrics = metrics_port === undefined && database.kind === "pglite" && isLoopback(host)
  return Layer.unwrap(Effect.map(metricsDocument, (metrics) =>
    layerRoutes({
      documentation: docs,
      ...(console ? { console: makeConsole() } : {}),
      documents: [
        homePage(issuer, { documentation: docs, console }),
        ...hasSandbox(lenders) ? [sandboxPage] : [],
        ...hasMetrics ? [metrics] : []
      ],
      issuer,
      callerLimit: rate_limit,
      tokenLimit: token_rate_limit,
      trustedProxies: trusted_proxies,
      requestTimeout: request_timeout
    })))
}

/** Serves the routes of the API on its port. */
const serveApi = (
  { concurrency, host, port, rate_limit, stop_delay, trusted_proxies }: Settings,
  timeouts: Timeouts,
  place: InheritedPort | undefined
) => {
  // A replaced worker has no stop delay, but its clients still use its connections.
  const linger = () => place?.isReplaced() === true ? maxLinger : Math.min(maxLinger, Duration.toMillis(stop_delay))
  const listener = place === undefined
    ? freeListener(host, port)
    : Effect.succeed(inheritedListener(place.sockets, backlog))
  return Layer.unwrap(Effect.gen(function*() {
    const gate = yield* openGate({
      concurrency,
      trustedProxies: trusted_proxies,
      ...rate_limit === "off" ? { anonymousLimit: "off" as const } : {}
    })
    const node = yield* openNodeRoutes
    const admit: Admit = (request, response, serve) =>
      gate.admit(request, response, request.url ?? "/", () => {
        if (!node.handle(request, response)) serve()
      })
    // A stopping server first waits for active requests. This finalizer then interrupts the remaining ones.
    const interruptAll = Layer.effectDiscard(Effect.addFinalizer(() => node.interruptAll))
    return Layer.merge(logListening("api"), releaseLongPolls).pipe(
      Layer.provide(Layer.provide(HttpServer.serve(serveRoutes), interruptAll)),
      Layer.provide(listen(listener, timeouts, linger, admit))
    )
  }))
}
