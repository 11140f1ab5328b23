import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { gunzipSync } from "node:zlib"
import { migratedDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { runInProcess } from "./running/inProcess.ts"
import { root } from "./running/lastro.ts"
import { credentials, onPostgres } from "./running/serving.ts"

it.live(
  "`audit export --gzip` writes a gzip file with the lines of `audit export`, and prints their number",
  () =>
    Effect.gen(function*() {
      const environment = { ...onPostgres(yield* migratedDatabase), ...credentials }
      assert.strictEqual((yield* runInProcess(["bootstrap"], environment)).ending, 0)
      const args = ["audit", "export", "--before", "2199-01-01"]
      const plain = yield* runInProcess(args, environment)
      assert.include(plain.out, "\"user.create\"")
      const compressed = execFileSync(process.execPath, ["apps/server/src/main.js", ...args, "--gzip"], {
        cwd: root,
        env: { PATH: process.env["PATH"], ...environment },
        stdio: ["ignore", "pipe", "pipe"]
      })
      assert.strictEqual(gunzipSync(compressed).toString("utf8"), plain.out)
    }),
  60_000
)
