import { layerReadiness } from "@lastro/adapters-http"
import { layerSecurity } from "@lastro/adapters-http/security"
import { defaultExportLimits, Exports, makeExportSlots } from "@lastro/domain/export"
import { Duration, Effect, Layer, Option, Queue } from "effect"
import { Command, Flag } from "effect/cli"
import { PrometheusMetrics } from "effect/observability"
import { api, backlog, serveMetrics } from "../layers/api.ts"
import { layerProcessMetrics, metricsPage } from "../layers/metrics.ts"
import { nodePorts, poolOf } from "../layers/ports.ts"
import { layerRetention } from "../layers/retention.ts"
import { bindShared } from "../layers/sharedPort.ts"
import { processLogs, telemetry } from "../layers/telemetry.ts"
import { type Environment } from "../settings/readers.ts"
import { type Settings } from "../settings/Settings.ts"
import { workerEnvironment, type WorkerPlace } from "../settings/workers.ts"
import { Supervisor } from "../workers/Supervisor.ts"
import { WorkerLink } from "../workers/WorkerLink.ts"
import { bannerText } from "./banner.ts"
import { layerCommandServer } from "./CommandServer.ts"
import { fillEmpty } from "./fillEmpty.ts"
import { npxExit } from "./npxExit.ts"
import { refuse } from "./refused.ts"
import { closeLimit, ServerStop } from "./ServerStop.ts"
import { CommandEnvironment, settings } from "./withPorts.ts"

/**
 * Limits the concurrent exports of a worker, because each export holds a database connection. The limit is the worker's
 * share of the limit of a single process, but at least two exports. One root partner can have half of them.
 */
const layerWorkerLimits = (workers: number): Layer.Layer<never> => {
  const concurrent = Math.max(2, Math.floor(defaultExportLimits.concurrent / workers))
  return Layer.succeed(
    Exports,
    makeExportSlots({ ...defaultExportLimits, concurrent, concurrentPerRoot: Math.floor(concurrent / 2) })
  )
}

/** Fills an empty database. Shows the credentials on standard error, because standard output is the log. */
const fillAndShowCredentials = (read: Settings) => Layer.effectDiscard(fillEmpty(read, process.stderr))

/** Selects the log format for people if standard output is a terminal and no format is configured. */
const onTerminal = (read: Settings, environment: Environment): Settings =>
  process.stdout.isTTY && environment["LASTRO_LOG_FORMAT"] === undefined ? { ...read, log_format: "pretty" } : read

/** Runs the commands of other processes if this server holds a data folder. */
const commandServer = ({ database }: Settings, environment: Environment) =>
  database.kind === "pglite" && database.folder !== undefined && process.platform !== "win32"
    ? layerCommandServer(database.folder, environment)
    : Layer.empty

const showBanner = (read: Settings) =>
  Effect.sync(() => {
    if (process.stderr.isTTY) process.stderr.write(bannerText(read))
  })

/** Sets the exit code 0, because an interruption is the normal end of the command. */
export const exitWithSuccess = Effect.sync(() => {
  process.exitCode = 0
})

/**
 * Completes when SIGHUP arrives. A single-process server then stops as after SIGTERM, and the process manager starts it
 * again.
 */
const hangUp: Effect.Effect<string> = Effect.callback((resume) => {
  const listener = () => resume(Effect.succeed("received SIGHUP"))
  process.once("SIGHUP", listener)
  return Effect.sync(() => process.off("SIGHUP", listener))
})

/** Parses the index of a worker, the number of workers, and the number of listening sockets that it inherits. */
const parseWorkerPlace = (text: string) => {
  const [, index, workers, sockets] = /^(\d+)\/(\d+)\/(\d+)$/.exec(text) ?? []
  return index === undefined || process.send === undefined
    ? refuse("--worker is for workers only, which the server starts itself.")
    : Effect.succeed({ index: Number(index), workers: Number(workers), sockets: Number(sockets) })
}

