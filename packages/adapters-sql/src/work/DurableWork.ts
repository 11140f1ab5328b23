import { DurableWork } from "@lastro/domain"
import { Effect, Layer } from "effect"
import { ClusterError, EntityId, Sharding } from "effect/cluster"
import { SqlError } from "effect/sql"
import { WorkflowEngine } from "effect/workflow"
import { DatabaseFailure } from "../database/DatabaseFailure.ts"
import { ContractWork } from "./ContractWork.ts"
import { type Wake } from "./notify.ts"
import { QuoteWork } from "./QuoteWork.ts"

/** What the engine could not write is a failure of the database like any other. */
const failureOf = (defect: unknown): unknown =>
  defect instanceof ClusterError.PersistenceError && SqlError.isSqlError(defect.cause)
    ? new DatabaseFailure(defect.cause)
    : defect

/** The group that the engine counts works to that do not say otherwise. */
const group = "default"

/**
 * Starts durable work: the engine writes the order for it within the transaction around it, and whoever does the work is woken
 * once that has committed.
 */
export const layer = <R>(
  waking: Effect.Effect<Wake, never, R>
): Layer.Layer<DurableWork, never, R | Sharding.Sharding | WorkflowEngine.WorkflowEngine> =>
  Layer.effect(
    DurableWork,
    Effect.gen(function*() {
      const engine = yield* WorkflowEngine.WorkflowEngine
      const sharding = yield* Sharding.Sharding
      const wake = yield* waking
      const start = (ordering: Effect.Effect<string, never, WorkflowEngine.WorkflowEngine>) =>
        ordering.pipe(
          Effect.provideService(WorkflowEngine.WorkflowEngine, engine),
          Effect.catchDefect((defect) => Effect.die(failureOf(defect))),
          Effect.flatMap((id) => wake(sharding.getShardId(EntityId.make(id), group)))
        )
      return DurableWork.of({
        startQuote: Effect.fn("DurableWork.startQuote")((quote_id) =>
          start(QuoteWork.execute({ quote_id }, { discard: true }))
        ),
        startContract: Effect.fn("DurableWork.startContract")((proposal_id, attempt) =>
          start(ContractWork.execute({ proposal_id, attempt }, { discard: true }))
        )
      })
    })
  )
