import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { smallMemorySuites } from "./memorySuites.ts"
import { collectCases } from "./runCases.ts"

/** Runs a file with `node --test` and returns its TAP output. */
const runNodeTest = (file: URL): Promise<string> =>
  text(
    spawn(process.execPath, ["--test", "--test-reporter=tap", fileURLToPath(file)], {
      stdio: ["ignore", "pipe", "inherit"]
    }).stdout
  )

const readCount = (tap: string, name: string): number => Number(new RegExp(`^# ${name} (\\d+)$`, "m").exec(tap)?.[1])

/** Reads the names of the cases and groups that passed. TAP escapes `#` and `\`. */
const readPassed = (tap: string): ReadonlySet<string> =>
  new Set(Array.from(tap.matchAll(/^ *ok \d+ - (.*)$/gm), ([, name = ""]) => name.replaceAll(/\\([\\#])/g, "$1")))

describe.concurrent("contract suites under node:test", () => {
  it("run the same cases as under vitest, and the fakes pass them all", async () => {
    const tap = await runNodeTest(new URL("memory.node.ts", import.meta.url))
    const { cases } = collectCases(smallMemorySuites)
    assert.isAbove(cases.length, 30)
    assert.strictEqual(readCount(tap, "tests"), cases.length)
    assert.strictEqual(readCount(tap, "pass"), cases.length)
    assert.includeMembers([...readPassed(tap)], cases.map(({ name }) => name))
  }, 120_000)

  it("fail every case of a layer that cannot be built, with its error", async () => {
    const tap = await runNodeTest(new URL("unbuilt.node.ts", import.meta.url))
    assert.strictEqual(readCount(tap, "tests"), 2)
    assert.strictEqual(readCount(tap, "pass"), 0)
    assert.include(tap, "the database is away")
  }, 120_000)
})
