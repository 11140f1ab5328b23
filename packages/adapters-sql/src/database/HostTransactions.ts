import {
  clientProblem,
  ClientRefused,
  type HostRows,
  HostTransactions,
  isTransactionControl,
  StatementFailed,
  transactionControlRefused
} from "@lastro/domain/ports"
import { Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { AsyncLocalStorage } from "node:async_hooks"
import { makeRunForHost } from "./client/makeRunForHost.ts"
import { mapTransientToBusy } from "./DatabaseFailure.ts"
import { isLean } from "./postgres/LeanClient.ts"

/**
 * Makes the error for a failed statement of the host, the service that embeds Lastro. Its cause is the driver's error,
 * whose `code` is the SQLSTATE.
 */
const failureOf = ({ reason }: SqlError.SqlError) => new StatementFailed({ cause: reason.cause ?? reason })

const readRows = (answer: unknown): HostRows => {
  const { rowCount = null, rows } = answer as { readonly rows: HostRows["rows"]; readonly rowCount?: number | null }
  return { rows, rowCount }
}

export const layer: Layer.Layer<HostTransactions, never, SqlClient.SqlClient> = Layer.effect(
  HostTransactions,
  Effect.map(SqlClient.SqlClient, (client) => {
    const runInTransaction = makeRunForHost(client.withoutTransforms())
    const flows = new AsyncLocalStorage<object>()
    return HostTransactions.of({
      enter: (flow, callback) => flows.run(flow, callback),
      current: () => flows.getStore(),
      query: (text, values) =>
        isTransactionControl(text)
          ? Effect.fail(transactionControlRefused())
          : Effect.mapBoth(runInTransaction(text, values), { onSuccess: readRows, onFailure: failureOf }),
      within: (given) => {
        if (!isLean(client)) {
          throw new ClientRefused("`within` requires the database layer `layerPostgres` or `layerPostgresNode`.")
        }
        const problem = clientProblem(given)
        if (problem !== undefined) {
          throw new ClientRefused(`\`within\` takes a Client or PoolClient of \`pg\`, and ${problem}.`)
        }
        const { runForHost, runInSavepoint } = client.within(given)
        return {
          atomically: (effect) => mapTransientToBusy(runInSavepoint(effect)),
          query: (text, values) =>
            Effect.mapBoth(runForHost(text, values), { onSuccess: readRows, onFailure: failureOf })
        }
      }
    })
  })
)
