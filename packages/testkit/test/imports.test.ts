import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

const source = join(import.meta.dirname, "..", "src")

// The compiler removes `import type` and `export type`. It keeps an import in which each name has an inline `type`.
const importPattern = /^(?:import|export) (?!type\b)[^;]*?from "([^"]+)"/gm

/** Lists the packages that a file imports at run time, directly and through other files of the testkit. */
const importedPackages = (entry: string): ReadonlySet<string> => {
  const packages = new Set<string>()
  const files = new Set<string>()
  const visit = (file: string): void => {
    if (files.has(file)) return
    files.add(file)
    for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(importPattern)) {
      if (specifier.startsWith(".")) visit(join(dirname(file), specifier))
      else packages.add(specifier)
    }
  }
  visit(join(source, entry))
  return packages
}

describe("imports", () => {
  it("the root entry does not load fast-check", () => {
    const packages = importedPackages("index.ts")
    assert.include([...packages], "@lastro/domain/promises")
    assert.notInclude([...packages], "fast-check")
    assert.include([...importedPackages("arbitraries/index.ts")], "fast-check")
  })

  it("the API is loaded when it is opened", () => {
    const packages = importedPackages("http/index.ts")
    assert.include([...packages], "@lastro/domain/promises")
    assert.notInclude([...packages], "fast-check")
    assert.deepStrictEqual([...packages].filter((name) => name.startsWith("@lastro/adapters-http")), [])
  })

  it("the arbitraries use `codePoint`, and none for which fast-check fills a map of a million characters", () => {
    const costly = /[uU]nit: "binary"|\bfc\.web\w+\(/
    assert.match("fc.string({ unit: \"binary\" })", costly)
    assert.match("fc.webUrl()", costly)
    const files = globSync("**/*.ts", { cwd: source })
    const texts = files.map((file) => readFileSync(join(source, file), "utf8"))
    assert.isTrue(texts.some((text) => text.includes("unit: codePoint")))
    assert.deepStrictEqual(texts.filter((text) => costly.test(text)), [])
  })
})
