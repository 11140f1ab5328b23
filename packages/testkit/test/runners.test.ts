import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const source = join(import.meta.dirname, "..", "src")

describe("@lastro/testkit", () => {
  it("imports no test runner: contract suites take one as an argument", () => {
    const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"))
    assert.isNotEmpty(files)
    const importing = files.filter((file) =>
      /^import .*from "(@effect\/vitest|vitest|node:test)"/m.test(readFileSync(join(source, file), "utf8"))
    )
    assert.deepStrictEqual(importing, [])
  })
})
