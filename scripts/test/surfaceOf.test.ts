import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { surfaceOf } from "../surface/surfaceOf.ts"

/** The surface of `index.ts` among these files: each name, what it is, and whether it is documented. */
const surface = (files: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  const directory = mkdtempSync(join(tmpdir(), "lastro-surface-"))
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
    return Object.fromEntries(
      Array.from(
        surfaceOf(join(directory, "index.ts")),
        (
          [name, { documented, kinds }]
        ) => [name, `${[...kinds].toSorted().join(" ")}${documented ? "" : " undocumented"}`]
      )
    )
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

describe("surfaceOf", () => {
  it("names what a module declares and exports, and what each is", () => {
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

  it("a type beside its documented value is documented with it, anything else alone needs a comment right before it", () => {
    const text =
      "/** Name. */\nexport const Name = 1\nexport type Name = typeof Name\n/** Not this. */\n\nconst x = 1\n" +
      "export const other = x\n// No doc comment.\nexport const third = x\n"
    assert.deepStrictEqual(surface({ "index.ts": text }), {
      Name: "type value",
      other: "value undocumented",
      third: "value undocumented"
    })
  })

  it("follows what is exported from other modules: everything, some names, other names, types only, namespaces", () => {
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

  it("is not told of by what is not there, not ours or has no name", () => {
    assert.throws(() => surface({ "index.ts": "export * from \"./nowhere.ts\"" }), /not its own/)
    assert.throws(() => surface({ "index.ts": "export * from \"effect\"" }), /not its own/)
    assert.throws(() => surface({ "index.ts": "export { a } from \"./one.ts\"", "one.ts": "const a = 1" }), /nowhere/)
    assert.throws(() => surface({ "index.ts": "export default 1" }), /default export/)
  })
})
