import { assert, describe, it } from "@effect/vitest"
import { layerScriptedLender, storeRootPartner } from "@lastro/testkit"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { WorkRunner } from "../../src/jobs/WorkRunner.ts"
import { waitUntil } from "../coordination.ts"
import { migratedDatabase } from "../postgres.ts"
import { pgliteNode, postgresNode, startNode } from "./nodes.ts"

// A full disk rejects rows that need a new page. A change of an existing row can still succeed.
const fillDisk = [
  `create function full_disk() returns trigger language plpgsql as
    'begin raise exception using errcode = ''disk_full''; end'`,
  "create trigger full_disk before insert on partner for each row execute function full_disk()",
  "create trigger full_disk before insert on node for each row when (length(new.label) > 1000) execute function full_disk()"
]

const freeDisk = ["drop trigger full_disk on partner", "drop trigger full_disk on node"]

const nodes = [
  ["PostgreSQL", Layer.unwrap(Effect.map(migratedDatabase, (url) => postgresNode(url, layerScriptedLender)))],
  ["PGlite", pgliteNode("memory", layerScriptedLender)]
] as const

describe.each(nodes)("a node on %s", (_, layer) => {
  it.live(
    "is not ready while the disk of the database is full, and ready again when it has space",
    () =>
      Effect.gen(function*() {
        const { run } = yield* startNode(layer)
        const { isReady, problem } = yield* run(WorkRunner)
        const execute = (statements: ReadonlyArray<string>) =>
          run(Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.forEach(statements, (text) => sql.unsafe(text))))
        yield* waitUntil("the node is ready", isReady)
        yield* execute(fillDisk)
        yield* Effect.ignoreCause(run(storeRootPartner()))
        assert.strictEqual(yield* problem, "the disk of the database is full")
        // The polls of the worker succeed meanwhile.
        yield* Effect.sleep("5 seconds")
        assert.strictEqual(yield* problem, "the disk of the database is full")
        yield* execute(freeDisk)
        yield* waitUntil("the node is ready again", isReady)
        yield* run(storeRootPartner())
      }),
    60_000
  )
})
