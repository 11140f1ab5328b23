import { Effect, Exit, Scope } from "effect"
import { ask, type Reply, type Sent, signIn, tokenOf } from "../running/asking.ts"
import { type FaultProxy, openFaultProxy } from "../running/FaultProxy.ts"
import { type Environment } from "../running/lastro.ts"
import { freePort } from "../running/machine.ts"
import { onPostgres, type RunningServer, startServer } from "../running/serving.ts"
import { type Database, lastro } from "./Database.ts"
import { requestName, type Traffic } from "./Traffic.ts"

/** A server process, with a proxy of its own between it and the database. */
export interface Node {
  readonly name: string
  readonly url: string
  readonly proxy: FaultProxy
  readonly process: () => RunningServer
  /** True if the process runs. */
  readonly isUp: () => boolean
  readonly kill: Effect.Effect<void>
  /** Stops the process with SIGTERM. Returns the exit code, or undefined if the process has not ended after 12 seconds. */
  readonly stop: Effect.Effect<unknown>
  /** Starts the process, with additional environment variables. */
  readonly start: (extra?: Environment) => Effect.Effect<void>
  readonly freeze: Effect.Effect<void>
  readonly thaw: Effect.Effect<void>
  /** Counts the changes of the state of the process. */
  readonly changes: () => number
}

/** Server processes that share a database. */
export interface Fleet {
  readonly nodes: ReadonlyArray<Node>
  /** Sends a request to the next node, signed in. Dies if there is no response. */
  readonly send: (path: string, sent: Sent) => Effect.Effect<Reply>
}

/** Maximum time of a response in milliseconds, in addition to the wait of a long poll. */
const responseDeadlineMs = 15_000

/** The tolerance of the deadline: the processes share two processors with the database and the traffic. */
const toleranceMs = 2_000

const waitOf = (path: string): number => 1_000 * Number(/[?&]wait=(\d+)/.exec(path)?.[1] ?? 0)

const startNode = Effect.fnUntraced(function*(
  name: string,
  database: Database,
  random: () => number,
  environment: Environment
) {
  const scope = yield* Effect.scope
  const proxy = yield* openFaultProxy(database.port(), random)
  const port = yield* freePort
  const url = `postgres://${lastro}@127.0.0.1:${proxy.port}/${lastro}`
  const launch = (extra: Environment = {}) =>
    startServer({ ...onPostgres(url), PORT: String(port), LASTRO_NODE: name, ...environment, ...extra }).pipe(
      Scope.provide(scope),
      Effect.timeout("1 minute"),
      Effect.orDie
    )
  let process = yield* launch()
  let state: "down" | "frozen" | "up" = "up"
  let changes = 0
  const become = (to: typeof state) =>
    Effect.sync(() => {
      state = to
      changes++
    })
  const signal = (name: NodeJS.Signals) => Effect.sync(() => process.kill(name))
  const node: Node = {
    name,
    url: process.url,
    proxy,
    process: () => process,
    isUp: () => state === "up",
    changes: () => changes,
    kill: Effect.andThen(become("down"), Effect.andThen(signal("SIGKILL"), Effect.suspend(() => process.ended))),
    stop: Effect.gen(function*() {
      yield* become("down")
      yield* signal("SIGTERM")
      const ending = yield* Effect.timeoutOption(process.ended, "12 seconds")
      if (ending._tag === "Some") return ending.value
      yield* signal("SIGKILL")
      yield* process.ended
      return undefined
    }),
    start: (extra) =>
      Effect.gen(function*() {
        process = yield* launch(extra)
        yield* become("up")
      }),
    freeze: Effect.andThen(become("frozen"), signal("SIGSTOP")),
    thaw: Effect.andThen(signal("SIGCONT"), become("up"))
  }
  return node
})

/** Starts server processes on one database and one lender. */
export const startFleet = Effect.fnUntraced(function*(
  count: number,
  database: Database,
  lender: string,
  random: () => number,
  traffic: Traffic
) {
  const environment = { LASTRO_LENDER: "http", LASTRO_LENDER_URL: lender }
  const nodes: Array<Node> = []
  // One after the other: the first one migrates the database.
  for (let index = 0; index < count; index++) {
    nodes.push(yield* startNode(`node-${index + 1}`, database, random, environment))
  }

  let turn = 0
  const tokens = new Map<Node, string>()
  /** Sends a request and records its result, unless the process of the node changed meanwhile. */
  const sendTo = Effect.fnUntraced(function*(node: Node, what: string, wait: number, request: Effect.Effect<Reply>) {
    const before = node.changes()
    const isUp = node.isUp()
    const began = performance.now()
    const limit = responseDeadlineMs + toleranceMs + wait
    const exit = yield* Effect.exit(Effect.timeout(request, isUp ? limit : 3_000))
    const isExempt = !isUp || node.changes() !== before
    const ms = performance.now() - began - wait
    traffic.record(node.name, what, isExempt, ms, Exit.isSuccess(exit) ? exit.value.status : undefined)
    if (Exit.isFailure(exit)) return yield* Effect.die("no answer")
    return exit.value
  })
  const send = Effect.fnUntraced(function*(path: string, sent: Sent) {
    const node = nodes[turn++ % nodes.length] ?? (yield* Effect.die("There is no node."))
    const what = requestName(path, sent)
    for (let attempt = 0;; attempt++) {
      let token = tokens.get(node)
      if (token === undefined) {
        const signedIn = yield* sendTo(node, "POST /api/v1/oauth/token", 0, signIn(node))
        if (signedIn.status !== 200) return signedIn
        token = tokenOf(signedIn)
        tokens.set(node, token)
      }
      const reply = yield* sendTo(node, what, waitOf(path), ask(node, path, { ...sent, token }))
      if (reply.status !== 401 || attempt > 0) return reply
      // The token has expired.
      if (tokens.get(node) === token) tokens.delete(node)
    }
  })
  const fleet: Fleet = { nodes, send }
  return fleet
})

/** Waits until a node is ready. Returns the milliseconds; undefined after a number of milliseconds. */
export const timeUntilReady = Effect.fnUntraced(function*(node: Node, since: number, limitMs: number) {
  while (performance.now() - since < limitMs) {
    const reply = yield* Effect.exit(Effect.timeout(ask(node, "/health/ready"), "5 seconds"))
    if (Exit.isSuccess(reply) && reply.value.status === 200) return performance.now() - since
    yield* Effect.sleep("200 millis")
  }
  return undefined
})
