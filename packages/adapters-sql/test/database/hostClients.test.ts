import { type Caller } from "@lastro/domain/access"
import { ClientRefused, type DatabaseClient } from "@lastro/domain/ports"
import { type Lastro, type LastroTransaction, openLastro, orThrow } from "@lastro/domain/promises"
import { freshCpf, layerMemory } from "@lastro/testkit"
import { sql as drizzleSql } from "drizzle-orm"
import { drizzle } from "drizzle-orm/node-postgres"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { CompiledQuery, Kysely, PostgresDialect } from "kysely"
import type pg from "pg"
import postgres from "postgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { clientOfPostgresJs, clientsOfPool, layerPostgresNode } from "../../src/index.ts"
import { makePool, migratedDatabase } from "../postgres.ts"

/** Runs a transaction of a library. `work` gets `tx`, and a function that inserts an order with the library. */
type Transact = (
  work: (tx: LastroTransaction, insert: (id: number) => PromiseLike<unknown>) => Promise<void>
) => Promise<void>

describe("clients of other libraries", () => {
  const scope = Scope.makeUnsafe()
  let url = ""
  let lastro: Lastro
  let caller: Caller
  let pool: pg.Pool
  let sql: postgres.Sql

  beforeAll(async () => {
    url = await Effect.runPromise(Scope.provide(migratedDatabase, scope))
    lastro = await openLastro(Layer.provideMerge(layerPostgresNode({ url: Redacted.make(url) }), layerMemory))
    orThrow(await lastro.bootstrap({ client_id: "host" }))
    caller = orThrow(await lastro.callerOfClient("host"))
    pool = makePool({ connectionString: url, max: 4 })
    sql = postgres(url, { max: 2, onnotice: () => {} })
    await sql`create table public.host_order (id int primary key)`
  })
  afterAll(async () => {
    await pool.end()
    await sql.end()
    await lastro.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const libraries: Readonly<Record<string, () => Transact>> = {
    Kysely: () => {
      const clients = clientsOfPool(pool)
      const db = new Kysely<{ readonly host_order: { readonly id: number } }>({
        dialect: new PostgresDialect({ pool })
      })
      return (work) =>
        db.transaction().execute(async (trx) => {
          const client = await clients.of((text) => trx.executeQuery(CompiledQuery.raw(text)))
          await work(lastro.within(client), (id) => trx.insertInto("host_order").values({ id }).execute())
        })
    },
    Drizzle: () => {
      const clients = clientsOfPool(pool)
      const db = drizzle({ client: pool })
      return (work) =>
        db.transaction(async (trx) => {
          const client = await clients.of((text) => trx.execute(drizzleSql.raw(text)))
          await work(lastro.within(client), (id) => trx.execute(drizzleSql`insert into host_order values (${id})`))
        })
    },
    "postgres.js": () => async (work) => {
      await sql.begin((own) =>
        work(lastro.within(clientOfPostgresJs(own)), (id) => own`insert into host_order values (${id})`)
      )
    }
  }

  for (const [name, makeTransact] of Object.entries(libraries)) {
    it(`${name}: use cases and rows of the library commit and roll back together`, async () => {
      // Connections that are not tracked yet are closed, so that the library opens new ones.
      await pool.end()
      pool = makePool({ connectionString: url, max: 4 })
      const transact = makeTransact()
      const partnerBody = (partner: string) => ({
        partner: {
          type: "pf",
          name: partner,
          email: "loja@example.com",
          phone: "1133334444",
          document_number: Effect.runSync(freshCpf)
        },
        metadata: { plan: "ouro", word: "é" }
      })
      const stored = async () => {
        const { content } = orThrow(await lastro.listPartners(caller, { name }))
        const { rowCount } = await pool.query("select from public.host_order")
        return [content.length, rowCount]
      }
      await pool.query("truncate public.host_order")
      const undo = new Error("undo")
      const failed = transact(async (tx, insert) => {
        orThrow(await tx.createPartner(caller, partnerBody(name)))
        await insert(1)
        throw undo
      })
      assert.strictEqual(await failed.catch((error: unknown) => error), undo)
      assert.deepStrictEqual(await stored(), [0, 0])

      await transact(async (tx, insert) => {
        const made = orThrow(await tx.createPartner(caller, partnerBody(name)))
        await insert(1)
        // Every kind of column comes back as from Lastro's own client.
        const read = orThrow(await tx.getPartner(caller, made.partner_id))
        assert.strictEqual(read.metadata["word"], "é")
        assert.match(read.created_at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
        assert.strictEqual(orThrow(await tx.rotateApiClient("host", { ends_earlier: true })).client.client_id, "host")
        assert.isTrue((await tx.updatePartner(caller, made.partner_id, { partner: { name: "" } }))._tag === "Failure")
        const body = {
          external_id: name,
          customer: { cpf: "52998224725", birth_date: "1990-05-17", name: "Ana Souza" }
        }
        orThrow(await tx.createApplication(caller, body))
        const { content } = orThrow(await tx.listApplications(caller, { external_id: name }))
        assert.lengthOf(content, 1)
        const { rowCount, rows } = await tx.query("select id, $1::text as word from public.host_order", ["já"])
        assert.deepStrictEqual([rowCount, Array.from(rows)], [1, [{ id: 1, word: "já" }]])
        await tx.atomically(async (inner) => {
          orThrow(await inner.createPartner(caller, partnerBody(name)))
          throw undo
        }).catch(() => {})
      })
      assert.deepStrictEqual(await stored(), [1, 1])
    })
  }

  it("`within` refuses each object that is not a client, with the mistake and the remedy", async () => {
    const kysely = new Kysely({ dialect: new PostgresDialect({ pool }) })
    const mistakes: ReadonlyArray<readonly [given: unknown, message: RegExp]> = [
      [
        pool,
        /is a Pool, which runs each statement on any of its connections\. Check out a client with `await pool\.connect\(\)`/
      ],
      [pool.connect().then((client) => client.release()), /is a promise\. Add `await`/],
      [kysely, /is a Kysely object\. .*`clientsOfPool`/],
      [drizzle({ client: pool }), /is a database of Drizzle\. .*`clientsOfPool`/],
      [sql, /is an `sql` of postgres\.js\. Pass `clientOfPostgresJs\(sql\)`/],
      [{ $queryRawUnsafe: () => {} }, /is a client of Prisma\. .*`clientsOfPool`/],
      [undefined, /is of the type undefined\.$/],
      [null, /is null\.$/],
      [url, /is of the type string\.$/],
      [{}, /has no function `query`\.$/]
    ]
    for (const [given, message] of mistakes) {
      assert.throws(() => lastro.within(given as DatabaseClient), ClientRefused, message)
    }
  })

  it("`clientsOfPool` refuses an answer without rows, and a transaction of another pool", async () => {
    const clients = clientsOfPool(pool)
    const refusal = (run: (text: string) => PromiseLike<unknown>) => clients.of(run).catch(String)
    assert.match(String(await refusal(async () => undefined)), /^ClientRefused: The function must return the rows/)
    assert.match(String(await refusal((text) => sql.unsafe(text))), /^ClientRefused: The pool has no client with this/)
  })
})
