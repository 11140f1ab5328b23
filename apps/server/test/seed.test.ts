import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { migratedDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { isOrdeal } from "../../../test/rounds.ts"
import { printProgress } from "../src/commands/seedProgress.ts"
import { ask, at, logIn, tokenOf } from "./running/asking.ts"
import { databases } from "./running/databases.ts"
import { runInProcess, serveInProcess } from "./running/inProcess.ts"
import { lastro, runToEnd } from "./running/lastro.ts"
import { onPostgres, startServer } from "./running/serving.ts"

const small = ["seed", "--partners", "30", "--users", "200", "--applications", "40"]

/** Timeout of a test that starts several processes, in milliseconds. */
const processTimeout = 120_000

describe("lastro seed", () => {
  // On PGlite in `pnpm ordeal:races` only: the tests of the package `seed` fill PGlite in every run.
  it.live.each(Object.entries(databases).filter(([name]) => isOrdeal || name === "PostgreSQL"))(
    "fills an empty database and prints the credentials: %s",
    ([name, database]) =>
      Effect.gen(function*() {
        const environment = yield* database
        const { ending, err, out } = yield* runToEnd([...small, "--seed", "5"], environment)
        assert.strictEqual(ending, 0)
        assert.match(out, /^\n30 partners, 200 users and 40 applications, \d+ of them with a proposal, in \d+ s\.\n/)
        // Without a terminal, one line for the end of each step. A slow machine prints further lines in between.
        const ends = err.split("\n").filter((line) => /^\w+ (\d+) of \1$/.test(line))
        assert.deepStrictEqual(ends.slice(0, 4), [
          "partners 30 of 30",
          "hierarchy 1 of 1",
          "users 200 of 200",
          "applications 40 of 40"
        ])
        const [, administrator = ""] = /administrator +(\S+)$/m.exec(out) ?? []
        const [, password = ""] = /password +([A-Za-z0-9_-]{43}), for every user$/m.exec(out) ?? []
        const server = yield* (name === "PGlite" ? startServer : serveInProcess)(environment)
        const token = tokenOf(yield* logIn(server, administrator, password))
        const total = (path: string) =>
          Effect.map(ask(server, `/api/v1/${path}`, { token }), (reply) => at(reply, "page", "total_elements"))
        assert.deepStrictEqual([yield* total("partners"), yield* total("users")], [30, 200])
        assert.include(out, `${yield* total("proposals")} of them with a proposal`)
      }),
    processTimeout
  )

  it.live(
    "leaves the database unchanged when interrupted, and refuses a database that is not empty",
    () =>
      Effect.gen(function*() {
        const environment = onPostgres(yield* migratedDatabase)
        const running = yield* lastro(["seed", "--partners", "200", "--users", "400000"], environment)
        yield* Effect.sleep("20 millis").pipe(Effect.repeat({ until: () => running.err().includes("hierarchy") }))
        running.kill("SIGINT")
        assert.strictEqual(yield* running.ended, 130)
        assert.match(running.err(), /\nInterrupted: the database is unchanged\.\n$/)

        const { out } = yield* runInProcess([...small, "--password", "correct horse battery"], environment)
        assert.match(out, /password +as you set it/)
        assert.notInclude(out, "correct horse")
        assert.strictEqual((yield* runInProcess(["check"], environment)).out, "Every invariant holds.\n")
        assert.deepStrictEqual(yield* runInProcess(small, environment), {
          ending: 2,
          out: "",
          err: "lastro: The database is not empty. Seed an empty database.\n"
        })
      }),
    processTimeout
  )

  it.live.each<readonly [string, ReadonlyArray<string>]>([
    [
      "LASTRO_DATA_DIR is memory: the data would be lost when this command ends. Set LASTRO_DATA_DIR or DATABASE_URL.",
      small
    ],
    ["The password must have 12 to 128 characters.", [...small, "--password", "short"]],
    ["Applications are opened by users. Set --users to at least 1.", [
      "seed",
      "--partners",
      "1",
      "--users",
      "0",
      "--applications",
      "1"
    ]]
  ])("refuses with: %s", ([line, args]) =>
    Effect.gen(function*() {
      const environment = line.startsWith("LASTRO_DATA_DIR") ? { LASTRO_DATA_DIR: "memory" } : yield* databases.PGlite
      assert.deepStrictEqual(yield* runInProcess(args, environment), { ending: 2, out: "", err: `lastro: ${line}\n` })
    }))

  it.live("refuses an invalid number of partners", () =>
    Effect.gen(function*() {
      const { ending, err } = yield* runInProcess(["seed", "--partners", "0", "--users", "1"], {})
      assert.strictEqual(ending, 2)
      assert.include(err, "Invalid value for flag --partners")
    }))
})

describe("seed progress", () => {
  const printed = Effect.fnUntraced(function*(isTerminal: boolean) {
    const written: Array<string> = []
    const print = printProgress({ isTerminal, write: (text) => written.push(text) })
    const users = (done: number) => print({ step: "users", done, total: 1_000_000 })
    yield* TestClock.adjust("1 minute")
    yield* users(0)
    yield* users(10_000)
    yield* TestClock.adjust("200 millis")
    yield* users(500_000)
    yield* TestClock.adjust("6 seconds")
    yield* users(750_000)
    yield* users(1_000_000)
    yield* print({ step: "applications", done: 0, total: 0 })
    return written
  })

  it.effect("redraws a bar on a terminal", () =>
    Effect.gen(function*() {
      const bar = (full: number) => "█".repeat(full) + "░".repeat(30 - full)
      assert.deepStrictEqual(yield* printed(true), [
        `\rusers        ${bar(0)}   0 %  0 of 1 000 000\x1b[K`,
        `\rusers        ${bar(15)}  50 %  500 000 of 1 000 000\x1b[K`,
        `\rusers        ${bar(22)}  75 %  750 000 of 1 000 000\x1b[K`,
        `\rusers        ${bar(30)} 100 %  1 000 000 of 1 000 000\x1b[K\n`
      ])
    }))

  it.effect("prints a line every 5 s elsewhere", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* printed(false), ["users 750 000 of 1 000 000\n", "users 1 000 000 of 1 000 000\n"])
    }))
})
