import { type Job } from "@lastro/domain/jobs"
import { DurableWork } from "@lastro/domain/origination"
import { currentTraceparent } from "@lastro/domain/values"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { orDie } from "../database/DatabaseFailure.ts"
import { sendAhead } from "../database/postgres/statements.ts"
import { makeJobDue, startJob } from "./dueJobs.ts"

/**
 * Starts durable jobs in the current transaction. After the commit, `wake` makes the worker of this process poll for
 * due jobs, and PostgreSQL notifies the workers of other processes.
 */
export const layer = (wake: Effect.Effect<void>): Layer.Layer<DurableWork, never, SqlClient.SqlClient> =>
  Layer.effect(
    DurableWork,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const start = Effect.fnUntraced(function*(job: Job) {
        yield* orDie(sendAhead(startJob(sql, job, yield* currentTraceparent)))
        yield* sql.afterCommit(wake)
      })
      // OpenTelemetry: this span produces a message, and the run of the job consumes it.
      const producer = { kind: "producer" } as const
      return DurableWork.of({
        startQuote: Effect.fn("DurableWork.startQuote", producer)((id, lender) =>
          start({ kind: "quote", id, ...(lender === undefined ? {} : { lender }) })
        ),
        startPatience: Effect.fn("DurableWork.startPatience", producer)((id) => start({ kind: "patience", id })),
        startContract: Effect.fn("DurableWork.startContract", producer)((id, lender) =>
          start({ kind: "contract", id, ...(lender === undefined ? {} : { lender }) })
        ),
        makeDue: Effect.fn("DurableWork.makeDue")((target) =>
          Effect.andThen(orDie(makeJobDue(sql, target)), sql.afterCommit(wake))
        )
      })
    })
  )
