import { PgClient } from "@effect/sql-pg"
import { alarmsAt, NodeAlarms, NodeCondition } from "@lastro/domain/adapters"
import { type JobPorts, layerJobPorts, PortsOfJobs, queuesOf, startJobMetrics } from "@lastro/domain/jobs"
import { lenderRegistry } from "@lastro/domain/lender"
import { type DurableWork, expireApplications, maxExpired } from "@lastro/domain/origination"
import { makeTenantMeter, TenantMeter } from "@lastro/domain/ports"
import { layerSenderOfContext, type WebhookSender } from "@lastro/domain/webhook"
import { Context, Effect, Latch, Layer, Queue, Schedule, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import * as PgDatabase from "../database/PgDatabase.ts"
import { pollForever } from "../database/pollForever.ts"
import { layerWithoutTransforms } from "../database/withoutTransforms.ts"
import { registerContractMetrics } from "./contractMetrics.ts"
import { jobChannelSql, webhookNotice } from "./dueJobs.ts"
import * as Durable from "./DurableWork.ts"
import { registerJobMetrics, registerNodeMetrics } from "./jobMetrics.ts"
import { makeJobStatements } from "./jobStatements.ts"
import { makeLeftLenderAlarm } from "./leftLenders.ts"
import { makeNodeEntries } from "./nodeEntries.ts"
import { makeNodeHealth, type NodeHealth } from "./NodeHealth.ts"
import { makeLoadWriter } from "./nodeLoad.ts"
import { keepPresent } from "./presence.ts"
import { makeSweep } from "./startMissingJobs.ts"
import { startWorker } from "./Worker.ts"

/** Settings of the job worker of this process. */
export interface WorkOptions {
  /**
   * A label of this process in the list of nodes, in `lastro check --live` and in logs. It need not be unique. Default:
   * the host name and the process id.
   */
  readonly node?: string | undefined
  /**
   * Maximum number of concurrent jobs, and so of calls to a lender, for each kind of job and each lender. Default: 64.
   */
  readonly maxJobs?: number | undefined
}

/** The pause between two parts of a sweep, a pass over the whole job table. */
const sweepPause = "250 millis"

/** The job worker of this process, with the health of its node. */
export class WorkRunner extends Context.Service<WorkRunner, {
  /**
   * The reason why this node cannot work. Null if it can: it reaches the database, the database accepts its writes, it
   * fetches jobs, its clock is right, and it supports the schema. Returns at once, without a query.
   */
  readonly problem: Effect.Effect<string | null>
  /** True while `problem` is null. */
  readonly isReady: Effect.Effect<boolean>
  /**
   * False while the clock of this node differs from that of the database by more than 30 s (rule JOB-03). Such a node
   * must not serve requests, because offers would expire at the wrong time.
   */
  readonly isClockRight: () => boolean
  /**
   * False if another node has migrated the schema to a version that this program does not support. Such a node must not
   * serve requests, because its statements would fail or store incomplete records.
   */
  readonly isSchemaCompatible: () => boolean
  /**
   * Updates the values of the metrics: the jobs unless counted in the last 5 s, and the open contracts unless counted
   * in the last 15 s. Waits at most 2 s. Never fails. Run it before you read the metrics; otherwise they show older
   * values.
   */
  readonly refreshMetrics: Effect.Effect<void>
}>()("@lastro/adapters-sql/jobs/WorkRunner") {}

/** A notification of another process. */
interface Notice {
  readonly payload?: string | undefined
}

/** Latches that wake the worker: one opens when a job may be due, the other when a webhook delivery may be. */
export interface WakeUps {
  readonly jobs: Latch.Latch
  readonly webhooks: Latch.Latch
}

/** Makes open latches, so that the first poll runs at once. */
export const makeWakeUps = (): WakeUps => ({ jobs: Latch.makeUnsafe(true), webhooks: Latch.makeUnsafe(true) })

/** The database connections of the worker. The API has its own, so its requests cannot delay the worker. */
interface WorkConnections {
  readonly sql: SqlClient.SqlClient
  /**
   * Opens a queue of the notifications of other processes. The queue fails if the connection is lost. Null without
   * LISTEN.
   */
  readonly listen: Effect.Effect<Queue.Dequeue<Notice, SqlError>, SqlError, Scope.Scope> | null
}

const defaultLabel = () => `${hostname()}:${process.pid}`

type Condition = Pick<NodeHealth, "isClockRight" | "isSchemaCompatible" | "problem">

/** Provides the condition of this process to the API. */
const layerCondition = ({ isClockRight, isSchemaCompatible, problem }: Condition): Layer.Layer<never> =>
  Layer.succeed(NodeCondition, {
    isReady: Effect.map(problem, (text) => text === null),
    mayServe: () => isClockRight() && isSchemaCompatible()
  })

const readAlarmsOfProcess = Effect.clockWith((clock) =>
  Effect.map(NodeAlarms, (raised) => () => alarmsAt(raised, clock.currentTimeMillisUnsafe()))
)

const makeRunner = (
  connections: WorkConnections,
  { maxJobs = 64, node }: WorkOptions,
  { jobs: wakeUp, webhooks }: WakeUps
) =>
  Effect.gen(function*() {
    const { listen, sql } = connections
    const client = yield* SqlClient.SqlClient
    const health = makeNodeHealth("worker", [sql, client])
    const id = randomUUID()
    const identity = {
      id,
      label: node ?? defaultLabel(),
      runs_jobs: true,
      alarms: yield* readAlarmsOfProcess
    }
    const codes = (yield* lenderRegistry).lenders.map(({ code }) => code)
    const queues = queuesOf(codes)
    const statements = makeJobStatements(sql, identity, undefined, queues)
    const wake = Effect.asVoid(wakeUp.open)
    yield* registerNodeMetrics(health)
    yield* startJobMetrics
    const onPool = client.withoutTransforms()
    const jobMetrics = yield* registerJobMetrics(onPool, queues)
    const contractMetrics = yield* registerContractMetrics(onPool)
    yield* startWorker(statements, health, { maxJobs, pollMs: 1_000, wakeUp })
    if (listen !== null) yield* Effect.forkScoped(listenForever(listen, wake, Effect.asVoid(webhooks.open)))
    yield* Effect.forkScoped(
      pollForever({
        processBatch: statements.forgetLostNodes.pipe(
          Effect.andThen(statements.forgetCallbacks),
          Effect.andThen(statements.forgetTurns),
          Effect.andThen(makeLeftLenderAlarm(sql, codes)),
          Effect.as(0)
        ),
        batchSize: 1,
        interval: "1 minute",
        failureMessage: "Deleting old rows of the job queue failed; retrying"
      })
    )
    yield* Effect.forkScoped(
      pollForever({
        processBatch: makeSweep().pipe(
          Effect.tap(({ started }) => started > 0 ? wake : Effect.void),
          Effect.flatMap(({ isLast }) => isLast ? Effect.succeed(0) : Effect.as(Effect.sleep(sweepPause), 1)),
          Effect.provideService(SqlClient.SqlClient, sql)
        ),
        batchSize: 1,
        interval: "1 minute",
        failureMessage: "Starting missing jobs failed; retrying"
      })
    )
    yield* Effect.forkScoped(
      pollForever({
        processBatch: Effect.as(yield* makeLoadWriter(sql, id), 0),
        batchSize: 1,
        interval: "5 seconds",
        failureMessage: "Storing the load of this node failed; retrying. lastro top shows older values."
      })
    )
    const ports = yield* Effect.context<JobPorts>()
    const isFit = () => health.isClockRight() && health.isSchemaCompatible()
    yield* Effect.forkScoped(
      pollForever({
        processBatch: Effect.suspend(() =>
          isFit() ? Effect.provideContext(expireApplications(), ports) : Effect.succeed(0)
        ),
        batchSize: maxExpired,
        interval: "5 seconds",
        failureMessage: "The expiry of applications was not recorded; retrying"
      })
    )
    return WorkRunner.of({
      problem: health.problem,
      isReady: Effect.map(health.problem, (problem) => problem === null),
      isClockRight: health.isClockRight,
      isSchemaCompatible: health.isSchemaCompatible,
      refreshMetrics: Effect.all([jobMetrics.refresh, contractMetrics.refresh], { concurrency: 2, discard: true })
    })
  })

/**
 * Wakes the worker when another process announces a job, and the webhook deliveries when one is requested. Both also
 * poll, so they find everything even if this connection is lost.
 */
const listenForever = (
  listen: NonNullable<WorkConnections["listen"]>,
  wake: Effect.Effect<void>,
  wakeWebhooks: Effect.Effect<void>
) => {
  const session = Effect.scoped(Effect.gen(function*() {
    const announcements = yield* listen
    yield* wake
    return yield* Effect.forever(
      Effect.flatMap(Queue.take(announcements), ({ payload }) => payload === webhookNotice ? wakeWebhooks : wake)
    )
  }))
  return Effect.retry(
    Effect.tapError(
      session,
      () => Effect.logWarning("LISTEN failed; polling for jobs every second and reconnecting in 5 s")
    ),
    Schedule.spaced("5 seconds")
  )
}

const layerWorker = <E, R>(
  connections: Effect.Effect<WorkConnections, E, R>,
  options: WorkOptions,
  wakeUps: WakeUps
) =>
  Layer.merge(
    Layer.provideMerge(
      Layer.unwrap(Effect.map(WorkRunner, layerCondition)),
      Layer.effect(WorkRunner, Effect.flatMap(connections, (opened) => makeRunner(opened, options, wakeUps)))
    ),
    layerJobPorts
  ).pipe(Layer.provideMerge(Layer.fresh(Layer.sync(TenantMeter, makeTenantMeter))))

/** Starts durable jobs. After the commit, wakes the worker of this process, which then polls at once. */
export const layerStart = ({ jobs: wakeUp }: WakeUps): Layer.Layer<DurableWork, never, SqlClient.SqlClient> =>
  Layer.provide(Durable.layer(Effect.asVoid(wakeUp.open)), layerWithoutTransforms)

/**
 * Runs durable jobs on a PostgreSQL server. All nodes on the database share the jobs. Opens up to three connections of
 * its own, so that requests of the API cannot delay the jobs.
 */
export const layerPostgresWorker = (options: PgDatabase.PgOptions & WorkOptions, wakeUps: WakeUps) => {
  const database = PgDatabase.layer({
    ...options,
    readUrl: undefined,
    maxConnections: 3,
    statementTimeout: "5 seconds",
    applicationName: `${options.applicationName ?? "lastro"} jobs`
  })
  const connections = Effect.gen(function*() {
    const context = yield* Layer.build(database)
    const sql = Context.get(context, PgClient.PgClient)
    const readChannel = Effect.flatMap(
      sql<{ readonly name: string }>`select ${sql.literal(jobChannelSql)} as name`,
      ([row]) => row === undefined ? Effect.die(new Error("The query returned no row")) : Effect.succeed(row.name)
    )
    return { sql, listen: Effect.flatMap(readChannel, (name) => sql.listen(name)) }
  })
  return layerWorker(connections, options, wakeUps)
}

/** Runs durable jobs on an embedded PGlite, which only this process can open. */
export const layerPgliteWorker = (options: WorkOptions, wakeUps: WakeUps) =>
  layerWorker(
    Effect.map(SqlClient.SqlClient, (sql) => ({ sql: sql.withoutTransforms(), listen: null })),
    options,
    wakeUps
  )

export const layerPostgres = (
  options: PgDatabase.PgOptions & WorkOptions
): Layer.Layer<DurableWork | WorkRunner, SqlError, Exclude<JobPorts, DurableWork> | SqlClient.SqlClient> =>
  Layer.unwrap(Effect.sync(() => {
    const wakeUps = makeWakeUps()
    return Layer.provideMerge(layerPostgresWorker(options, wakeUps), layerStart(wakeUps))
  }))

export const layerPglite = (
  options: WorkOptions = {}
): Layer.Layer<DurableWork | WorkRunner, never, Exclude<JobPorts, DurableWork> | SqlClient.SqlClient> =>
  Layer.unwrap(Effect.sync(() => {
    const wakeUps = makeWakeUps()
    return Layer.provideMerge(layerPgliteWorker(options, wakeUps), layerStart(wakeUps))
  }))

/** Adds this process to the list of nodes until the scope closes, and provides its condition to the API. */
const layerPresence = Layer.unwrap(Effect.gen(function*() {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const health = makeNodeHealth("starter", [sql])
  const identity = { id: randomUUID(), label: defaultLabel(), runs_jobs: false, alarms: yield* readAlarmsOfProcess }
  yield* keepPresent(makeNodeEntries(sql, identity), health)
  return layerCondition(health)
}))

/** Like {@link layerStartOnly}, without an entry in the list of nodes. */
export const layerUnlisted: Layer.Layer<DurableWork | WebhookSender, never, SqlClient.SqlClient> = Layer.mergeAll(
  Layer.provide(Durable.layer(Effect.void), layerWithoutTransforms),
  Layer.succeed(PortsOfJobs, null),
  layerSenderOfContext
)

/**
 * Starts durable jobs without running them: nodes with a `WorkRunner` run them. Also provides the webhook sender of the
 * context. Requires no lender.
 *
 * The process is in the list of nodes until the scope closes. So a migration to a schema that it does not support is
 * refused. By default, an API over this layer is ready while the process reaches the database, its clock is right, and
 * it supports the schema.
 */
export const layerStartOnly: Layer.Layer<DurableWork | WebhookSender, never, SqlClient.SqlClient> = Layer.merge(
  layerUnlisted,
  layerPresence
)
