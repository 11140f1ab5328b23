import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { surfaceOf } from "../surface.ts"

/** Writes the files to a temporary folder, and formats the surface of `index.ts`. */
const surface = (files: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  const directory = mkdtempSync(join(tmpdir(), "lastro-surface-"))
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
    return Object.fromEntries(
      Array.from(surfaceOf(join(directory, "index.ts")), ([name, { isDocumented, kinds }]) => [
        name,
        `${kinds.join(" ")}${isDocumented ? "" : " undocumented"}`
      ])
    )
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

describe("surfaceOf", () => {
  it("returns the exported declarations with their kinds", () => {
    const declared = [
      "/** A. */\nexport const a = 1",
      "/** B. */\nexport function b() {}",
      "/** C. */\nexport class C {}",
      "/** D. */\nexport interface D {}",
      "/** E. */\nexport type E = string",
      "const hidden = 1"
    ]
    assert.deepStrictEqual(surface({ "index.ts": declared.join("\n") }), {
      a: "value",
      b: "value",
      C: "type value",
      D: "type",
      E: "type"
    })
  })

  it("accepts one doc comment for a value and a type of the same name, directly before a declaration", () => {
    const text =
      "/** Name. */\nexport const Name = 1\nexport type Name = typeof Name\n/** Not this. */\n\nconst x = 1\n" +
      "export const other = x\n// No doc comment.\nexport const third = x\n"
    assert.deepStrictEqual(surface({ "index.ts": text }), {
      Name: "type value",
      other: "value undocumented",
      third: "value undocumented"
    })
  })

  it("follows re-exports: everything, selected names, renamed names, types only, namespaces", () => {
    const one = "/** A. */\nexport const a = 1\nexport const b = 2\n/** C. */\nexport class C {}\n"
    assert.deepStrictEqual(surface({ "index.ts": "export * from \"./one.ts\"", "one.ts": one }), {
      a: "value",
      b: "value undocumented",
      C: "type value"
    })
    assert.deepStrictEqual(surface({ "index.ts": "export { a as z, type C } from \"./one.ts\"", "one.ts": one }), {
      z: "value",
      C: "type"
    })
    assert.deepStrictEqual(
      surface({ "index.ts": "/** All. */\nexport * as all from \"./one.ts\"", "one.ts": one }),
      { all: "value", "all.a": "value", "all.b": "value undocumented", "all.C": "type value" }
    )
  })

  it("throws for missing files, other packages, undeclared names and default exports", () => {
    assert.throws(() => surface({ "index.ts": "export * from \"./nowhere.ts\"" }), /not a file of its package/)
    assert.throws(() => surface({ "index.ts": "export * from \"effect\"" }), /not a file of its package/)
    assert.throws(
      () => surface({ "index.ts": "export { a } from \"./one.ts\"", "one.ts": "const a = 1" }),
      /no declaration/
    )
    assert.throws(() => surface({ "index.ts": "export default 1" }), /default export/)
  })
})
