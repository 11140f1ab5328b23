import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { completeCpf } from "@lastro/domain/values"
import { Effect } from "effect"
import { rm } from "node:fs/promises"
import { copyAsStandby } from "../../../../packages/adapters-sql/test/standby.ts"
import { openPostgresHost } from "../../../../test/PostgresHost.ts"
import { ask, signIn, tokenOf } from "../running/asking.ts"
import { execute } from "../running/execute.ts"
import { onPostgres, startServer } from "../running/serving.ts"

// Measures the share of lists that a read replica serves while partners are created: two nodes, a primary and a
// streaming standby. Each list is read on the node that did not get the write before it, and must contain that write.
//
//   node apps/server/test/replica/main.ts [SECONDS]

const seconds = Number(process.argv[2] ?? 20)

const write = (line: string): void => void process.stdout.write(`${line}\n`)

const settings = {
  max_connections: "60",
  shared_buffers: "64MB",
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  shared_preload_libraries: "pg_stat_statements",
  "pg_stat_statements.track_utility": "off"
}

const urlAt = (port: number): string => `postgres://postgres@127.0.0.1:${port}/postgres`

const query = (url: string, statement: string) => execute(`${url}?target_session_attrs=any`, [statement])

const countLists =
  "select coalesce(sum(calls), 0)::int as lists from pg_stat_statements where query like '%subtree_count of_top%'"

const program = Effect.gen(function*() {
  const host = yield* Effect.acquireRelease(
    Effect.promise(openPostgresHost),
    ({ directory }) => Effect.promise(() => rm(directory, { recursive: true, force: true, maxRetries: 20 }))
  )
  yield* Effect.promise(() => host.initialize("0"))
  const start = (data: string) =>
    Effect.acquireRelease(Effect.promise(() => host.start({ data, settings })), ({ remove }) => Effect.promise(remove))
  const primary = yield* start("0")
  const url = urlAt(primary.port)
  yield* query(url, "create extension pg_stat_statements")
  yield* copyAsStandby(host, { url, port: primary.port, data: "0" }, "1")
  const standby = yield* start("1")
  const readUrl = urlAt(standby.port)
  const environment = { ...onPostgres(url), LASTRO_READ_DATABASE_URL: readUrl }
  const nodes = [yield* startServer(environment), yield* startServer(environment)] as const
  const tokens = [tokenOf(yield* signIn(nodes[0])), tokenOf(yield* signIn(nodes[1]))] as const
  const end = performance.now() + seconds * 1_000
  const figures = { writes: 0, lists: 0, missing: 0, failed: 0, ms: 0 }
  const work = (worker: number) =>
    Effect.gen(function*() {
      for (let turn = 0; performance.now() < end; turn++) {
        const name = `Shop ${worker} ${turn}`
        const writer = turn % 2 === 0 ? 0 : 1
        const partner = {
          type: "pf",
          name,
          email: "shop@example.com",
          phone: "11987654321",
          document_number: completeCpf(String(100_000_000 + worker * 1_000_000 + turn))
        }
        const created = yield* ask(nodes[writer], "/api/v1/partners", { token: tokens[writer], json: { partner } })
        if (created.status !== 201) {
          figures.failed++
          continue
        }
        figures.writes++
        const id = created.headers.get("location")?.split("/").at(-1) ?? "no location"
        for (let repeat = 0; repeat < 4; repeat++) {
          const started = performance.now()
          const listed = yield* ask(nodes[1 - writer] ?? nodes[0], "/api/v1/partners?size=20&sort=created_at,desc", {
            token: tokens[1 - writer] ?? ""
          })
          figures.ms += performance.now() - started
          figures.lists++
          if (listed.status !== 200) figures.failed++
          else if (repeat === 0 && !listed.text.includes(id)) figures.missing++
        }
      }
    })
  yield* Effect.all([0, 1, 2, 3].map(work), { concurrency: 4 })
  const [ofPrimary] = yield* query(url, countLists)
  const [ofStandby] = yield* query(readUrl, countLists)
  const { failed, lists, missing, ms, writes } = figures
  write(
    `${writes} writes, ${lists} lists (${
      (ms / lists).toFixed(1)
    } ms each), ${failed} failed, ${missing} without the write before it`
  )
  write(`served by the standby: ${String(ofStandby?.["lists"])}, by the primary: ${String(ofPrimary?.["lists"])}`)
})

NodeRuntime.runMain(Effect.scoped(program))
