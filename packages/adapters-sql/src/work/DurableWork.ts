import { DurableWork } from "@lastro/domain/origination"
import { Effect, Layer } from "effect"
import { ClusterError, EntityId, Sharding } from "effect/cluster"
import { SqlError } from "effect/sql"
import { WorkflowEngine } from "effect/workflow"
import { DatabaseFailure } from "../database/DatabaseFailure.ts"
import { type NotifyShard } from "./notify.ts"
import { ContractWorkflow, QuoteWorkflow } from "./workflows.ts"

/** Converts a failed write of the engine to a `DatabaseFailure`. */
const toDatabaseFailure = (defect: unknown): unknown =>
  defect instanceof ClusterError.PersistenceError && SqlError.isSqlError(defect.cause)
    ? new DatabaseFailure(defect.cause)
    : defect

/** The engine's default shard group. */
const shardGroup = "default"

/**
 * Starts durable jobs. The engine writes a job in the surrounding transaction. After the commit, the worker of the
 * job's shard is notified.
 */
export const layer = <R>(
  makeNotifier: Effect.Effect<NotifyShard, never, R>
): Layer.Layer<DurableWork, never, R | Sharding.Sharding | WorkflowEngine.WorkflowEngine> =>
  Layer.effect(
    DurableWork,
    Effect.gen(function*() {
      const engine = yield* WorkflowEngine.WorkflowEngine
      const sharding = yield* Sharding.Sharding
      const notifyShard = yield* makeNotifier
      const start = (enqueue: Effect.Effect<string, never, WorkflowEngine.WorkflowEngine>) =>
        enqueue.pipe(
          Effect.provideService(WorkflowEngine.WorkflowEngine, engine),
          Effect.catchDefect((defect) => Effect.die(toDatabaseFailure(defect))),
          Effect.flatMap((id) => notifyShard(sharding.getShardId(EntityId.make(id), shardGroup)))
        )
      return DurableWork.of({
        startQuote: Effect.fn("DurableWork.startQuote")((quote_id) =>
          start(QuoteWorkflow.execute({ quote_id }, { discard: true }))
        ),
        startContract: Effect.fn("DurableWork.startContract")((proposal_id, attempt) =>
          start(ContractWorkflow.execute({ proposal_id, attempt }, { discard: true }))
        )
      })
    })
  )
