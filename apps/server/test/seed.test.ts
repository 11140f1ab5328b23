import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { freshDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { seedProgress } from "../src/seedProgress.ts"
import { ask, at, logIn, tokenOf } from "./running/asking.ts"
import { databases } from "./running/databases.ts"
import { lastro, ran } from "./running/lastro.ts"
import { onPostgres, serving } from "./running/serving.ts"

const small = ["seed", "--partners", "30", "--users", "200", "--applications", "40"]

/** Milliseconds for a test that runs several processes, one after the other, beside others. */
const manyProcesses = 120_000

describe("lastro seed", () => {
  it.live.each(Object.entries(databases))(
    "fills an empty database, and says how to sign in: %s",
    ([, database]) =>
      Effect.gen(function*() {
        const environment = yield* database
        const { ending, err, out } = yield* ran([...small, "--seed", "5"], environment)
        assert.strictEqual(ending, 0)
        assert.match(out, /^\n30 partners, 200 users and 40 applications, \d+ of them with a proposal, in \d+ s\.\n/)
        // Each step is told of as it ends, where nobody sees a bar.
        assert.match(err, /^partners 30 of 30\nhierarchy 1 of 1\nusers 200 of 200\napplications 40 of 40\n/)
        const [, administrator = ""] = /administrator +(\S+)$/m.exec(out) ?? []
        const [, password = ""] = /password +([A-Za-z0-9_-]{43}), for every user$/m.exec(out) ?? []
        const server = yield* serving(environment)
        const token = tokenOf(yield* logIn(server, administrator, password))
        const total = (path: string) =>
          Effect.map(ask(server, `/api/v1/${path}`, { token }), (reply) => at(reply, "page", "total_elements"))
        assert.deepStrictEqual([yield* total("partners"), yield* total("users")], [30, 200])
        assert.include(out, `${yield* total("proposals")} of them with a proposal`)
      }),
    manyProcesses
  )

  it.live(
    "keeps nothing of what is interrupted, and refuses a database that is not empty",
    () =>
      Effect.gen(function*() {
        const environment = onPostgres(yield* freshDatabase)
        const running = yield* lastro(["seed", "--partners", "20000", "--users", "400000"], environment)
        yield* Effect.sleep("20 millis").pipe(Effect.repeat({ until: () => running.err().includes("hierarchy") }))
        running.kill("SIGINT")
        assert.strictEqual(yield* running.ended, 130)
        assert.match(running.err(), /\nInterrupted: nothing of it was kept\.\n$/)

        const { out } = yield* ran([...small, "--password", "correct horse battery"], environment)
        assert.match(out, /password +as you set it/)
        assert.notInclude(out, "correct horse")
        assert.strictEqual((yield* ran(["check"], environment)).out, "Every invariant holds.\n")
        assert.deepStrictEqual(yield* ran(small, environment), {
          ending: 1,
          out: "",
          err: "lastro: The database is not empty: only an empty one is seeded.\n"
        })
      }),
    manyProcesses
  )

  it.live.each<readonly [string, ReadonlyArray<string>]>([
    ["LASTRO_DATA_DIR is memory: what is seeded would be gone at the end of this command.", small],
    ["The password has to be 12 to 128 characters.", [...small, "--password", "short"]],
    ["Users open applications: --applications needs --users of at least 1.", [
      "seed",
      "--partners",
      "1",
      "--users",
      "0",
      "--applications",
      "1"
    ]]
  ])("refuses what cannot be meant: %s", ([line, args]) =>
    Effect.gen(function*() {
      const environment = line.startsWith("LASTRO_DATA_DIR") ? {} : yield* databases.PGlite
      assert.deepStrictEqual(yield* ran(args, environment), { ending: 1, out: "", err: `lastro: ${line}\n` })
    }))

  it.live("refuses a number of partners that there cannot be", () =>
    Effect.gen(function*() {
      const { ending, err } = yield* ran(["seed", "--partners", "0", "--users", "1"])
      assert.strictEqual(ending, 1)
      assert.include(err, "Invalid value for flag --partners")
    }))
})

describe("the progress of a seed", () => {
  const shown = Effect.fnUntraced(function*(isTerminal: boolean) {
    const written: Array<string> = []
    const tell = seedProgress({ isTerminal, write: (text) => written.push(text) })
    const users = (done: number) => tell({ step: "users", done, total: 1_000_000 })
    yield* TestClock.adjust("1 minute")
    yield* users(0)
    yield* users(10_000)
    yield* TestClock.adjust("200 millis")
    yield* users(500_000)
    yield* TestClock.adjust("6 seconds")
    yield* users(750_000)
    yield* users(1_000_000)
    yield* tell({ step: "applications", done: 0, total: 0 })
    return written
  })

  it.effect("is a bar on a terminal, redrawn in its line", () =>
    Effect.gen(function*() {
      const bar = (full: number) => "█".repeat(full) + "░".repeat(30 - full)
      assert.deepStrictEqual(yield* shown(true), [
        `\rusers        ${bar(0)}   0 %  0 of 1 000 000\x1b[K`,
        `\rusers        ${bar(15)}  50 %  500 000 of 1 000 000\x1b[K`,
        `\rusers        ${bar(22)}  75 %  750 000 of 1 000 000\x1b[K`,
        `\rusers        ${bar(30)} 100 %  1 000 000 of 1 000 000\x1b[K\n`
      ])
    }))

  it.effect("is a line now and then elsewhere", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* shown(false), ["users 750 000 of 1 000 000\n", "users 1 000 000 of 1 000 000\n"])
    }))
})
