import { assert, describe, it } from "@effect/vitest"
import { layerSecurity, layerTokens } from "@lastro/adapters-http/security"
import { checkInvariants, checkWork, layerPostgresNode, readWorkStatus } from "@lastro/adapters-sql"
import { type Caller } from "@lastro/domain/access"
import { layerSandboxLender } from "@lastro/domain/adapters"
import { type Lastro, openLastro } from "@lastro/domain/promises"
import { aCompleteKyc, aCustomer } from "@lastro/testkit"
import { Effect, Layer, References, Result } from "effect"
import { SqlClient } from "effect/sql"
import { freshDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { asAdministrator, tablesIn } from "../../../packages/adapters-sql/test/schema/roles.ts"
import { runInProcess } from "./running/inProcess.ts"
import { credentials, onPostgres } from "./running/serving.ts"

const openNode = (url: string, schema: string, node: string) =>
  openLastro(
    layerTokens({ issuer: "https://lastro.test" }).pipe(
      Layer.provideMerge(layerPostgresNode({ url, schema, node })),
      Layer.provideMerge(
        Layer.merge(layerSandboxLender({ stepMs: 0 }), layerSecurity({ memory: 64, passes: 1, parallelism: 1 }))
      ),
      Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "Error"))
    )
  )

type Node = Awaited<ReturnType<typeof openNode>>

const callerOn = async (lastro: Lastro): Promise<Caller> =>
  Result.getOrThrow(await lastro.callerOfClient("head-office"))

type SlimStatus = Result.Result.Success<Awaited<ReturnType<Lastro["getApplicationStatus"]>>>["status"]

/** Waits until an application has a status. */
const awaitStatus = async (lastro: Lastro, id: string, wanted: string): Promise<void> => {
  const caller = await callerOn(lastro)
  const awaitAfter = async (known: SlimStatus): Promise<void> => {
    if (known.status === wanted) return
    const next = await lastro.getApplicationStatus(caller, id, { wait: 30, known })
    await awaitAfter(Result.getOrThrow(next).status)
  }
  await awaitAfter(Result.getOrThrow(await lastro.getApplicationStatus(caller, id)).status)
}

/** Takes a loan to PAID, and uses another node for each step. */
const borrow = async (one: Lastro, other: Lastro, external_id: string): Promise<void> => {
  const customer = aCustomer().withSandboxOutcome("PAID").build()
  const { application_id: id } = Result.getOrThrow(
    await one.createApplication(await callerOn(one), { external_id, customer })
  )
  await awaitStatus(other, id, "QUOTED")
  Result.getOrThrow(await other.submitKyc(await callerOn(other), id, aCompleteKyc().for(customer).build()))
  const application = Result.getOrThrow(await one.getApplication(await callerOn(one), id))
  const offer = application.quote.offers[0]?.offer_id ?? assert.fail("the quote has no offer")
  Result.getOrThrow(await one.acceptOffer(await callerOn(one), id, offer, { terms_accepted: true }))
  await awaitStatus(other, id, "CONTRACTED")
}

const readPlace = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [paid] = yield* sql<{ readonly n: number }>`select count(*)::int as n from proposal where status = 'PAID'`
  return {
    paid: paid?.n,
    nodes: (yield* readWorkStatus).nodes,
    findings: [...yield* checkInvariants, ...yield* checkWork]
  }
})

describe("two installations in one database", () => {
  it.live(
    "with two nodes each, take loans to PAID at the same time",
    () =>
      Effect.flatMap(freshDatabase, (url) =>
        Effect.promise(async () => {
          const schemas = ["tenant", "Tenant-\"2\""]
          const openBoth = (schema: string) =>
            Promise.all(["a", "b"].map((name) => openNode(url, schema, `${schema} ${name}`)))
          const nodes = await Promise.all(schemas.map(openBoth))
          try {
            await Promise.all(nodes.map(async ([one, other], index) => {
              if (one === undefined || other === undefined) return assert.fail()
              Result.getOrThrow(await one.bootstrap({ client_id: "head-office" }))
              await Promise.all(Array.from({ length: index + 2 }, (_, n) =>
                n % 2 === 0
                  ? borrow(one, other, `loan-${n}`)
                  : borrow(other, one, `loan-${n}`)))
            }))
            const read = (node: Node | undefined) => node?.run(readPlace) ?? assert.fail()
            const places = await Promise.all(nodes.map(([, other]) => read(other)))
            assert.deepStrictEqual(
              places.map((place) => Result.getOrThrow(place)),
              schemas.map((schema, index) => ({
                paid: index + 2,
                nodes: [`${schema} a`, `${schema} b`],
                findings: []
              }))
            )
            assert.deepStrictEqual(await Effect.runPromise(tablesIn(url, "public")), [])
          } finally {
            await Promise.all(nodes.flat().map((node) => node.close()))
          }
        })),
    60_000
  )
})

describe("the commands", () => {
  it.live("work in the schema of LASTRO_SCHEMA or of DATABASE_URL", () =>
    Effect.gen(function*() {
      const url = yield* freshDatabase
      yield* asAdministrator(url, "create table partner (id int)")
      const run = (args: string, environment: Record<string, string>) =>
        runInProcess(args.split(" "), { ...onPostgres(url), ...credentials, ...environment })
      const inUrl = { DATABASE_URL: `${url}?schema=One` }
      assert.deepInclude(yield* run("migrate", inUrl), { err: "", ending: 0 })
      assert.deepInclude(yield* run("bootstrap", { LASTRO_SCHEMA: "One" }), { err: "", ending: 0 })
      assert.match((yield* run("clients list", inUrl)).out, /^tests\t/m)
      const filled = yield* run("seed --partners 3 --users 3", { LASTRO_SCHEMA: "other" })
      assert.deepInclude(filled, { err: "", ending: 0 })
      for (const LASTRO_SCHEMA of ["One", "other"]) {
        assert.deepStrictEqual(
          yield* run("check", { LASTRO_SCHEMA }),
          { out: "Every invariant holds.\n", err: "", ending: 0 }
        )
      }
      const [database] = yield* asAdministrator(url, "select current_database()::text as name")
      assert.deepStrictEqual(yield* run("migrate", {}), {
        out: "",
        err: `lastro: The schema "public" of the database "${String(database?.["name"])}" has tables with names that ` +
          "Lastro needs and that Lastro did not create (partner): set another schema with the option schema, the " +
          "parameter schema of the database URL, or LASTRO_SCHEMA.\n",
        ending: 2
      })
      assert.deepStrictEqual(yield* tablesIn(url, "public"), ["partner"])
    }), 60_000)
})
