import { assert, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"

interface Coverage {
  readonly result: ReadonlyArray<{
    readonly url: string
    readonly functions: ReadonlyArray<{ readonly ranges: ReadonlyArray<{ readonly count: number }> }>
  }>
}

const entry = new URL("../src/index.ts", import.meta.url).href

/** Imports the package in a new process. Returns how often functions of fast-check were called. */
const countCalls = async (): Promise<number> => {
  const directory = await mkdtemp(join(tmpdir(), "lastro-imports-"))
  try {
    const program = ["--input-type=module", "--eval", `await import(${JSON.stringify(entry)})`]
    await promisify(execFile)(process.execPath, program, { env: { ...process.env, NODE_V8_COVERAGE: directory } })
    const files = await readdir(directory)
    const reports = await Promise.all(
      files.map(async (file) => JSON.parse(await readFile(join(directory, file), "utf8")) as Coverage)
    )
    return reports.flatMap(({ result }) => result).filter(({ url }) => url.includes("/fast-check/"))
      .flatMap(({ functions }) => functions).reduce((calls, { ranges }) => calls + (ranges[0]?.count ?? 0), 0)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

it(
  "the import builds no string arbitrary of all Unicode characters, which takes fast-check millions of calls",
  async () => {
    const calls = await countCalls()
    assert.isAbove(calls, 1_000)
    assert.isBelow(calls, 200_000)
  },
  30_000
)
