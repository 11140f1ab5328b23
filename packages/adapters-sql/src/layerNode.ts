import { layerWebhookWorker, replacePorts, type StatusWatchOptions } from "@lastro/domain/adapters"
import { CommissionSettings } from "@lastro/domain/commission"
import { type JobPorts } from "@lastro/domain/jobs"
import { Lender, Lenders, LenderSettings } from "@lastro/domain/lender"
import { type DurableWork, type StatusWatch } from "@lastro/domain/origination"
import { IdGenerator } from "@lastro/domain/ports"
import { layerSenderOfContext, type WebhookQueue, type WebhookSender } from "@lastro/domain/webhook"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type PgOptions } from "./database/PgDatabase.ts"
import { type PgliteOptions } from "./database/PgliteDatabase.ts"
import * as WorkRunner from "./jobs/WorkRunner.ts"
import { layerPglite, layerPostgres, type StartOptions } from "./layer.ts"
import { layerWebhookMetrics } from "./webhook/webhookMetrics.ts"

/** The options of a node, without those of its database. */
export interface NodeLayerOptions extends StartOptions, WorkRunner.WorkOptions {
  /** Limits on the callers that long-poll a status on this node. */
  readonly waiting?: StatusWatchOptions | undefined
}

/** The option with which a host replaces ports of a node. */
export interface ReplacedPorts<P, E, R> {
  /**
   * Your own implementations of ports. All parts of the node use them: the use cases, the durable jobs and the long
   * polls. Your layer can require the original ports, `SqlClient`, and services that you provide to the node. So a
   * replacement can do its own work and then call the original. Other services of your layer are provided, too.
   *
   * Do not provide your ports on top of the node (`Layer.provideMerge(yours, node)`): the use cases would use them, but
   * the durable jobs would not. `openLastro` and `mountApi` reject such a layer.
   */
  readonly replace: Layer.Layer<P, E, R>
}

type PostgresError = Layer.Error<ReturnType<typeof layerPostgres>>

type PgliteError = Layer.Error<ReturnType<typeof layerPglite>>

type DatabasePorts = Layer.Success<ReturnType<typeof layerPostgres>>

/** The services that a replacement can require: every port that a node implements or requires, and `SqlClient`. */
export type OriginalPorts = DatabasePorts | DurableWork | IdGenerator | Lender | StatusWatch | WebhookSender

/** All services that a node provides: its ports and the job worker. */
export type NodeServices = OriginalPorts | WorkRunner.WorkRunner

/** Provides the services that the node requires, so that use cases and durable jobs share them. */
const layerRequired = Layer.mergeAll(
  Layer.effect(Lender, Lender),
  Layer.effect(IdGenerator, IdGenerator),
  Layer.effect(Lenders, Lenders),
  Layer.effect(LenderSettings, LenderSettings),
  Layer.effect(CommissionSettings, CommissionSettings),
  layerSenderOfContext
)

/** Provides the client of this database again, so that it takes precedence over a client in a replacement. */
const layerClient = Layer.effect(SqlClient.SqlClient, SqlClient.SqlClient)

/** Combines the parts of a node: the database with its ports, the replacements, and the worker. */
const layerNode = <D, E, R, P, F, S, G>(
  database: Layer.Layer<D | DatabasePorts, E, R>,
  makeWorker: (wakeUps: WorkRunner.WakeUps) => Layer.Layer<WorkRunner.WorkRunner, G, JobPorts | SqlClient.SqlClient>,
  replace: Layer.Layer<P, F, S>,
  waiting: StatusWatchOptions | undefined
): Layer.Layer<
  P | NodeServices,
  E | F | G,
  R | Lender | IdGenerator | Exclude<S, OriginalPorts>
