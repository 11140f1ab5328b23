import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { migratedDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { ask, at, changeFirstPassword, logIn, signIn, tokenOf } from "./running/asking.ts"
import { runInProcess } from "./running/inProcess.ts"
import { firstSecret, onPostgres, type RunningServer, startServer } from "./running/serving.ts"

const generated = {
  LASTRO_BOOTSTRAP_ADMIN_PASSWORD: "",
  LASTRO_BOOTSTRAP_CLIENT_ID: "",
  LASTRO_BOOTSTRAP_CLIENT_SECRET: ""
}

const kids = ({ url }: RunningServer) =>
  Effect.map(ask({ url }, "/.well-known/jwks.json"), (reply) => at(reply, "keys") as ReadonlyArray<unknown>)

describe("two servers that start concurrently on an empty database", () => {
  it.live("bootstrap it once, without demonstration data, and sign with the same keys", () =>
    Effect.gen(function*() {
      const database = yield* migratedDatabase
      const start = startServer({ ...onPostgres(database), ...generated })
      const [one, other] = yield* Effect.all([start, start], { concurrency: 2 })
      const shown = [one, other].filter((node) => node.err() !== "")
      assert.lengthOf(shown, 1)
      const [first = one] = shown
      const temporary = yield* firstSecret(first, "password")
      const password = yield* changeFirstPassword(one, "ana@example.com", temporary)
      const login = yield* logIn(one, "ana@example.com", password)
      const token = tokenOf(login)
      const partners = yield* ask(other, "/api/v1/partners", { token })
      assert.deepStrictEqual([login.status, partners.status], [200, 200])
      assert.strictEqual(at(partners, "page", "total_elements"), 1)
      assert.deepStrictEqual(yield* kids(one), yield* kids(other))

      const listed = yield* runInProcess(["clients", "list"], onPostgres(database))
      const [, row = "", ...others] = listed.out.trim().split("\n")
      const [id = ""] = row.split("\t")
      assert.deepStrictEqual(others, [])
      const secret = yield* firstSecret(first, "client_secret")
      assert.strictEqual((yield* signIn(other, id, secret)).status, 200)
    }))
})
