import { ClientRefused, HostTransactions, IdGenerator, SecretGenerator, StatementRefused } from "@lastro/domain/ports"
import { Effect, Layer, Redacted, Ref } from "effect"
import { AsyncLocalStorage } from "node:async_hooks"

/** Generates sequential ids in the format of UUID version 7, the same in every run. */
export const layerIdGenerator = Layer.effect(
  IdGenerator,
  Effect.map(Ref.make(0), (count) =>
    IdGenerator.of({
      next: Effect.map(
        Ref.updateAndGet(count, (last) => last + 1),
        (number) => `01900000-0000-7000-9000-${number.toString(16).padStart(12, "0")}`
      )
    }))
)

/** Generates sequential secrets, the same in every run. Not secure: for tests only. */
export const layerSecretGenerator = Layer.effect(
  SecretGenerator,
  Effect.map(Ref.make(0), (count) =>
    SecretGenerator.of({
      next: Effect.map(
        Ref.updateAndGet(count, (last) => last + 1),
        (number) => Redacted.make(`not-a-secret_${String(number).padStart(24, "0")}`)
      )
    }))
)

/** Runs the code of a host in units of work in memory. There is no SQL, so `query` and `within` are refused. */
export const layerHostTransactions: Layer.Layer<HostTransactions> = Layer.sync(HostTransactions, () => {
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
