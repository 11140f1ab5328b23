import {
  clientProblem,
  ClientRefused,
  type ClientUnits,
  type HostRows,
  HostTransactions,
  IdGenerator,
  SecretGenerator,
  StatementFailed,
  StatementRefused
} from "@lastro/domain/ports"
import { Effect, Layer, Redacted, Ref } from "effect"
import { AsyncLocalStorage } from "node:async_hooks"
import { MemoryClient } from "./MemoryClient.ts"
import { MemoryDatabase, type OpenUnit } from "./MemoryDatabase.ts"

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

/** The open units of work, by transaction. */
type OpenUnits = WeakMap<object, Promise<OpenUnit>>

/** Opens a unit of work for the open transaction of a client, unless it already has one. */
const openUnit = (database: MemoryDatabase["Service"], units: OpenUnits, client: MemoryClient, transaction: object) => {
  const open = units.get(transaction)
  if (open !== undefined) return open
  const unit = Effect.runPromise(database.begin)
  client.endsWith(async (isCommitted) => Effect.runPromise((await unit).end(isCommitted)))
  units.set(transaction, unit)
  return unit
}

/** Joins units of work to the transaction of a client. */
const joinClient = (database: MemoryDatabase["Service"], units: OpenUnits, client: unknown): ClientUnits => {
  if (!(client instanceof MemoryClient)) {
    const problem = clientProblem(client)
    throw new ClientRefused(
      problem === undefined
        ? "In-memory ports cannot join the transaction of a real client. In tests, pass a `MemoryClient` of @lastro/testkit."
        : `In-memory ports take a \`MemoryClient\` of @lastro/testkit for \`within\`, and ${problem}.`
    )
  }
  let begun: object | undefined
  return {
    atomically: (effect) =>
      Effect.suspend(() => {
        const { transaction } = client
        if (transaction === undefined) {
          return Effect.die(
            new ClientRefused(
              "The client is not in a transaction. Send BEGIN on this client, and call Lastro before COMMIT."
            )
          )
        }
        if (begun !== undefined && begun !== transaction) {
          return Effect.die(
            new ClientRefused(
              "The client has begun another transaction since the first call. Call `within` after each BEGIN."
            )
          )
        }
        begun = transaction
        return Effect.flatMap(
          Effect.promise(() => openUnit(database, units, client, transaction)),
          ({ run }) => run(effect)
        )
      }),
    query: (text, values) =>
      Effect.map(
        Effect.tryPromise({ try: () => client.query(text, values), catch: (cause) => new StatementFailed({ cause }) }),
        ({ rowCount, rows }): HostRows => ({ rows: rows as HostRows["rows"], rowCount })
      )
  }
}

/** Runs the code of a host in units of work in memory. Refuses its SQL statements. */
export const layerHostTransactions: Layer.Layer<HostTransactions, never, MemoryDatabase> = Layer.effect(
  HostTransactions,
  Effect.map(MemoryDatabase, (database) => {
    const flows = new AsyncLocalStorage<object>()
    const units: OpenUnits = new WeakMap()
    return HostTransactions.of({
      enter: (flow, callback) => flows.run(flow, callback),
      current: () => flows.getStore(),
      query: () =>
        Effect.fail(
          new StatementRefused("The in-memory database runs no SQL. Test your statements on PostgreSQL or PGlite.")
        ),
      within: (client) => joinClient(database, units, client)
    })
  })
)
