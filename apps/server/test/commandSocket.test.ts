import { assert, describe, it, layer } from "@effect/vitest"
import { version } from "@lastro/adapters-http"
import { Context, Effect, Layer, type Scope } from "effect"
import { chmod, lstat, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { connect, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { writeMigrated } from "../../../packages/adapters-sql/test/migratedCache.ts"
import { runInProcess, serveInProcess } from "./running/inProcess.ts"
import { lastro } from "./running/lastro.ts"
import { credentials, usualSettings } from "./running/serving.ts"

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "lastro-socket-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/** Serves an embedded database without rows in a new folder, in which an earlier server may have left a file. */
const serving = (left?: string) =>
  Effect.gen(function*() {
    const folder = join(yield* temporaryFolder, "data")
    yield* writeMigrated(folder)
    if (left !== undefined) yield* Effect.promise(() => writeFile(join(folder, "socket"), left))
    yield* serveInProcess({ LASTRO_DATA_DIR: folder, LASTRO_DEMO: "off" })
    return { folder, run: (...args: ReadonlyArray<string>) => runInProcess(args, { LASTRO_DATA_DIR: folder }) }
  })

/** A server that tests share. */
class Serving extends Context.Service<Serving, Effect.Success<ReturnType<typeof serving>>>()(
  "@lastro/server/test/commandSocket/Serving"
) {}

/** Connects to a socket. Destroys the connection when the scope closes. */
const connected = (path: string): Effect.Effect<Socket, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<Socket>((resume) => {
      const socket = connect(path, () => resume(Effect.succeed(socket))).on("error", () => undefined)
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

/** Sends a text, and returns what the server sends until it closes the connection. */
const exchange = (path: string, text: string): Effect.Effect<string> =>
  Effect.callback<string>((resume) => {
    let answer = ""
    const socket = connect(path, () => socket.write(text))
    socket.setEncoding("utf8").on("data", (part: string) => {
      answer += part
    }).on("error", () => undefined).once("close", () => resume(Effect.succeed(answer)))
  })

const request = (fields: object = {}): string =>
  `${JSON.stringify({ version, args: ["clients", "list"], answers: false, steps: false, ...fields })}\n`

layer(Layer.effect(Serving, serving()), { timeout: 60_000, excludeTestServices: true })(
  "a command beside a running embedded server",
  (it) => {
    it.effect("AUDIT-05 exports and deletes old audit entries, and shows their number", () =>
      Effect.gen(function*() {
        const { run } = yield* Serving
        const future = "2199-01-01"
        const exported = yield* run("audit", "export", "--before", future)
        const entries = exported.out.trim().split("\n").map((line) => JSON.parse(line))
        assert.includeMembers(entries.map(({ action }) => action), ["partner.create", "user.create"])
        assert.deepStrictEqual([exported.err, exported.ending], [`Exported ${entries.length} audit entries.\n`, 0])
        const array = yield* run("audit", "export", "--before", future, "--json")
        assert.deepStrictEqual(JSON.parse(array.out), entries)
        const refused = yield* run("audit", "prune", "--before", future)
        assert.match(refused.err, /^lastro: This cannot be undone/)
        const none = yield* run("audit", "prune", "--before", "2001-01-01", "--yes")
        assert.strictEqual(none.out, "Deleted 0 audit entries before 2001-01-01T02:00:00.000Z.\n")
        const pruned = yield* run("audit", "prune", "--before", future, "--yes", "--json")
        assert.strictEqual(JSON.parse(pruned.out).deleted, entries.length)
        assert.strictEqual((yield* run("audit", "export", "--before", future)).out, "")
        assert.strictEqual((yield* run("audit", "export", "--before", future, "--json")).out, "[]\n")
        assert.strictEqual((yield* run("audit", "export", "--before", "yesterday")).ending, 2)
      }), 30_000)

    it.effect("prints the same as on a database of its own, and has the same exit codes", () =>
      Effect.gen(function*() {
        const { run } = yield* Serving
        const listed = yield* run("clients", "list", "--json")
        assert.deepStrictEqual([listed.ending, listed.err], [0, ""])
        assert.strictEqual(JSON.parse(listed.out)[0].client_id, credentials.LASTRO_BOOTSTRAP_CLIENT_ID)
        const checked = yield* run("check")
        assert.deepStrictEqual([checked.err, checked.ending], ["", 0])
        // Alarms belong to the process, in which other tests have run.
        assert.match(checked.out, /^(?:Alarm of [^\n]*\n)*Every invariant holds\.\n$/)
        assert.deepStrictEqual(yield* run("partners", "activate", "01a1fd4a-d5f1-777b-b523-565628723e72"), {
          out: "",
          err: "lastro: The partner does not exist.\n",
          ending: 1
        })
        const page = JSON.parse((yield* run("partners", "list", "--json")).out)
        assert.strictEqual(page.page.total_elements, 1)
        const [root] = page.content
        assert.match(
          (yield* run("partners", "list")).out,
          new RegExp(`^partner_id\\tparent_id\\t.*\n${root.partner_id}\\t-\\t`)
        )
        assert.strictEqual((yield* run("partners", "tree")).out, `${root.name}  ${root.partner_id}\n`)
        assert.include((yield* run("users", "list")).out, `\t${credentials.LASTRO_BOOTSTRAP_ADMIN_EMAIL}\t`)
        assert.strictEqual((yield* run("applications", "list")).out, "No applications match.\n")
        assert.strictEqual((yield* run("work", "list")).out, "There are no durable jobs.\n")
        assert.strictEqual((yield* run("webhooks", "list")).out, "There are no webhooks.\n")
        const refused = yield* run("users", "list", "--filter", "nome=Ana")
        assert.deepStrictEqual([refused.ending, refused.out], [2, ""])
        assert.match(refused.err, /^lastro: Invalid options\. query\.nome: [^\n]+\.\n$/)
        const rejected = yield* run("partners", "deactivate", root.partner_id)
        assert.match(rejected.err, /^lastro: This cannot be undone, and there is no terminal to confirm it\./)
        assert.strictEqual((yield* run("bootstrap")).ending, 3)
      }), 60_000)

    it.effect("survives garbage, half requests, silence, floods and clients that vanish", () =>
      Effect.gen(function*() {
        const { folder, run } = yield* Serving
        const path = join(folder, "socket")
        assert.strictEqual(yield* exchange(path, "GET / HTTP/1.1\n\n"), "")
        assert.strictEqual(yield* exchange(path, "{\"version\":1}\n"), "")
        assert.strictEqual(yield* exchange(path, "x".repeat(1_000_000)), "")
        const other = yield* exchange(path, request({ version: "0.0.1-other" }))
        assert.match(other, /The server runs version .*"exit":2/s)
        // A command that could block, fill or expose the server is not part of its command tree.
        assert.match(yield* exchange(path, request({ args: ["serve"] })), /"exit":2/)
        assert.match(yield* exchange(path, request({ args: ["seed", "--partners", "1"] })), /"exit":2/)
        for (let count = 0; count < 20; count++) {
          yield* Effect.scoped(
            Effect.flatMap(connected(path), (socket) => Effect.sync(() => socket.write(request({ args: ["check"] }))))
          )
        }
        yield* Effect.scoped(Effect.gen(function*() {
          for (let count = 0; count < 100; count++) yield* connected(path)
          const refused = yield* run("clients", "list")
          assert.strictEqual(refused.ending, 3)
          assert.match(refused.err, /^lastro: The server closed the connection/)
        }))
        const half = exchange(path, request().slice(0, 20))
        const [answer] = yield* Effect.all([half, Effect.sleep("1 millis")], { concurrency: 2 })
        assert.strictEqual(answer, "")
        assert.strictEqual((yield* run("clients", "list")).ending, 0)
      }), 60_000)
  }
)

describe("the socket of a running embedded server", () => {
  it.live(
    "replaces what a killed server left with a private socket, which the server removes at its stop",
    () =>
      Effect.gen(function*() {
        const folder = yield* Effect.scoped(Effect.gen(function*() {
          const { folder, run } = yield* serving("left")
          const [socket, parent] = yield* Effect.promise(() =>
            Promise.all([lstat(join(folder, "socket")), lstat(folder)])
          )
          assert.deepStrictEqual([socket.isSocket(), socket.mode & 0o777, parent.mode & 0o777], [true, 0o600, 0o700])
          // A socket that others can reach may be that of another program, so no command is sent to it.
          yield* Effect.promise(() => chmod(join(folder, "socket"), 0o666))
          assert.strictEqual((yield* run("clients", "list")).ending, 3)
          yield* Effect.promise(() => chmod(join(folder, "socket"), 0o600))
          assert.strictEqual((yield* run("clients", "list")).ending, 0)
          return folder
        }))
        assert.deepStrictEqual(yield* Effect.promise(() => readdir(dirname(folder)).catch(() => [])), [])
      }),
    60_000
  )

  it.live(
    "runs in the server of another process, and asks there, also with a short path for a long data folder",
    () =>
      Effect.gen(function*() {
        const folder = join(yield* temporaryFolder, "d".repeat(120))
        const environment = { ...usualSettings, LASTRO_DATA_DIR: folder, LASTRO_DEMO: "off" }
        yield* writeMigrated(folder)
        const server = yield* lastro(["serve"], environment)
        yield* server.says(/"message":"listening"/)
        const path = yield* Effect.promise(() => readFile(join(folder, "socket.path"), "utf8"))
        assert.isBelow(Buffer.byteLength(path), 104)
        const parent = yield* Effect.promise(() => lstat(dirname(path)))
        assert.strictEqual(parent.mode & 0o777, 0o700)
        assert.strictEqual((yield* runInProcess(["clients", "list"], { LASTRO_DATA_DIR: folder })).ending, 0)
        const revoke = ["clients", "revoke", credentials.LASTRO_BOOTSTRAP_CLIENT_ID]
        const fields = { args: revoke, answers: true }
        assert.match(
          yield* exchange(path, `${request(fields)}{"yes":false}\n`),
          /"ask":".*"err":"lastro: Not confirmed\. Nothing was changed\."}\n{"exit":1}/s
        )
        assert.match(
          yield* exchange(path, request({ args: revoke })),
          /"err":"lastro: This cannot be undone.*"exit":2/s
        )
        assert.match(yield* exchange(path, `${request(fields)}{"yes":true}\n`), /is revoked.*"exit":0/s)
        server.kill("SIGTERM")
        assert.strictEqual(yield* server.ended, 0)
        assert.isUndefined(yield* Effect.promise(() => lstat(dirname(path)).catch(() => undefined)))
      }),
    60_000
  )
})
