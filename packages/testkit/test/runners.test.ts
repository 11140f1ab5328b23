import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const source = join(import.meta.dirname, "..", "src")

describe("@lastro/testkit", () => {
  it("needs no test runner but for its contract suites", () => {
    const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"))
    const importing = files.filter((file) =>
      /from "[^"]*(vitest|\/contracts\/)/.test(readFileSync(join(source, file), "utf8"))
    )
    assert.isNotEmpty(importing)
    for (const file of importing) assert.match(file, /^contracts[\\/]/)
  })
})