/** Serves the API in this process until it is interrupted. `link` connects a worker to its supervisor. */
const serveHere = Effect.fnUntraced(function*(
  read: Settings,
  environment: Environment,
  worker?: { readonly link: WorkerLink; readonly sockets: number; readonly workers: number }
) {
  const stop = new ServerStop(read, { ignoresFurther: worker !== undefined })
  const port = worker && { sockets: worker.sockets, isReplaced: worker.link.isReplaced }
  const readiness = Layer.provide(stop.readiness, layerReadiness)
  const ofWorker = worker === undefined
    ? { readiness, metrics: Layer.empty, reports: Layer.effectDiscard(showBanner(read)) }
    : {
      readiness: Layer.provide(worker.link.readiness, readiness),
      metrics: worker.link.metrics,
      reports: Layer.provide(worker.link.reports, readiness)
    }
  const server = Layer.mergeAll(stop.stage("the requests in progress"), stop.serving, ofWorker.reports).pipe(
    Layer.provide(api(read, undefined, port)),
    Layer.provide(worker === undefined ? Layer.empty : layerWorkerLimits(worker.workers)),
    Layer.provide(ofWorker.metrics),
    Layer.provide(commandServer(read, environment)),
    Layer.provide([
      fillAndShowCredentials(read),
      ofWorker.readiness,
      layerRetention(read)
    ]),
    Layer.provide(
      Layer.provideMerge(stop.stage("the durable jobs and the database"), nodePorts(read, worker?.workers))
    ),
    Layer.provide(Layer.provideMerge(stop.stage("the telemetry"), telemetry(read)))
  )
  const stopped = worker === undefined
    ? Effect.raceFirst(npxExit, hangUp)
    : Effect.map(worker.link.stopRequested, ({ isReplaced, reason }) => {
      if (isReplaced) stop.skipDelay()
      return reason
    })
  yield* Effect.onInterrupt(stop.run(Layer.launch(server), stopped), () => exitWithSuccess)
})

/** Starts the workers, and keeps them running until interrupted. Serves the metrics of all workers. */
const superviseWorkers = Effect.fnUntraced(function*(read: Settings, environment: Environment) {
  const { host, metrics_port, port, stop_delay, workers } = read
  // The workers have the stop delay. They take a moment longer to stop than a single process.
  const limit = Duration.sum(stop_delay, Duration.sum(closeLimit, Duration.seconds(1)))
  const stop = new ServerStop({ ...read, stop_delay: Duration.zero }, { limit })
  const plan = Effect.map(
    settings,
    ({ concurrency, database, node }) => (place: WorkerPlace) =>
      workerEnvironment(environment, { concurrency, node, pool: poolOf(database) }, place)
  )
  const supervise = Effect.gen(function*() {
    const reloads = yield* Queue.sliding<void>(1)
    const request = () => void Queue.offerUnsafe(reloads, undefined)
    yield* Effect.acquireRelease(
      Effect.sync(() => process.on("SIGHUP", request)),
      () => Effect.sync(() => process.off("SIGHUP", request))
    )
    const supervisor = new Supervisor(workers, plan, yield* bindShared({ host, port, backlog }))
    const metrics = { ...metricsPage, text: supervisor.metrics(PrometheusMetrics.format()) }
    if (metrics_port !== undefined) {
      const page = Layer.merge(serveMetrics(metrics, { host, port: metrics_port }), layerProcessMetrics)
      yield* Layer.build(Layer.provide(page, layerSecurity()))
    }
    yield* Effect.annotateLogs(Effect.logInfo("starting workers"), { workers })
    return yield* supervisor.run(reloads, showBanner(read))
  }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(stop.stage("the workers"), processLogs(read))))
  yield* Effect.onInterrupt(stop.run(supervise, npxExit), () => exitWithSuccess)
})

const workersFlag = Flag.String("workers").pipe(
  Flag.withDescription(
    "Number of processes that serve the port, or auto: one for each processor. Default: LASTRO_WORKERS, or 1"
  ),
  Flag.optional
)

const workerFlag = Flag.String("worker").pipe(Flag.optional, Flag.withHidden)

/** Migrates the database, fills it if it is empty, and serves the API until it is interrupted. */
export const serve = Command.make(
  "serve",
  { workers: workersFlag, worker: workerFlag },
  ({ worker, workers }) =>
    Effect.gen(function*() {
      const environment = yield* CommandEnvironment
      const read = onTerminal(yield* settings, environment)
      if (Option.isSome(worker)) {
        const place = yield* parseWorkerPlace(worker.value)
        return yield* serveHere(read, environment, { ...place, link: new WorkerLink() })
      }
      return yield* read.workers === 1 ? serveHere(read, environment) : superviseWorkers(read, environment)
    }).pipe(
      Effect.updateService(
        CommandEnvironment,
        (environment) => Option.isNone(workers) ? environment : { ...environment, LASTRO_WORKERS: workers.value }
      )
    )
).pipe(
  Command.withDescription(
    "Migrate the database, fill it if it is empty, and serve the API until SIGTERM or SIGINT. The first start shows the " +
      "generated credentials on standard error if that is a terminal. Otherwise, it writes them to a file that only this user can read, and logs its path."
  ),
  Command.withShortDescription("Migrate the database and serve the API"),
  Command.withExamples([
    { command: "lastro serve", description: "Serve http://127.0.0.1:3000 with an embedded database in .data" },
    { command: "LASTRO_DATA_DIR=memory PORT=8080 lastro serve", description: "Keep no data and use another port" },
    { command: "lastro serve --workers auto", description: "Serve with one process for each processor, on PostgreSQL" }
  ])
)
