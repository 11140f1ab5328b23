import { assert, beforeAll, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { smallMemorySuites } from "./memorySuites.ts"
import { collectCases } from "./runCases.ts"

/** Runs files with `node --test` in one process, and returns its TAP output. */
const runNodeTest = (...files: ReadonlyArray<string>): Promise<string> => {
  const paths = files.map((file) => fileURLToPath(new URL(file, import.meta.url)))
  const node = ["--test", "--test-isolation=none", "--test-reporter=tap", ...paths]
  return text(spawn(process.execPath, node, { stdio: ["ignore", "pipe", "inherit"] }).stdout)
}

const readCount = (tap: string, name: string): number => Number(new RegExp(`^# ${name} (\\d+)$`, "m").exec(tap)?.[1])

/** Reads the names of the cases and groups that passed. TAP escapes `#` and `\`. */
const readPassed = (tap: string): ReadonlySet<string> =>
  new Set(Array.from(tap.matchAll(/^ *ok \d+ - (.*)$/gm), ([, name = ""]) => name.replaceAll(/\\([\\#])/g, "$1")))

describe("contract suites under node:test", () => {
  const { cases } = collectCases(smallMemorySuites)
  let tap = ""
  beforeAll(async () => {
    tap = await runNodeTest("memory.node.ts", "unbuilt.node.ts")
  }, 120_000)

  it("run the same cases as under vitest, and the fakes pass them all", () => {
    assert.isAbove(cases.length, 30)
    assert.strictEqual(readCount(tap, "pass"), cases.length)
    assert.includeMembers([...readPassed(tap)], cases.map(({ name }) => name))
  })

  it("fail every case of a layer that cannot be built, with its error", () => {
    assert.strictEqual(readCount(tap, "tests"), cases.length + 2)
    assert.include(tap, "the database is away")
  })
})
