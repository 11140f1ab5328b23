import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { isOrdeal } from "../../../test/rounds.ts"
import { databases } from "./running/databases.ts"
import { documentedCommands, runDocumented } from "./running/documentedCommands.ts"
import { replaceServerWithJobs } from "./running/jobsInProgress.ts"
import { emptyFolder } from "./running/machine.ts"

/** Each signal runs on one database, and in `pnpm ordeal:races` on both. The crash test kills servers on PostgreSQL, too. */
const isTested = (name: string, signal: string): boolean => isOrdeal || (name === "PGlite") === (signal === "SIGKILL")

describe.concurrent("jobs of a stopped server", () => {
  for (const [name, database] of Object.entries(databases)) {
    for (const signal of ["SIGKILL", "SIGTERM"] as const) {
      if (!isTested(name, signal) || (name === "PGlite" && signal === "SIGKILL")) continue
      it.live(`complete after a restart from ${signal}, on ${name}`, () =>
        Effect.gen(function*() {
          const environment = yield* database
          yield* replaceServerWithJobs(environment, (first) => {
            first.kill(signal)
            return Effect.as(first.ended, environment)
          })
        }), { timeout: 60_000 })
    }
  }

  it.live("complete after SIGKILL and the documented restore of a backup, on PGlite", () =>
    Effect.gen(function*() {
      const folder = yield* emptyFolder
      const environment = { LASTRO_DATA_DIR: join(folder, "data"), LASTRO_DEMO: "off", BACKUP: join(folder, "backup") }
      const [backUp = "", restore = ""] = yield* documentedCommands("backup.md", "The embedded database")
      yield* replaceServerWithJobs(environment, (first) =>
        Effect.gen(function*() {
          first.kill("SIGKILL")
          yield* first.ended
          assert.deepStrictEqual(yield* runDocumented(backUp, environment), { ending: 0, out: "", err: "" })
          const restored = yield* runDocumented(restore, environment)
          assert.deepStrictEqual(restored, { ending: 0, out: "Every invariant holds.\n", err: "" })
          return environment
        }))
    }), { timeout: 120_000 })
})
