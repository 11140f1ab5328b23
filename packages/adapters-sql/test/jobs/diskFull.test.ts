import { assert, describe, it } from "@effect/vitest"
import { NodeCondition } from "@lastro/domain/adapters"
import { layerScriptedLender, storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { WorkRunner } from "../../src/jobs/WorkRunner.ts"
import { waitUntil } from "../coordination.ts"
import { migratedDatabase } from "../postgres.ts"
import { pgliteNode, postgresNode, startNode, startOnlyProcess } from "./nodes.ts"

// A full disk rejects rows that need a new page. A change of an existing row can still succeed.
const fillDisk = [
  `create function full_disk() returns trigger language plpgsql as
    'begin raise exception using errcode = ''disk_full''; end'`,
  "create trigger full_disk before insert on partner for each row execute function full_disk()",
  "create trigger full_disk before insert on node for each row when (length(new.label) > 1000) execute function full_disk()"
]

const freeDisk = ["drop trigger full_disk on partner", "drop trigger full_disk on node"]

const execute = (statements: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.forEach(statements, (text) => sql.unsafe(text)))

const startOnPostgres = Effect.flatMap(
  migratedDatabase,
  (url) => startNode(postgresNode(url, layerScriptedLender))
)

const startOnPglite = startNode(pgliteNode("memory", layerScriptedLender))

const starts = [["PostgreSQL", startOnPostgres], ["PGlite", startOnPglite]] as const

describe.each(starts)("a node on %s", (_, start) => {
  it.live(
    "is not ready while the disk of its own database is full, and ready again when it has space",
    () =>
      Effect.gen(function*() {
        const { run } = yield* start
        const other = yield* start
        const { isReady, problem } = yield* run(WorkRunner)
        const otherRunner = yield* other.run(WorkRunner)
        yield* waitUntil("the node is ready", isReady)
        yield* waitUntil("the node of the other database is ready", otherRunner.isReady)
        yield* run(execute(fillDisk))
        yield* Effect.ignoreCause(run(storeRootPartner()))
        assert.strictEqual(yield* problem, "the disk of the database is full")
        assert.isNull(yield* otherRunner.problem)
        // The polls of the worker succeed meanwhile.
        yield* Effect.sleep("5 seconds")
        assert.strictEqual(yield* problem, "the disk of the database is full")
        assert.isNull(yield* otherRunner.problem)
        yield* run(execute(freeDisk))
        yield* waitUntil("the node is ready again", isReady)
        yield* run(storeRootPartner())
      }),
    60_000
  )
})

describe("a process that runs no jobs", () => {
  it.live(
    "is not ready while the disk of the database is full, and ready again when it has space",
    () =>
      Effect.gen(function*() {
        const { run } = yield* startNode(startOnlyProcess(yield* migratedDatabase))
        const isReady = yield* run(NodeCondition.useSync((condition) => condition?.isReady ?? Effect.succeed(true)))
        yield* waitUntil("the process is ready", isReady)
        yield* run(execute(fillDisk))
        yield* Effect.ignoreCause(run(storeRootPartner()))
        assert.isFalse(yield* isReady)
        yield* run(execute(freeDisk))
        yield* waitUntil("the process is ready again", isReady)
        yield* run(storeRootPartner())
      }),
    60_000
  )
})