> =>
  Layer.unwrap(Effect.sync(() => {
    const wakeUps = WorkRunner.makeWakeUps()
    const databasePorts: Layer.Layer<DatabasePorts, E, R> = database
    const originals = Layer.provideMerge(Layer.merge(WorkRunner.layerStart(wakeUps), layerRequired), databasePorts)
    const replaced = replacePorts(originals, replace, waiting)
    const ports = Layer.merge(replaced, Layer.provide(layerClient, databasePorts))
    const jobPorts: Layer.Layer<
      JobPorts | SqlClient.SqlClient | WebhookQueue | WebhookSender,
      Layer.Error<typeof ports>,
      Layer.Services<typeof ports>
    > = ports
    const webhooks = Layer.merge(layerWebhookWorker({ wakeUp: wakeUps.webhooks }), layerWebhookMetrics)
    const worker = Layer.provideMerge(webhooks, makeWorker(wakeUps))
    return Layer.merge(Layer.provide(worker, jobPorts), ports)
  }))

// Each function has two signatures, because a layer in `replace` adds its services to those of the node. The second one
// is without type parameters, so that `ReturnType<typeof layerPostgresNode>` names the services.

type NodeOptions<Database> = Database & NodeLayerOptions & { readonly replace?: undefined }

type ReplacingOptions<Database, P, E, R> = Database & NodeLayerOptions & ReplacedPorts<P, E, R>

type AnyOptions<Database, P, E, R> = Database & NodeLayerOptions & {
  readonly replace?: Layer.Layer<P, E, R> | undefined
}

/**
 * Provides a complete node on PostgreSQL: all database ports, the worker for durable jobs, and long polling for
 * statuses. Nodes on the same database share the jobs. Requires a `Lender` and an `IdGenerator`, and also provides
 * them. Your layer in `replace` replaces ports for all parts of the node.
 */
export function layerPostgresNode<P, E, R>(
  options: ReplacingOptions<PgOptions, P, E, R>
): Layer.Layer<P | NodeServices, E | PostgresError, Lender | IdGenerator | Exclude<R, OriginalPorts>>
/**
 * Provides a complete node on PostgreSQL: all database ports, the worker for durable jobs, and long polling for
 * statuses. Nodes on the same database share the jobs. Requires a `Lender` and an `IdGenerator`, and also provides
 * them.
 */
export function layerPostgresNode(
  options: NodeOptions<PgOptions>
): Layer.Layer<NodeServices, PostgresError, Lender | IdGenerator>
export function layerPostgresNode<P, E, R>({ replace, waiting, ...options }: AnyOptions<PgOptions, P, E, R>) {
  const makeWorker = (wakeUps: WorkRunner.WakeUps) => WorkRunner.layerPostgresWorker(options, wakeUps)
  return layerNode(layerPostgres(options), makeWorker, replace ?? Layer.empty, waiting)
}

/**
 * Provides a complete node on an embedded PGlite, which only this process can open. `dataDir: "memory"` stores nothing
 * on disk. Requires a `Lender` and an `IdGenerator`, and also provides them. Your layer in `replace` replaces ports for
 * all parts of the node.
 */
export function layerPgliteNode<P, E, R>(
  options: ReplacingOptions<PgliteOptions, P, E, R>
): Layer.Layer<P | NodeServices, E | PgliteError, Lender | IdGenerator | Exclude<R, OriginalPorts>>
/**
 * Provides a complete node on an embedded PGlite, which only this process can open. `dataDir: "memory"` stores nothing
 * on disk. Requires a `Lender` and an `IdGenerator`, and also provides them.
 */
export function layerPgliteNode(
  options: NodeOptions<PgliteOptions>
): Layer.Layer<NodeServices, PgliteError, Lender | IdGenerator>
export function layerPgliteNode<P, E, R>({ replace, waiting, ...options }: AnyOptions<PgliteOptions, P, E, R>) {
  const makeWorker = (wakeUps: WorkRunner.WakeUps) => WorkRunner.layerPgliteWorker(options, wakeUps)
  return layerNode(layerPglite(options), makeWorker, replace ?? Layer.empty, waiting)
}
