import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fileURLToPath } from "node:url"
import { migratedDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { ask, signIn, tokenOf } from "./running/asking.ts"
import { databases } from "./running/databases.ts"
import { fromSources, loadedFiles, reportLoadedFiles, running } from "./running/lastro.ts"
import { peakMemory, residentMemory } from "./running/machine.ts"
import { listening, onPostgres, startServer, usualSettings } from "./running/serving.ts"

const mebibytes = 1_024 * 1_024

const main = fileURLToPath(new URL("../src/main.js", import.meta.url))

/** A line that V8 writes for each compiled WebAssembly function: the module, the number of the function, and the compiler. */
const compiled = /^Compiled function (0x[0-9a-f]+)#(\d+) using (\w+)/gm

describe("the memory of a server", () => {
  it.live(
    "on the embedded database stays below 450 MiB, because no function of PGlite is optimized",
    () =>
      Effect.gen(function*() {
        const server = yield* Effect.flatMap(
          running(process.execPath, ["--trace-wasm-compilation-times", main, "serve"], {
            ...usualSettings,
            ...yield* databases.PGlite
          }),
          listening
        )
        const token = tokenOf(yield* signIn(server))
        for (let request = 0; request < 200; request++) {
          assert.strictEqual((yield* ask(server, "/api/v1/users?full_name=a&sort=full_name", { token })).status, 200)
        }
        const lines = [...server.out().matchAll(compiled)]
        // Only PGlite has so many functions. Node.js itself also loads WebAssembly modules.
        const pglite = new Set(lines.filter(([, , index]) => Number(index) > 10_000).map(([, module]) => module))
        const compilers = lines.filter(([, module]) => pglite.has(module)).map(([, , , compiler]) => compiler)
        // No minimum count: V8 drops lines while the pipe is full.
        assert.isNotEmpty(compilers)
        assert.deepStrictEqual([...new Set(compilers)], ["Liftoff"])
        assert.isBelow((yield* peakMemory(server.pid)) / mebibytes, 450)
      }),
    { timeout: 90_000 }
  )

  it.live("on PostgreSQL stays below 200 MiB while idle", () =>
    Effect.gen(function*() {
      const database = onPostgres(yield* migratedDatabase)
      // The first start hashes the passwords of the first users, which takes 64 MiB.
      yield* Effect.scoped(Effect.gen(function*() {
        const { ended, kill } = yield* startServer(database)
        kill("SIGTERM")
        assert.strictEqual(yield* ended, 0)
      }))
      const server = yield* startServer(database)
      assert.strictEqual((yield* ask(server, "/health/ready")).status, 200)
      assert.isBelow((yield* residentMemory(server.pid)) / mebibytes, 200)
    }))

  it.live("on PostgreSQL does not contain the embedded database", () =>
    Effect.gen(function*() {
      const server = yield* startServer({
        ...onPostgres(yield* migratedDatabase),
        ...fromSources,
        ...reportLoadedFiles
      })
      assert.strictEqual((yield* ask(server, "/health/ready")).status, 200)
      const files = loadedFiles(server.err())
      assert.isTrue(files.some((file) => file.endsWith("/PgliteDatabase.ts")))
      assert.deepStrictEqual(files.filter((file) => file.includes("pglite@")), [])
    }))
})
