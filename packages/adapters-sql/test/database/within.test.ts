import { type Caller } from "@lastro/domain/access"
import { layerSandboxLender } from "@lastro/domain/adapters"
import { Busy, ClientRefused, UnitOfWork } from "@lastro/domain/ports"
import { CallOutsideTransaction, type Lastro, openLastro, orThrow, WaitInTransaction } from "@lastro/domain/promises"
import { aCustomer, freshCpf, layerMemory } from "@lastro/testkit"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import pg from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { rejection } from "../../../../test/rejection.ts"
import { ClientConnection } from "../../src/database/client/ClientConnection.ts"
import { type ClientSettings, selectSettings } from "../../src/database/client/ClientSettings.ts"
import { layerPostgresNode } from "../../src/index.ts"
import { makePool, migratedDatabase } from "../postgres.ts"

const partnerBody = (name: string) => ({
  partner: {
    type: "pf",
    name,
    email: "loja@example.com",
    phone: "1133334444",
    document_number: Effect.runSync(freshCpf)
  }
})

const loan = (external_id: string) => {
  const { birth_date, cpf, name } = Effect.runSync(aCustomer().asEffect())
  return { external_id, customer: { birth_date, cpf, name } }
}

/** Waits until the quote of a loan has an answer, and returns the status. */
const awaitQuote = async (lastro: Lastro, caller: Caller, application_id: string) => {
  const known = orThrow(await lastro.getApplicationStatus(caller, application_id)).status
  return known.next_action === "WAIT"
    ? orThrow(await lastro.getApplicationStatus(caller, application_id, { wait: 20, known })).status
    : known
}

