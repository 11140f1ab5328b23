import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { collect } from "./collect.ts"
import { memorySuites } from "./memorySuites.ts"

/** What `node --test` says of a file, as TAP. */
const nodeTest = (file: URL): Promise<string> =>
  text(
    spawn(process.execPath, ["--test", "--test-reporter=tap", fileURLToPath(file)], {
      stdio: ["ignore", "pipe", "inherit"]
    }).stdout
  )

/** A number of TAP's summary. */
const counted = (tap: string, what: string): number => Number(new RegExp(`^# ${what} (\\d+)$`, "m").exec(tap)?.[1])

/** The names of the cases and groups that passed, in which TAP escapes `#` and `\`. */
const passedIn = (tap: string): ReadonlySet<string> =>
  new Set(Array.from(tap.matchAll(/^ *ok \d+ - (.*)$/gm), ([, name = ""]) => name.replaceAll(/\\([\\#])/g, "$1")))

describe("contract suites under node:test", () => {
  it("run every case that they run under vitest, and the fakes pass them all", async () => {
    const tap = await nodeTest(new URL("memory.node.ts", import.meta.url))
    const { cases } = collect((runner) => memorySuites(runner, 1))
    assert.isAbove(cases.length, 150)
    assert.strictEqual(counted(tap, "tests"), cases.length)
    assert.strictEqual(counted(tap, "pass"), cases.length)
    assert.includeMembers([...passedIn(tap)], cases.map(({ name }) => name))
  }, 120_000)

  it("pass no case over a layer that cannot be built, and say why it cannot", async () => {
    const tap = await nodeTest(new URL("unbuilt.node.ts", import.meta.url))
    assert.strictEqual(counted(tap, "tests"), 2)
    assert.strictEqual(counted(tap, "pass"), 0)
    assert.include(tap, "the database is away")
  }, 120_000)
})
