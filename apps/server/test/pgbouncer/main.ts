import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { readFile } from "node:fs/promises"
import { ignoredByPgBouncer } from "../../../../packages/adapters-sql/src/database/connection/describeFailure.ts"
import { startPostgres } from "../../../../test/postgresServer.ts"
import { ask, at, signIn, tokenOf } from "../running/asking.ts"
import { runToEnd } from "../running/lastro.ts"
import { onPostgres, startServer } from "../running/serving.ts"
import { type PgBouncer, startPgBouncer } from "./PgBouncer.ts"

// Runs Lastro through PgBouncer. PGBOUNCER is the program (Debian package `pgbouncer`).
//
//   PGBOUNCER=/usr/sbin/pgbouncer node apps/server/test/pgbouncer/main.ts

const write = (line: string): void => void process.stdout.write(`${line}\n`)

const require = (isTrue: boolean, problem: string) => isTrue ? Effect.void : Effect.die(new Error(problem))

/** The remedy for transaction and statement pooling. */
const mode = /Set pool_mode = session/

const urlAt = (port: number): string => `postgres://postgres@127.0.0.1:${port}/postgres`

const serves = (port: number) =>
  Effect.gen(function*() {
    const server = yield* startServer(onPostgres(urlAt(port)))
    const token = tokenOf(yield* signIn(server))
    const customer = {
      cpf: "52998224725",
      birth_date: "1990-05-17",
      name: "Maria Souza",
      email: "maria@example.com",
      phone: "11987654321"
    }
    const json = { external_id: "a loan", customer }
    const created = yield* ask(server, "/api/v1/fgts/applications", { token, json })
    yield* require(created.status === 201, created.text)
    const path = `/api/v1/fgts/applications/${String(at(created, "application_id"))}/status`
    yield* Effect.repeat(Effect.delay(ask(server, path, { token }), "100 millis"), {
      until: (reply) => at(reply, "status") !== "QUOTING",
      times: 100
    })
    const status = at(yield* ask(server, path, { token }), "status")
    yield* require(status !== "QUOTING", "No worker has quoted the application")
    const lists = yield* Effect.all(
      Array.from({ length: 40 }, () => ask(server, "/api/v1/partners", { token })),
      { concurrency: 8 }
    )
    yield* require(lists.every((reply) => reply.status === 200), "A list failed")
    yield* require(!server.out().includes("LISTEN failed"), "LISTEN failed")
    return String(status)
  })

const refuses = (port: number, pattern: RegExp) =>
  Effect.gen(function*() {
    const { ending, err } = yield* runToEnd(["migrate"], onPostgres(urlAt(port)))
    yield* require(ending !== 0 && pattern.test(err), `Not refused (${ending}): ${err}`)
    return `exit code ${ending}: ${err.trim()}`
  })

/** A node needs more connections than the pool has: its log names the setting. */
const runsOut = (port: number) =>
  Effect.gen(function*() {
    const server = yield* startServer({ ...onPostgres(urlAt(port)), LASTRO_DB_STATEMENT_TIMEOUT: "1s" })
    const signIns = Effect.all(Array.from({ length: 8 }, () => Effect.ignore(signIn(server))), { concurrency: 8 })
    yield* Effect.forkScoped(Effect.forever(signIns))
    const [message] = yield* server.says(/opened a session, and then did not respond[^"]*default_pool_size[^"]*/)
    return message
  }).pipe(Effect.timeout("1 minute"), Effect.orDie)

/** While nodes run, the pooler changes to transaction pooling and back. Requests fail with 503 meanwhile. */
const survives = ({ change, port }: PgBouncer) =>
  Effect.gen(function*() {
    const server = yield* startServer(onPostgres(urlAt(port)))
    const token = tokenOf(yield* signIn(server))
    const list = Effect.map(
      Effect.all(Array.from({ length: 8 }, () => ask(server, "/api/v1/partners", { token })), { concurrency: 8 }),
      (replies) => replies.map(({ status }) => status)
    )
    yield* list
    yield* change({ pool_mode: "transaction" })
    const refused = yield* Effect.repeat(Effect.delay(list, "50 millis"), {
      until: () => mode.test(server.out()),
      times: 200
    })
    yield* require(mode.test(server.out()), "The log does not name the mode")
    yield* require(refused.every((status) => status === 200 || status === 503), `Responses: ${refused.join()}`)
    yield* change({ pool_mode: "session" })
    const served = yield* Effect.repeat(Effect.delay(list, "50 millis"), {
      until: (statuses) => statuses.every((status) => status === 200),
      times: 200
    })
    yield* require(served.every((status) => status === 200), `Responses: ${served.join()}`)
    return `503 and ${mode.exec(server.out())?.[0] ?? ""}, then 200`
  })

/** The settings of docs/database.md. PgBouncer has no comments at the end of a line. */
const documented = Effect.promise(async () => {
  const page = await readFile(new URL("../../../../docs/database.md", import.meta.url), "utf8")
  const [, block = ""] = /```ini\n([^`]*)```/.exec(page) ?? []
  return Object.fromEntries(
    block.split("\n").flatMap((line) => {
      const [, name, value] = /^(\w+) = (.*)$/.exec(line) ?? []
      return name === undefined || value === undefined ? [] : [[name, value]]
    })
  )
})

const ignoring = { ignore_startup_parameters: ignoredByPgBouncer.split(" = ")[1] ?? "" }

const program = Effect.gen(function*() {
  const { url } = yield* Effect.acquireRelease(
    Effect.promise(startPostgres),
    ({ stop }) => Effect.promise(stop)
  )
  const server = Number(new URL(url).port)
  const through = (settings: Readonly<Record<string, string>>) => startPgBouncer(server, settings)
  const session = yield* through(yield* documented)
  write(`session: an application became ${yield* serves(session.port)}, 40 lists, LISTEN`)
  write(`session, transaction, session: ${yield* survives(session)}`)
  for (const pool_mode of ["transaction", "statement"]) {
    for (const default_pool_size of ["1", "20"]) {
      const { port } = yield* through({ pool_mode, default_pool_size, ...ignoring })
      write(`${pool_mode}, pool of ${default_pool_size}: ${yield* refuses(port, mode)}`)
    }
  }
  const roundRobin = yield* through({
    pool_mode: "transaction",
    server_round_robin: "1",
    min_pool_size: "5",
    ...ignoring
  })
  write(`transaction, round robin: ${yield* refuses(roundRobin.port, mode)}`)
  const small = yield* through({ pool_mode: "session", default_pool_size: "4", ...ignoring })
  write(`session, pool of 4: ${yield* runsOut(small.port)}`)
  const strict = yield* through({ pool_mode: "session" })
  write(`session, startup parameters not ignored: ${yield* refuses(strict.port, /ignore_startup_parameters = /)}`)
})

NodeRuntime.runMain(Effect.scoped(program))
