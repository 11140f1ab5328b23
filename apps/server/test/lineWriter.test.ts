import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { vi } from "vitest"
import { LineWriter } from "../src/layers/LineWriter.ts"

const given = () => {
  const writes: Array<string> = []
  return { writes, writer: new LineWriter((text) => void writes.push(text)) }
}

const module = new URL("../src/layers/LineWriter.ts", import.meta.url).href

/** Runs a program that writes three lines and then ends. Returns its standard output. */
const outputOf = async (end: string): Promise<string> => {
  const program = `import { stdoutLines } from "${module}"
    for (const line of ["one", "two", "three"]) stdoutLines().add(line)
    ${end}`
  const run = promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program])
  return run.then(({ stdout }) => stdout, ({ stdout }: { readonly stdout: string }) => stdout)
}

describe("LineWriter", () => {
  it("writes lines together and in order, without a call of flush", async () => {
    const { writer, writes } = given()
    for (const line of ["one", "two", "three"]) writer.add(line)
    assert.deepStrictEqual(writes, [])
    await vi.waitFor(() => assert.deepStrictEqual(writes, ["one\ntwo\nthree\n"]), { timeout: 10_000 })
  })

  it("writes at once when much is waiting", () => {
    const { writer, writes } = given()
    const line = "x".repeat(1_000)
    for (let count = 0; count < 200; count++) writer.add(line)
    assert.isAtLeast(writes.length, 2)
    writer.flush()
    assert.strictEqual(writes.join(""), `${line}\n`.repeat(200))
  })

  it("writes the waiting lines when the process ends: normally, by exit, or by an error", async () => {
    const ends = ["", "process.exit(1)", "throw new Error('broken')", "setTimeout(() => process.exit(), 1)"]
    const outputs = await Promise.all(ends.map(outputOf))
    assert.deepStrictEqual(outputs, ends.map(() => "one\ntwo\nthree\n"))
  })
})
