import { layerStatusWatch } from "@lastro/domain/adapters"
import { StatementRefused } from "@lastro/domain/ports"
import { openLastro, orThrow } from "@lastro/domain/promises"
import { freshCpf, layerMemory } from "@lastro/testkit"
import { hostTransactionsSuite } from "@lastro/testkit/suites"
import { Effect, Layer, Result } from "effect"
import * as fc from "fast-check"
import * as runner from "vitest"
import { assert, describe, it } from "vitest"
import { rejection } from "../../../../test/rejection.ts"
import { layerStartOnly } from "../../src/index.ts"
import { sqlAuditInspector } from "../audit/sqlAuditInspector.ts"
import { pglite, postgres, postgresWithoutFolder } from "../databases.ts"
import { readAllRows } from "./readAllRows.ts"

/** Every port of the use cases over a database. The ports that need no database are those in memory. */
const overDatabase = <P, E>(database: Layer.Layer<P, E>) =>
  Layer.merge(
    layerMemory,
    Layer.mergeAll(layerStartOnly, layerStatusWatch(), sqlAuditInspector).pipe(Layer.provideMerge(database))
  )

hostTransactionsSuite("PostgreSQL", overDatabase(postgres({ maxConnections: 1 })), runner, { runs: 5 })

hostTransactionsSuite("PGlite", overDatabase(pglite()), runner, { runs: 2 })

describe("transactions of a host in PostgreSQL", () => {
  it("store the host's own rows and jobs, audit entries and keys together, or leave every table as it was", async () => {
    await using lastro = await openLastro(overDatabase(postgresWithoutFolder({ maxConnections: 2 })))
    const rows = async () => orThrow(await lastro.run(readAllRows))
    orThrow(await lastro.bootstrap({ client_id: "host" }))
    const caller = orThrow(await lastro.callerOfClient("host"))
    await lastro.atomically((tx) => tx.query("create table own (id int primary key, at timestamptz, tags text[])"))

    const cpf = () => Effect.runSync(freshCpf)
    type Tx = Parameters<Parameters<typeof lastro.atomically>[0]>[0]
    const calls: ReadonlyArray<(tx: Tx) => Promise<unknown>> = [
      (tx) => tx.query("insert into own values ((select count(*) from own), $1, $2)", [new Date(0), ["a", "b"]]),
      (tx) =>
        tx.createPartner(caller, {
          partner: { type: "pf", name: "Loja", email: "a@example.com", phone: "1133334444", document_number: cpf() }
        }, { idempotency_key: "key" }),
      (tx) =>
        tx.createApplication(caller, {
          external_id: "loan",
          customer: { cpf: cpf(), birth_date: "1990-05-17", name: "Ana" }
        }),
      (tx) => tx.rotateApiClient("host"),
      (tx) => tx.createPartner(caller, {}),
      (tx) => tx.callerOfClient("nobody"),
      (tx) => tx.listPartners(caller, { size: 1 })
    ]
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([...calls]), async (chosen) => {
        const before = await rows()
        const error = new Error("undo")
        const failed = await rejection(lastro.atomically(async (tx) => {
          await Promise.all(chosen.map((call) => call(tx)))
          throw error
        }))
        assert.strictEqual(failed, error)
        assert.strictEqual(await rows(), before)
      }),
      { numRuns: 10 }
    )
    await lastro.atomically(async (tx) => {
      await Promise.all(calls.map((call) => call(tx)))
    })
    const { rows: own } = await lastro.atomically((tx) =>
      tx.query<{ readonly at: Date; readonly tags: ReadonlyArray<string> }>("select at, tags from own")
    )
    assert.deepStrictEqual(own, [{ at: new Date(0), tags: ["a", "b"] }])
    const stored = await lastro.atomically((tx) => tx.query("select kind from job"))
    assert.deepStrictEqual([stored.rowCount, stored.rows], [1, [{ kind: "quote" }]])
  })

  it("`tx.query` rejects with the error of PostgreSQL, and refuses to end the transaction", async () => {
    await using lastro = await openLastro(overDatabase(postgres({ maxConnections: 1 })))
    await lastro.atomically(async (tx) => {
      await tx.query("create table own (id int primary key)")
      const texts = [
        "/* a /* nested */ comment */ commit",
        "-- done\ncommit",
        "; commit",
        "rollback /* to */",
        "prepare/**/transaction 'a'",
        "commit",
        " ROLLBACK",
        "begin",
        "end",
        "start transaction",
        "abort",
        "prepare transaction 'a'"
      ]
      const refused = await Promise.all(texts.map((text) => rejection(tx.query(text))))
      for (const error of refused) assert.instanceOf(error, StatementRefused)
      const failed = await rejection(tx.atomically(async (inner) => {
        await inner.query("insert into own values ($1)", [1])
        await inner.query("insert into own values ($1)", [1])
      }))
      assert.deepInclude(failed, { code: "23505", constraint: "own_pkey" })
      assert.instanceOf(await rejection(tx.atomically((inner) => inner.query("select 1; commit"))), Error)
      await tx.query("/* keep */ savepoint kept")
      await rejection(tx.query("select broken"))
      await tx.query("-- undo\nrollback /* work */ to savepoint kept")
      const { rowCount } = await tx.query("insert into own values (2)")
      assert.strictEqual(rowCount, 1)
    })
    // A callback that ignores a failed statement cannot commit.
    const ignored = await rejection(lastro.atomically(async (tx) => {
      await tx.query("insert into own values (3)")
      await tx.query("insert into own values (3)").catch(() => {})
    }))
    assert.include(Object(ignored).message, "A statement failed and the transaction cannot commit.")
    assert.deepStrictEqual((await lastro.atomically((tx) => tx.query("select id from own"))).rows, [{ id: 2 }])
  })

  it("a statement of the host that changes the search_path changes it for no other statement", async () => {
    await using lastro = await openLastro(overDatabase(postgres({ maxConnections: 1 })))
    orThrow(await lastro.bootstrap({ client_id: "host" }))
    await lastro.atomically(async (tx) => {
      await tx.query("set local search_path to none")
      orThrow(await tx.callerOfClient("host"))
      await tx.query("select set_config('search_path', 'none', false)")
      orThrow(await tx.callerOfClient("host"))
    })
    orThrow(await lastro.callerOfClient("host"))
  })

  it("rejects with Busy if the connection is lost, and stores nothing", async () => {
    await using lastro = await openLastro(overDatabase(postgres({ maxConnections: 2 })))
    orThrow(await lastro.bootstrap({ client_id: "host" }))
    const caller = orThrow(await lastro.callerOfClient("host"))
    const lost = await rejection(lastro.atomically(async (tx) => {
      orThrow(await tx.rotateApiClient("host"))
      await tx.query("select pg_terminate_backend(pg_backend_pid())").catch(() => {})
      return Result.getOrThrow(await tx.listPartners(caller))
    }))
    assert.strictEqual(Object(lost)._tag, "Busy")
    assert.strictEqual((await lastro.callerOfClient("host"))._tag, "Success")
  })
})