describe("within a transaction of the host", () => {
  const scope = Scope.makeUnsafe()
  let url = ""
  let lastro: Lastro
  let caller: Caller
  let pool: pg.Pool

  beforeAll(async () => {
    url = await Effect.runPromise(Scope.provide(migratedDatabase, scope))
    lastro = await openLastro(
      layerPostgresNode({ url: Redacted.make(url), lockTimeout: "500 millis" }).pipe(
        Layer.provideMerge(Layer.merge(layerMemory, layerSandboxLender({ stepMs: 0 })))
      )
    )
    orThrow(await lastro.bootstrap({ client_id: "host" }))
    caller = orThrow(await lastro.callerOfClient("host"))
    pool = makePool({ connectionString: url, max: 4 })
    await pool.query("create table public.host_order (id int primary key, application_id text)")
  })
  afterAll(async () => {
    await pool.end()
    await lastro.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  /** Runs a transaction of the host. */
  const transact = async (work: (client: pg.PoolClient) => Promise<void>, begin = "begin", end = "commit") => {
    const client = await pool.connect()
    try {
      await client.query(begin)
      await work(client)
      await client.query(end)
    } finally {
      client.release(true)
    }
  }

  const names = async () =>
    orThrow(await lastro.listPartners(caller, { sort: "name,asc" })).content.map(({ name }) => name)

  it("use cases commit and roll back with the host, and a refused one rolls back alone", async () => {
    const body = partnerBody("Alfa")
    await transact(async (client) => {
      const tx = lastro.within(client)
      const { partner_id } = orThrow(await tx.createPartner(caller, body))
      assert.strictEqual((await tx.createPartner(caller, body))._tag, "Failure")
      orThrow(await tx.updatePartner(caller, partner_id, { partner: { name: "Alfa Dois" } }))
      assert.notInclude(await names(), "Alfa Dois")
      const { rows } = await client.query("select name from partner where id = $1", [partner_id])
      assert.deepStrictEqual(rows, [{ name: "Alfa Dois" }])
      const isOpen = Effect.flatMap(UnitOfWork, (unit) => unit.isOpen)
      assert.isTrue(orThrow(await tx.run(isOpen)))
      assert.isFalse(orThrow(await lastro.run(isOpen)))
    })
    assert.include(await names(), "Alfa Dois")
    await transact(
      async (client) => {
        orThrow(await lastro.within(client).createPartner(caller, partnerBody("Beta")))
      },
      "begin",
      "rollback"
    )
    assert.notInclude(await names(), "Beta")
  })

  it("a job starts at the commit of the host, and not before", async () => {
    let id = ""
    const jobs = async () => (await pool.query("select 1 from job")).rowCount
    await transact(async (client) => {
      const application = orThrow(await lastro.within(client).createApplication(caller, loan("loan-1")))
      id = application.application_id
      await client.query("insert into host_order values (1, $1)", [id])
      assert.strictEqual((await lastro.getApplication(caller, id))._tag, "Failure")
      assert.strictEqual(await jobs(), 0)
    })
    assert.strictEqual((await awaitQuote(lastro, caller, id)).status, "QUOTED")
  })

  it("reads every record of a client with its own parsers, time zone, date style, search path and tables", async () => {
    const outside = orThrow(await lastro.createApplication(caller, loan("loan-2")))
    await awaitQuote(lastro, caller, outside.application_id)
    const client = new pg.Client({
      connectionString: url,
      options: "-c TimeZone=America/Sao_Paulo -c DateStyle=German -c bytea_output=escape -c search_path=host",
      types: { getTypeParser: () => () => "parsed by the host" }
    })
    await client.connect()
    try {
      await client.query("create schema host; create table host.partner (id int); create temp table audit (id int)")
      await client.query("begin")
      const tx = lastro.within(client)
      const readAll = (
        one: Pick<Lastro, "getApplication" | "listApplications" | "listPartners" | "listUsers">
      ) =>
        Promise.all([
          one.getApplication(caller, outside.application_id),
          one.listApplications(caller),
          one.listPartners(caller),
          one.listUsers(caller)
        ])
      const [inside, own] = [await readAll(tx), await readAll(lastro)]
      assert.deepStrictEqual(inside.map(({ _tag }) => _tag), ["Success", "Success", "Success", "Success"])
      assert.deepStrictEqual(inside, own)
      orThrow(await tx.createPartner(caller, partnerBody("Gama")))
      const { rows } = await tx.query("select current_setting('TimeZone') || current_schema() as session")
      assert.deepStrictEqual(rows, [{ session: "parsed by the host" }])
      const seen = await client.query({
        text:
          "select current_setting('TimeZone') as zone, current_setting('DateStyle') as style, current_schema() as schema",
        types: pg.types
      })
      assert.deepStrictEqual(seen.rows, [{ zone: "America/Sao_Paulo", style: "German, DMY", schema: "host" }])
      await client.query("commit")
    } finally {
      await client.end()
    }
    assert.include(await names(), "Gama")
  })

  it("a savepoint of `tx.atomically` rolls back alone, and refuses the outer functions", async () => {
    await transact(async (client) => {
      const tx = lastro.within(client)
      orThrow(await tx.createPartner(caller, partnerBody("Delta")))
      const failed = await rejection(tx.atomically(async (inner) => {
        orThrow(await inner.createPartner(caller, partnerBody("Epsilon")))
        assert.instanceOf(await rejection(tx.listPartners(caller)), CallOutsideTransaction)
        assert.instanceOf(await rejection(lastro.listPartners(caller)), CallOutsideTransaction)
        throw new Error("undo")
      }))
      assert.strictEqual(Object(failed).message, "undo")
    })
    assert.include(await names(), "Delta")
    assert.notInclude(await names(), "Epsilon")
  })

  it("concurrent calls on one client run one at a time", async () => {
    await transact(async (client) => {
      const one = lastro.within(client)
      const other = lastro.within(client)
      const made = await Promise.all(
        ["Zeta", "Eta", "Teta"].map((name, index) =>
          (index === 1 ? one : other).createPartner(caller, partnerBody(name))
        )
      )
      assert.deepStrictEqual(made.map(({ _tag }) => _tag), ["Success", "Success", "Success"])
    })
    assert.includeMembers(await names(), ["Zeta", "Eta", "Teta"])
  })

  it("`tx.query` waits for the call before it, and is not rolled back with it", async () => {
    const body = partnerBody("Iota")
    await transact(async (client) => {
      const tx = lastro.within(client)
      orThrow(await tx.createPartner(caller, body))
      const [refused] = await Promise.all([
        tx.createPartner(caller, body),
        tx.query("insert into public.host_order values (2)")
      ])
      assert.strictEqual(refused._tag, "Failure")
      const failed = await rejection(tx.atomically(() => Promise.reject(new Error("undo"))))
      assert.strictEqual(Object(failed).message, "undo")
    })
    assert.lengthOf((await pool.query("select 1 from host_order where id = 2")).rows, 1)
  })

  it("in the callback of `tx.atomically`, the outer `tx.query` and a second `within` of the client are refused", async () => {
    await transact(async (client) => {
      const tx = lastro.within(client)
      await tx.atomically(async (inner) => {
        assert.instanceOf(await rejection(tx.query("select 1")), CallOutsideTransaction)
        const second = lastro.within(client)
        assert.instanceOf(await rejection(second.listPartners(caller)), CallOutsideTransaction)
        assert.instanceOf(await rejection(second.atomically(async () => {})), CallOutsideTransaction)
        orThrow(await inner.listPartners(caller))
      })
    })
  })

  it("a callback on one client that calls another client's callback cannot return to the first", async () => {
    await transact((one) =>
      transact(async (other) => {
        await lastro.within(one).atomically(() =>
          lastro.within(other).atomically(async (inner) => {
            assert.instanceOf(await rejection(lastro.within(one).listPartners(caller)), CallOutsideTransaction)
            orThrow(await inner.listPartners(caller))
          })
        )
      })
    )
  })

  it("callbacks that wait for each other's clients end with Busy, and the clients stay usable", async () => {
    const patient = await openLastro(Layer.provideMerge(
      layerPostgresNode({ url, poolTimeout: "1 second" }),
      Layer.merge(layerSandboxLender(), layerMemory)
    ))
    await transact((one) =>
      transact(async (other) => {
        // The first call also opens a connection of the pool, which a busy machine may not do in time.
        await Promise.all([one, other].map((client) => patient.within(client).listPartners(caller)))
        let entered = 0
        let open = () => {}
        const both = new Promise<void>((resolve) => open = resolve)
        const cross = (outer: pg.PoolClient, inner: pg.PoolClient) =>
          patient.within(outer).atomically(async () => {
            if (++entered === 2) open()
            await both
            return patient.within(inner).listPartners(caller)
          })
        const ended = await Promise.allSettled([cross(one, other), cross(other, one)])
        const errors = ended.flatMap((result) => result.status === "rejected" ? [result.reason] : [])
        assert.isNotEmpty(errors)
        for (const error of errors) assert.instanceOf(error, Busy)
        const pages = await Promise.all([one, other].map((client) => patient.within(client).listPartners(caller)))
        for (const page of pages) orThrow(page)
      })
    )
    await patient.close()
  })

  it.for([
    ["without BEGIN", "select 1", "The client is not in a transaction"],
    ["of another isolation level", "begin isolation level serializable", "isolation level serializable"],
    ["that is read-only", "begin read only", "is read-only"]
  ])("a client %s is refused", async ([, begin, reason]) => {
    await transact(async (client) => {
      const refused = await rejection(lastro.within(client).listPartners(caller))
      assert.instanceOf(refused, ClientRefused)
      assert.include(Object(refused).message, reason)
      // The client stays usable.
      assert.lengthOf((await client.query("select 1")).rows, 1)
    }, begin ?? "")
  })

  it("a failed transaction, a client of a different database and a later transaction are refused", async () => {
    await transact(async (client) => {
      await rejection(client.query("select broken"))
      const refused = await rejection(lastro.within(client).listPartners(caller))
      assert.include(Object(refused).message, "has failed")
    })
    const other = new pg.Client({ connectionString: url.replace(/\/[^/]*$/, "/postgres") })
    await other.connect()
    await other.query("begin")
    const refused = await rejection(lastro.within(other).listPartners(caller))
    await other.end()
    assert.include(Object(refused).message, "a different database")
    await transact(async (client) => {
      const tx = lastro.within(client)
      orThrow(await tx.listPartners(caller))
      await client.query("commit")
      assert.include(Object(await rejection(tx.listPartners(caller))).message, "not in a transaction")
      await client.query("begin")
      assert.include(Object(await rejection(tx.listPartners(caller))).message, "another transaction")
      assert.instanceOf(await rejection(tx.getApplicationStatus(caller, "x", { wait: 1 })), WaitInTransaction)
    })
  })

  it("a call whose client does not respond in time is rolled back before the host commits, with its settings", async () => {
    await pool.query("create table public.silent (id int)")
    await transact(async (client) => {
      await client.query("set local search_path = public, pg_catalog")
      const { rows: [present] } = await client.query<ClientSettings>(selectSettings)
      assert.isDefined(present)
      const connection = new ClientConnection(client, () => Effect.succeed({ ...present, schemas: "pg_catalog" }), 100)
      const call = Effect.forEach(
        ["BEGIN", "insert into public.silent values (1)", "select pg_sleep(0.4)"],
        (text) => connection.execute(text, [], undefined)
      )
      assert.instanceOf(await rejection(Effect.runPromise(call)), ClientRefused)
      const { rows } = await client.query("select current_setting('search_path') as path")
      assert.deepStrictEqual(rows, [{ path: "public, pg_catalog" }])
      await client.query("insert into public.silent values (2)")
    })
    assert.deepStrictEqual((await pool.query("select id from public.silent")).rows, [{ id: 2 }])
  })

  it("a value that is no client of `pg` is refused", async () => {
    assert.throws(() => lastro.within(Object.create(null)), ClientRefused)
    const broken = { query: () => Promise.reject(new TypeError("no client")) }
    assert.instanceOf(await rejection(lastro.within(broken).listPartners(caller)), ClientRefused)
  })
})
