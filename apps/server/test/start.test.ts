import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdir, readdir, stat } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { migratedDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { ask, at, logIn, signIn, tokenOf } from "./running/asking.ts"
import { runInProcess, serveInProcess } from "./running/inProcess.ts"
import { type Environment, runToEnd } from "./running/lastro.ts"
import { emptyFolder, keyFile } from "./running/machine.ts"
import { credentials, firstSecret, onPostgres, startServer } from "./running/serving.ts"

/** A port that another server listens on. */
const takenPort = Effect.acquireRelease(
  Effect.promise(() =>
    new Promise<{ readonly port: number; readonly close: () => void }>((resolve) => {
      const server = createServer().listen(0, "127.0.0.1", () => {
        const address = server.address()
        resolve({ port: typeof address === "object" ? address?.port ?? 0 : 0, close: () => server.close() })
      })
    })
  ),
  ({ close }) => Effect.sync(close)
)

const failsToStart = Effect.fnUntraced(
  function*(environment: Environment, line: RegExp, code: number, run: typeof runInProcess = runInProcess) {
    const { ending, err, out } = yield* run(["serve"], environment)
    assert.match(err, line)
    assert.strictEqual(ending, code)
    assert.strictEqual(out, "")
  }
)

describe.concurrent("the start", () => {
  it.live("fails with one line that names the invalid setting", () =>
    Effect.all([
      failsToStart({ LASTRO_DATADIR: "x" }, /^lastro: LASTRO_DATADIR is not a setting\. [^\n]*\n$/, 2, runToEnd),
      failsToStart({ LASTRO_SIGNING_KEYS: "/nowhere" }, /^lastro: LASTRO_SIGNING_KEYS must be [^\n]*\n$/, 2),
      failsToStart(
        { LASTRO_LENDER: "http", LASTRO_LENDER_URL: "https://lastro:hunter2@lender.example" },
        /^lastro: LASTRO_LENDER_URL must be an https URL, [^\n]*\n$/,
        2
      ),
      failsToStart({ LASTRO_DATA_DIR: "/dev/null/data" }, /^lastro: Cannot mkdir \/dev\/null\/data: ENOTDIR.\n$/, 2),
      failsToStart(
        {
          DATABASE_URL: "postgres://lastro:hunter2@127.0.0.1:1/x",
          LASTRO_LENDER: "sandbox",
          LASTRO_ISSUER: "https://lastro.test"
        },
        /^lastro: Nothing accepts connections at 127\.0\.0\.1:1\. Check [^\n]*\n$/,
        3
      )
    ], { concurrency: 2 }))

  it.live(
    "fails with one line that names the key of a signing-key file that may not sign",
    () =>
      Effect.gen(function*() {
        const encrypting = yield* keyFile("one", { use: "enc" })
        yield* failsToStart(
          { ...onPostgres(yield* migratedDatabase), LASTRO_SIGNING_KEYS: encrypting },
          /^lastro: LASTRO_SIGNING_KEYS names a file [^\n]*: key 1 has a "use" other than "sig"\n$/,
          2
        )
      }),
    60_000
  )

  it.live("fails with one line if the data folder is damaged", () =>
    Effect.gen(function*() {
      const data = yield* emptyFolder
      yield* Effect.promise(() => mkdir(join(data, "database")))
      yield* failsToStart(
        { LASTRO_DATA_DIR: data },
        /^lastro: The embedded database in \/[^\n]*\/database does not start \(its file PG_VERSION is missing\); [^\n]*\n$/,
        3
      )
    }))

  it.live("fails with one line if the port is in use", () =>
    Effect.gen(function*() {
      const { port } = yield* takenPort
      const { ending, err } = yield* runToEnd(["serve"], {
        ...onPostgres(yield* migratedDatabase),
        ...credentials,
        LASTRO_METRICS_PORT: String(port)
      })
      assert.strictEqual(
        err.split("\n\n").at(-1),
        `lastro: Cannot listen on port ${port}: the port is in use by another process. Set PORT to a free port.\n`
      )
      assert.strictEqual(ending, 2)
    }))

  it.live(
    "C02 writes generated credentials to a private file that the log names, requires another password, and keeps its data in the folder",
    () =>
      Effect.gen(function*() {
        const data = join(yield* emptyFolder, "data")
        const textFiles = Effect.map(
          Effect.promise(() => readdir(data)),
          (names) => names.filter((name) => name.endsWith(".txt"))
        )
        const demonstrated = yield* Effect.scoped(Effect.gen(function*() {
          const server = yield* startServer({
            LASTRO_DATA_DIR: data,
            LASTRO_BOOTSTRAP_ADMIN_PASSWORD: "",
            LASTRO_BOOTSTRAP_CLIENT_ID: "",
            LASTRO_BOOTSTRAP_CLIENT_SECRET: ""
          })
          const shown = (label: "password" | "client_id" | "client_secret") => firstSecret(server, label)
          const [password, id, secret] = [
            yield* shown("password"),
            yield* shown("client_id"),
            yield* shown("client_secret")
          ]
          const [file = "", ...others] = yield* textFiles
          assert.isEmpty(others)
          assert.strictEqual((yield* Effect.promise(() => stat(join(data, file)))).mode & 0o777, 0o600)
          for (const made of [password, secret]) {
            assert.match(made, /^[A-Za-z0-9_-]{43}$/)
            assert.notInclude(server.out() + server.err(), made)
          }
          assert.include(server.err(), file)
          assert.notInclude(server.out() + server.err(), "ana@example.com")
          const [user, client] = [yield* logIn(server, "ana@example.com", password), yield* signIn(server, id, secret)]
          assert.deepStrictEqual([user.status, client.status], [200, 200])
          const partners = yield* ask(server, "/api/v1/partners", { token: tokenOf(client) })
          const due = yield* ask(server, "/api/v1/partners", { token: tokenOf(user) })
          assert.strictEqual(at(due, "error", "code"), "PASSWORD_CHANGE_REQUIRED")
          const second = yield* runInProcess(["serve"], { LASTRO_DATA_DIR: data })
          assert.strictEqual(
            second.err,
            `lastro: The data folder ${data} is in use by process ${server.pid}; only one process can open it at a time.\n`
          )
          assert.deepStrictEqual([second.ending, second.out], [3, ""])
          server.kill("SIGTERM")
          assert.strictEqual(yield* server.ended, 0)
          assert.notInclude(server.out(), tokenOf(client))
          return { id, secret, password, total: at(partners, "page", "total_elements") }
        }))
        assert.isAbove(Number(demonstrated.total), 5)

        const { id, password, secret, total } = demonstrated
        const again = yield* serveInProcess({ LASTRO_DATA_DIR: data, LASTRO_BOOTSTRAP_CLIENT_ID: "another" })
        // The test has removed the file of the first start.
        assert.isEmpty(yield* textFiles)
        assert.strictEqual((yield* logIn(again, "ana@example.com", password)).status, 200)
        assert.strictEqual((yield* signIn(again, "another")).status, 401)
        const partners = yield* ask(again, "/api/v1/partners", { token: tokenOf(yield* signIn(again, id, secret)) })
        assert.strictEqual(at(partners, "page", "total_elements"), total)
      }),
    { timeout: 90_000 }
  )
})
