import { NodeCrypto, NodeHttpServer } from "@effect/platform-node"
import { layerRoutes, Readiness, serveRoutes, type ServingOptions } from "@lastro/adapters-http"
import { type NodeRoutes, openNodeRoutes } from "@lastro/adapters-http/node"
import { layerIdGenerator, layerKeyRing, layerTokenSigner } from "@lastro/adapters-http/security"
import { type IdempotencyStore } from "@lastro/domain/idempotency"
import { type PasswordHasher } from "@lastro/domain/identity"
import { PortsOfJobs } from "@lastro/domain/jobs"
import { type Lender } from "@lastro/domain/lender"
import { type StatusWatch } from "@lastro/domain/origination"
import { type PartnerRepository } from "@lastro/domain/partner"
import { millisOf } from "@lastro/domain/values"
import { exampleInstant, layerMemoryByHandNoLender, layerScriptedLender } from "@lastro/testkit"
import { Context, Effect, Layer, Logger } from "effect"
import { HttpServer } from "effect/http"
import { TestClock } from "effect/testing"
import { IncomingMessage, Server as NodeServer, ServerResponse } from "node:http"
import { type Reply, send, type Sent } from "./client.ts"

/** Issuer and audience of the test tokens. */
export const issuer = { issuer: "https://lastro.test", audience: "lastro" }

/** The API, served over real HTTP on a free port. */
export class Server extends Context.Service<Server, {
  readonly port: number
  readonly send: (path: string, sent?: Sent) => Effect.Effect<Reply>
  /** All log lines so far, as JSON. */
  readonly logs: ReadonlyArray<string>
}>()("@lastro/adapters-http/test/harness/Server") {}

/** Options of the API under test. Default: no rate limits. */
export type TestOptions = Partial<ServingOptions> & {
  /** The readiness of the server. */
  readonly ready?: Effect.Effect<boolean>
  /** Ports that replace those in memory for the API, and not for the durable jobs. */
  readonly instead?: Layer.Layer<never, never, Replaceable>
  /** The lender that the API and the durable jobs call. Default: the scripted lender. */
  readonly lender?: Layer.Layer<Lender>
}

/** The ports that tests replace. */
type Replaceable = IdempotencyStore | Lender | PartnerRepository | PasswordHasher | StatusWatch

/** In-memory ports with real ids and tokens. Tests run durable jobs by hand. */
const portsWith = (lender: Layer.Layer<Lender>) => {
  const lenders = Layer.merge(layerScriptedLender, lender)
  return layerTokenSigner(issuer).pipe(
    Layer.provideMerge(layerKeyRing),
    Layer.provideMerge(Layer.mergeAll(Layer.provideMerge(layerMemoryByHandNoLender, lenders), layerIdGenerator)),
    Layer.provideMerge(NodeCrypto.layer)
  )
}

/** Answers requests like the server of Lastro: first with the routes for Node, then with Effect's HTTP server. */
class RoutedServer extends NodeServer {
  readonly #routes: NodeRoutes

  constructor(routes: NodeRoutes) {
    super({ requireHostHeader: false })
    this.#routes = routes
  }

  override emit(event: string | symbol, ...values: Array<unknown>): boolean {
    const [request, response] = values
    if (event === "request" && request instanceof IncomingMessage && response instanceof ServerResponse) {
      if (this.#routes.handle(request, response)) return true
    }
    return Reflect.apply(super.emit, this, [event, ...values])
  }
}

const layerNodeServer = Layer.unwrap(
  Effect.map(
    openNodeRoutes,
    (routes) => NodeHttpServer.layer(() => new RoutedServer(routes), { port: 0, host: "127.0.0.1" })
  )
)

/** Lets tests replace ports of the use cases alone, above the durable jobs. */
const layerUnchecked = Layer.succeed(PortsOfJobs, null)

/** Serves the API over in-memory ports. */
const layerServer = (
  { instead = Layer.empty, lender = layerScriptedLender, ready = Effect.succeed(true), ...options }: TestOptions = {}
) => {
  const lines: Array<string> = []
  const logs = Logger.layer([Logger.map(Logger.formatJson, (line) => {
    lines.push(line)
  })])
  const routes = layerRoutes({ issuer: issuer.issuer, callerLimit: "off", tokenLimit: "off", ...options })
  const server = Layer.effect(
    Server,
    Effect.map(HttpServer.HttpServer, ({ address }) => {
      const port = "port" in address ? address.port : 0
      return Server.of({ port, send: send(`http://127.0.0.1:${port}`), logs: lines })
    })
  )
  return HttpServer.serve(serveRoutes).pipe(
    Layer.provideMerge(server),
    Layer.provide(layerNodeServer),
    Layer.provide(routes),
    Layer.provide(Layer.succeed(Readiness, Readiness.of({ isReady: ready }))),
    Layer.provideMerge(Layer.provideMerge(Layer.merge(instead, layerUnchecked), portsWith(lender))),
    Layer.provide(logs)
  )
}

/** The services that a test may use. */
export type Ports = Layer.Success<ReturnType<typeof layerServer>>

/** The start time of every test. */
const startTime = millisOf(exampleInstant)

/** Runs a test against its own server. Time advances only if the test adjusts the clock. */
export const withServer = <A, E, R>(test: Effect.Effect<A, E, R>, options: TestOptions = {}) =>
  Effect.andThen(TestClock.setTime(startTime), Effect.provide(test, layerServer(options)))
