import { assert, describe, it } from "@effect/vitest"
import { ApplicationUnreadable, FolderInUse, SchemaUnusable } from "@lastro/adapters-sql"
import { Busy } from "@lastro/domain/ports"
import { type ApplicationId } from "@lastro/domain/values"
import { Cause, Effect, Exit, Schema } from "effect"
import { SqlError } from "effect/sql"
import { exitCodeOf, exitCodes } from "../src/commands/exitCodes.ts"
import { mapRefusals } from "../src/commands/refused.ts"
import { SettingRefused } from "../src/settings/readers.ts"
import { runInProcess } from "./running/inProcess.ts"

/** The error of a statement that the database refused with this SQLSTATE. */
const sqlError = (code: string) =>
  new SqlError.SqlError({ reason: new SqlError.UnknownError({ cause: Object.assign(new Error(), { code }) }) })

const unreachable = new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause: new Error() }) })

const noPrivilege = new SqlError.SqlError({ reason: new SqlError.AuthorizationError({ cause: new Error() }) })

class MigrationError extends Schema.TaggedError<MigrationError>()("MigrationError", { cause: Schema.Defect() }) {}
class SchemaTooNew extends Schema.TaggedError<SchemaTooNew>()("SchemaTooNew", {}) {}
class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {}) {}
class LastOne extends Schema.TaggedError<LastOne>()("LastOne", {}) {}

const fileError = Object.assign(new Error(), { syscall: "mkdir", path: "/x", code: "EACCES" })
const portInUse = { _tag: "ServeError", cause: { code: "EADDRINUSE" } }

describe("the exit code of a command", () => {
  it.each<readonly [number, string, unknown]>([
    [1, "an application that cannot be read", new ApplicationUnreadable("x" as ApplicationId)],
    [2, "a refused setting", new SettingRefused({ variable: "PORT", problem: "must be a port" })],
    [2, "a schema that Lastro cannot use", new SchemaUnusable({ problem: "x", remedy: "y" })],
    [2, "a file of the settings that cannot be opened", fileError],
    [2, "a port in use", portInUse],
    [2, "a privilege that the role of the database lacks", noPrivilege],
    [2, "a migration that waits for older nodes", { _tag: "OlderNodesRunning" }],
    [3, "a migration that gets no lock", { _tag: "SchemaBusy" }],
    [3, "an unreachable database", unreachable],
    [3, "a missing database", sqlError("3D000")],
    [3, "a database without Lastro", sqlError("42P01")],
    [3, "a database without free connections", sqlError("53300")],
    [3, "a migration that lost its connection", new MigrationError({ cause: unreachable })],
    [3, "a data folder in use", new FolderInUse({ folder: "/data", pid: 1 })],
    [3, "a busy database", new Busy({ retry_after_seconds: 1 })],
    [3, "a defect because of the database", Object.assign(new Error(), { isTransient: true })],
    [4, "a schema newer than the program", new SchemaTooNew()],
    [70, "a broken statement", sqlError("42601")],
    [70, "a broken migration", new MigrationError({ cause: sqlError("42601") })],
    [70, "a defect", new TypeError("x")]
  ])("is %i after %s", (code, _, error) => {
    assert.strictEqual(exitCodeOf(Cause.fail(error)), code)
    assert.strictEqual(exitCodeOf(Cause.die(error)), code)
  })

  it.effect.each<readonly [number, string, Effect.Effect<never, NotFound | LastOne | Busy | SchemaTooNew>]>([
    [1, "an id that does not exist", new NotFound()],
    [2, "an error with a message", new LastOne()],
    [3, "Busy", new Busy({ retry_after_seconds: 1 })],
    [70, "an error without a message", new SchemaTooNew()]
  ])("is %i after a use case fails with %s", ([code, _, error]) =>
    Effect.gen(function*() {
      const exit = yield* Effect.exit(mapRefusals({ NotFound: "no record", LastOne: "the last one" })(error))
      assert.strictEqual(Exit.isFailure(exit) ? exitCodeOf(exit.cause) : exitCodes.fine, code)
    }))

  it.effect.each<readonly [number, ReadonlyArray<string>]>([
    [0, ["clients", "--help"]],
    [2, ["nothing"]],
    [2, ["clients", "rotate"]],
    [2, ["seed", "--partners", "none"]],
    [2, ["check", "--nothing"]]
  ])("is %i after lastro %s", ([code, args]) =>
    Effect.gen(function*() {
      assert.strictEqual((yield* runInProcess(args, { LASTRO_DATA_DIR: "memory" })).ending, code)
    }))

  it.effect("an unknown command prints the usage and then one line, a suggestion included", () =>
    Effect.gen(function*() {
      const { err } = yield* runInProcess(["client"], { LASTRO_DATA_DIR: "memory" })
      assert.match(err, /^Usage: [^\n]+\nlastro: Unknown subcommand "client" for "lastro"\. [^\n]*clients\n$/)
    }))
})
