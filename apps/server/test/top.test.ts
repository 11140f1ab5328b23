import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { migratedDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { ask, signIn, tokenOf } from "./running/asking.ts"
import { applicationClient } from "./running/desk.ts"
import { runInProcess, serveInProcess } from "./running/inProcess.ts"
import { onPostgres } from "./running/serving.ts"

interface Top {
  readonly nodes: number
  readonly tenants: ReadonlyArray<{
    readonly root_partner_id: string | null
    readonly requests: number
    readonly processor_ms: number
    readonly lender_calls: number
  }>
}

describe("lastro top", () => {
  it.live("adds up the work of two nodes for a tenant, without its name", () =>
    Effect.gen(function*() {
      const environment = { ...onPostgres(yield* migratedDatabase), LASTRO_SANDBOX_STEP_MS: "0" }
      const [one, other] = [yield* serveInProcess(environment), yield* serveInProcess(environment)]
      const token = tokenOf(yield* signIn(one))
      yield* Effect.forEach([one, one, one, other, other], (server) => ask(server, "/api/v1/partners", { token }))
      yield* applicationClient(other, token).search("none")
      const read = Effect.map(
        runInProcess(["top", "--json"], environment),
        ({ out }) => JSON.parse(out) as Top
      )
      const isComplete = ({ nodes, tenants }: Top) =>
        nodes === 2 && tenants.some((load) => load.root_partner_id !== null && load.requests >= 6)
      const { tenants } = yield* Effect.repeat(read, { until: isComplete, schedule: Schedule.spaced("500 millis") })
      const [tenant, ...others] = tenants.filter((load) => load.root_partner_id !== null)
      assert.deepStrictEqual([others, tenant?.requests], [[], 6])
      // The sign-in has no caller yet.
      assert.isAtLeast(tenants.find((load) => load.root_partner_id === null)?.requests ?? 0, 1)

      const { out } = yield* runInProcess(["top"], environment)
      const [header, line] = out.split("\n")
      assert.strictEqual(header, "root\trequests\tprocessor_ms\tlender_calls")
      assert.strictEqual(line?.split("\t").length, 4)
    }), 60_000)
})
