import { ClientRefused, HostTransactions, StatementRefused } from "@lastro/domain/ports"
import { Effect, Layer } from "effect"
import { AsyncLocalStorage } from "node:async_hooks"

/** Runs the code of a host in units of work in memory. There is no SQL, so `query` and `within` are refused. */
export const layer: Layer.Layer<HostTransactions> = Layer.sync(HostTransactions, () => {
  const flows = new AsyncLocalStorage<object>()
  return HostTransactions.of({
    enter: (flow, callback) => flows.run(flow, callback),
    current: () => flows.getStore(),
    query: () =>
      Effect.fail(
        new StatementRefused("The in-memory database runs no SQL. Test your statements on PostgreSQL or PGlite.")
      ),
    within: () => {
      throw new ClientRefused(
        "The in-memory database cannot join the transaction of a client. Test `within` on PostgreSQL."
      )
    }
  })
})
