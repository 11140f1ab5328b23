import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { stat } from "node:fs/promises"
import { join } from "node:path"
import { documentedCommands, runDocumented } from "../running/documentedCommands.ts"
import { replaceServerWithJobs } from "../running/jobsInProgress.ts"
import { type Environment } from "../running/lastro.ts"
import { emptyFolder } from "../running/machine.ts"
import { onPostgres } from "../running/serving.ts"

const write = (line: string): void => void process.stdout.write(`${line}\n`)

/** The URL of a superuser. `pg_dump` must not be older than this server. */
const administrator = process.env["DRILL_DATABASE_URL"] ?? ""

const urlOf = (database: string): string => {
  const url = new URL(administrator)
  url.username = "lastro"
  url.password = "lastro"
  url.pathname = `/${database}`
  return url.href
}

const run = (name: string, block: string, environment: Environment) =>
  Effect.gen(function*() {
    const began = performance.now()
    const { ending, err, out } = yield* runDocumented(block, environment)
    write(`${name}: ${((performance.now() - began) / 1_000).toFixed(1)} s; ${out.trim().split("\n").at(-1) ?? ""}`)
    if (ending !== 0) return yield* Effect.die(`${block}\nended with ${ending}: ${err}`)
  })

const administer = (...statements: ReadonlyArray<string>) =>
  Effect.forEach(statements, (statement) =>
    run(statement, "psql -qX \"$ADMIN_URL\" -c \"$STATEMENT\"", {
      ADMIN_URL: administrator,
      STATEMENT: statement
    }))

/** Backs up a server with jobs in progress, kills it, and restores the backup. */
const drill = (name: string, schema: Environment, dump: string, restore: string) =>
  Effect.gen(function*() {
    const folder = yield* emptyFolder
    const environment: Environment = {
      ...onPostgres(urlOf("lastro_drill")),
      ...schema,
      BACKUP: join(folder, "lastro.dump"),
      ADMIN_URL: administrator,
      RESTORED_URL: urlOf("lastro_restored")
    }
    const restored = { ...environment, DATABASE_URL: environment["RESTORED_URL"] ?? "" }
    yield* Effect.acquireRelease(
      administer("create database lastro_drill owner lastro"),
      () =>
        administer(
          "drop database if exists lastro_drill with (force)",
          "drop database if exists lastro_restored with (force)"
        )
    )
    yield* replaceServerWithJobs(environment, (first) =>
      Effect.gen(function*() {
        yield* run(`${name}: backup`, dump, environment)
        write(`${(yield* Effect.promise(() => stat(environment["BACKUP"] ?? ""))).size} bytes`)
        first.kill("SIGKILL")
        yield* first.ended
        yield* administer("drop database lastro_drill with (force)")
        yield* run(`${name}: restore`, restore, environment)
        return restored
      }))
    yield* run(`${name}: check`, "lastro check --live", restored)
  })

const drills = Effect.gen(function*() {
  if (administrator === "") return yield* Effect.fail("Set DRILL_DATABASE_URL to the URL of a superuser.")
  const existing = yield* runDocumented(
    "psql -qXAt \"$ADMIN_URL\" -c \"select datname from pg_database where datname in ('lastro_drill', 'lastro_restored')\"",
    { ADMIN_URL: administrator }
  )
  if (existing.ending !== 0 || existing.out !== "") {
    return yield* Effect.fail(`Drop these databases first: ${existing.out}${existing.err}`)
  }
  const [dump = "", dumpSchema = "", restore = ""] = yield* documentedCommands("backup.md", "PostgreSQL")
  yield* administer(
    "do $$ begin create role lastro login password 'lastro'; exception when duplicate_object then null; end $$"
  )
  yield* Effect.scoped(drill("a database", {}, dump, restore))
  yield* Effect.scoped(drill("a schema", { LASTRO_SCHEMA: "lastro" }, dumpSchema, restore))
  write("Passed.")
})

NodeRuntime.runMain(Effect.scoped(drills))
