import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { programVersion } from "../../../packages/adapters-sql/src/migrations/migrate.ts"
import { migratedDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { ask, at } from "./running/asking.ts"
import { administer } from "./running/databases.ts"
import { runInProcess, serveInProcess } from "./running/inProcess.ts"
import { onPostgres } from "./running/serving.ts"

const id = "01a1fd4a-d5f1-777b-b523-565628723e72"

const commands: ReadonlyArray<ReadonlyArray<string>> = [
  ["serve"],
  ["migrate"],
  ["migrate", "--stop-the-world"],
  ["bootstrap"],
  ["clients", "list"],
  ["partners", "activate", id],
  ["keys", "list"],
  ["seed", "--partners", "1", "--users", "0"],
  ["check"]
]

it.live(
  "A schema of an unknown newer version closes a running node, and no command uses it",
  () =>
    Effect.gen(function*() {
      const database = yield* migratedDatabase
      yield* administer(database, "alter schema public rename to own")
      const environment = { ...onPostgres(database), LASTRO_SCHEMA: "own" }
      const server = yield* serveInProcess(environment)
      assert.strictEqual((yield* ask(server, "/health/ready")).status, 200)
      yield* administer(
        database,
        "insert into own.lastro_migration (migration_id, name) values (9999, 'of the future')"
      )
      while ((yield* ask(server, "/health/ready")).status !== 503) yield* Effect.sleep("50 millis")
      const closed = yield* ask(server, "/api/v1/partners")
      assert.deepStrictEqual([closed.status, at(closed, "error", "code")], [503, "SERVICE_UNAVAILABLE"])

      const name = new URL(database).pathname.slice(1)
      for (const command of commands) {
        assert.deepStrictEqual(
          yield* runInProcess(command, environment),
          {
            out: "",
            err:
              `lastro: The schema "own" of the database "${name}" has the version 9999, which this program with the schema ` +
              `version ${programVersion} does not support: use the version of Lastro that migrated it.\n`,
            ending: 4
          },
          command.join(" ")
        )
      }
    }),
  60_000
)
