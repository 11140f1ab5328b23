import { type Caller } from "@lastro/domain/access"
import { layerSandboxLender, sandboxCpf } from "@lastro/domain/adapters"
import { type Lastro, type LastroTransaction, openLastro, orThrow } from "@lastro/domain/promises"
import { layerMemory } from "@lastro/testkit"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import type pg from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { rejection } from "../../../../test/rejection.ts"
import { layerPglite, layerPostgresNode, layerStartOnly } from "../../src/index.ts"
import { cacheFolder } from "../migratedCache.ts"
import { freshDatabase, makePool } from "../postgres.ts"

let customers = 0

const loan = (external_id: string) => ({
  external_id,
  customer: { cpf: sandboxCpf("00", customers++), birth_date: "1990-05-17", name: "Ana Souza" }
})

/** Initializes an empty installation and returns a caller at its root. */
const openCaller = async (lastro: Lastro) => {
  orThrow(await lastro.bootstrap({ client_id: "host" }))
  return orThrow(await lastro.callerOfClient("host"))
}

/** Plays use cases and statements of the host in turn. `audit` is also the name of a table of Lastro. */
const playBoth = async (tx: LastroTransaction, caller: Caller, id: string) => {
  orThrow(await tx.createApplication(caller, loan(id)))
  await tx.query("insert into orders values ($1)", [id])
  assert.strictEqual((await tx.createApplication(caller, {}))._tag, "Failure")
  await tx.query("insert into audit values ($1)", [id])
  const failed = await rejection(tx.atomically(async (inner) => {
    orThrow(await inner.createApplication(caller, loan("undone")))
    await inner.query("insert into orders values ('undone')")
    await inner.query("insert into orders values ($1)", [id])
  }))
  assert.deepInclude(failed, { code: "23505", table: "orders" })
  assert.lengthOf(orThrow(await tx.listApplications(caller, { external_id: id })).content, 1)
  const { rows } = await tx.query("select id from audit where id = $1", [id])
  assert.deepStrictEqual(rows, [{ id }])
}

/** Waits until the quote of a loan has an answer, and returns the status. */
const awaitQuote = async (lastro: Lastro, caller: Caller, application_id: string) => {
  const known = orThrow(await lastro.getApplicationStatus(caller, application_id)).status
  return known.next_action === "WAIT"
    ? orThrow(await lastro.getApplicationStatus(caller, application_id, { wait: 20, known })).status
    : known
}

const createTables = "do $$ begin create table orders (id text primary key); create table audit (id text); end $$"

describe("Lastro in a schema of its own, and tables of the host", () => {
  const scope = Scope.makeUnsafe()
  let lastro: Lastro
  let caller: Caller
  let pool: pg.Pool

  beforeAll(async () => {
    const url = await Effect.runPromise(Scope.provide(freshDatabase, scope))
    pool = makePool({ connectionString: url, max: 2 })
    await pool.query(createTables)
    const ports = Layer.merge(layerMemory, layerSandboxLender({ stepMs: 0 }))
    const node = layerPostgresNode({ url: Redacted.make(url), schema: "lastro", maxConnections: 1 })
    lastro = await openLastro(Layer.provideMerge(node, ports))
    caller = await openCaller(lastro)
  })
  afterAll(async () => {
    await pool.end()
    await lastro.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const orders = async () =>
    (await pool.query<{ id: string }>("select id from orders order by id")).rows.map(({ id }) => id)

  it("`tx.query` finds the tables of the host without a schema, and none of Lastro", async () => {
    await lastro.atomically((tx) => playBoth(tx, caller, "one"))
    const undone = await rejection(lastro.atomically(async (tx) => {
      await tx.query("insert into orders values ('two')")
      throw new Error("undo")
    }))
    assert.strictEqual(Object(undone).message, "undo")
    assert.deepStrictEqual(await orders(), ["one"])
    const missing = await rejection(lastro.atomically((tx) => tx.query("select 1 from partner")))
    assert.deepInclude(missing, { code: "42P01" })
    const found = await lastro.atomically((tx) => tx.query("select 1 as one from lastro.partner"))
    assert.deepStrictEqual(found.rows, [{ one: 1 }])
    // The only connection of the pool has its own search_path again.
    assert.lengthOf(orThrow(await lastro.listApplications(caller, { external_id: "one" })).content, 1)
  })

  it("the host can roll back to its own savepoint after a statement failed", async () => {
    const rollBack = async (tx: LastroTransaction) => {
      await tx.query("savepoint own")
      await rejection(tx.query("select broken"))
      await tx.query("/* undo */ rollback to savepoint own")
      orThrow(await tx.listApplications(caller))
      await tx.query("select id from orders")
    }
    await lastro.atomically(rollBack)
    const client = await pool.connect()
    try {
      await client.query("begin")
      await lastro.within(client).atomically(rollBack)
      const several = lastro.within(client).atomically((tx) => tx.query("select 1; commit"))
      assert.deepInclude(await rejection(several), { code: "42601" })
      await client.query("commit")
    } finally {
      client.release()
    }
  })

  it("a statement of the host that changes the search_path changes it for no other statement", async () => {
    const change = async (tx: LastroTransaction) => {
      await tx.query("set local search_path to none")
      orThrow(await tx.listApplications(caller))
      await tx.query("select set_config('search_path', 'none', false)")
      orThrow(await tx.listApplications(caller))
    }
    await lastro.atomically(change)
    orThrow(await lastro.listApplications(caller))
    const client = await pool.connect()
    try {
      await client.query("begin")
      // Lastro needs no change to this search_path.
      await client.query("set local search_path to lastro")
      await lastro.within(client).atomically(change)
      const { rows } = await client.query("select current_setting('search_path') as path")
      assert.deepStrictEqual(rows, [{ path: "lastro" }])
      await client.query("rollback")
    } finally {
      client.release()
    }
  })

  it("a statement that is not sent leaves the search_path of Lastro", async () => {
    await lastro.atomically(async (tx) => {
      await rejection(tx.query("insert into orders values ($1)", [Symbol("unsendable")]))
      orThrow(await tx.listApplications(caller))
    })
  })

  it("`within` restores the search_path of the host after each call, also after a refused one", async () => {
    const client = await pool.connect()
    try {
      await client.query("begin")
      await client.query("set local search_path = public, pg_catalog")
      const tx = lastro.within(client)
      await playBoth(tx, caller, "three")
      assert.strictEqual((await tx.createApplication(caller, {}))._tag, "Failure")
      const { rows } = await client.query("select current_setting('search_path') as path")
      assert.deepStrictEqual(rows, [{ path: "public, pg_catalog" }])
      await client.query("insert into orders values ('four')")
      await client.query("commit")
    } finally {
      client.release()
    }
    assert.deepStrictEqual(await orders(), ["four", "one", "three"])
    const { content } = orThrow(await lastro.listApplications(caller, { external_id: "three" }))
    assert.strictEqual((await awaitQuote(lastro, caller, content[0]?.application_id ?? "")).status, "QUOTED")
  })
})

describe("Lastro in a schema of PGlite", () => {
  it("`tx.query` finds the tables of the host without a schema", async () => {
    const database = Layer.provideMerge(
      layerStartOnly,
      Layer.fresh(layerPglite({ dataDir: "memory", cacheFolder, schema: "lastro" }))
    )
    await using lastro = await openLastro(Layer.provideMerge(database, layerMemory))
    const caller = await openCaller(lastro)
    await lastro.atomically((tx) => tx.query(createTables))
    await lastro.atomically((tx) => playBoth(tx, caller, "one"))
  })
})
