import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { join } from "node:path"

/** What a process prints, and how it ends; it is killed when it does not. */
const ran = (file: string): Promise<{ readonly output: string; readonly code: unknown }> => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["--test", "--test-reporter=tap", join(import.meta.dirname, file)],
      { env, timeout: 60_000 },
      (error, stdout, stderr) => resolve({ output: stdout + stderr, code: error === null ? 0 : error.code })
    )
  })
}

describe("a consumer's tests", () => {
  it("run under node --test, and their process ends by itself", async () => {
    const { code, output } = await ran("consumer.node.ts")
    assert.strictEqual(code, 0, output)
    assert.match(output, /^# pass 5$/m)
    assert.match(output, /^# fail 0$/m)
  })
})
