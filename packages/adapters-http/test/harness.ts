import { NodeCrypto, NodeHttpServer } from "@effect/platform-node"
import {
  layer,
  layerIdGenerator,
  layerKeyRing,
  layerTokenSigner,
  Readiness,
  type ServingOptions
} from "@lastro/adapters-http"
import {
  type IdempotencyStore,
  millisOf,
  type PartnerRepository,
  type PasswordHasher,
  type StatusWatch
} from "@lastro/domain"
import { exampleInstant, layerMemoryByHand } from "@lastro/testkit"
import { Context, Effect, Layer, Logger } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { TestClock } from "effect/testing"
import { createServer } from "node:http"
import { type Reply, send, type Sent } from "./client.ts"

/** Who issues the tokens of the tests, and for whom. */
export const issuer = { issuer: "https://lastro.test", audience: "lastro" }

/** The API, served over real HTTP on a free port. */
export class Server extends Context.Service<Server, {
  readonly port: number
  readonly send: (path: string, sent?: Sent) => Effect.Effect<Reply>
  /** Every line logged so far, as JSON. */
  readonly logs: ReadonlyArray<string>
}>()("@lastro/adapters-http/test/harness/Server") {}

/** Options of the API under test. There are no rate limits unless given. */
export type TestOptions = Partial<ServingOptions> & {
  /** What the server says about being ready. */
  readonly ready?: Effect.Effect<boolean>
  /** Ports to use instead of those in memory. */
  readonly instead?: Layer.Layer<never, never, Replaceable>
}

/** The ports that tests replace. */
type Replaceable = IdempotencyStore | PartnerRepository | PasswordHasher | StatusWatch

/** Every port in memory, but with real ids and real tokens. What was promised to be done a test does by hand. */
const ports = layerTokenSigner(issuer).pipe(
  Layer.provideMerge(layerKeyRing),
  Layer.provideMerge(Layer.mergeAll(layerMemoryByHand, layerIdGenerator)),
  Layer.provideMerge(NodeCrypto.layer)
)

/** Serves the API over every port in memory. */
const layerServer = (
  { instead = Layer.empty, ready = Effect.succeed(true), ...options }: TestOptions = {}
) => {
  const lines: Array<string> = []
  const logs = Logger.layer([Logger.map(Logger.formatJson, (line) => {
    lines.push(line)
  })])
  const api = layer({ issuer: issuer.issuer, callerLimit: "off", tokenLimit: "off", ...options })
  const server = Layer.effect(
    Server,
    Effect.map(HttpServer.HttpServer, ({ address }) => {
      const port = "port" in address ? address.port : 0
      return Server.of({ port, send: send(`http://127.0.0.1:${port}`), logs: lines })
    })
  )
  return HttpRouter.serve(api, { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provideMerge(server),
    Layer.provide(NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1" })),
    Layer.provide(Layer.succeed(Readiness, Readiness.of({ isReady: ready }))),
    Layer.provideMerge(Layer.provideMerge(instead, ports)),
    Layer.provide(logs)
  )
}

/** Everything that a test may reach for. */
export type Ports = Layer.Success<ReturnType<typeof layerServer>>

/** When every test begins. */
const beginning = millisOf(exampleInstant)

/** Runs a test against a server of its own, whose clock stands still unless the test moves it. */
export const served = <A, E, R>(test: Effect.Effect<A, E, R>, options: TestOptions = {}) =>
  Effect.andThen(TestClock.setTime(beginning), Effect.provide(test, layerServer(options)))
