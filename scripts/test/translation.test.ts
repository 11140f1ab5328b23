import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"

const read = (name: string): string => readFileSync(join(import.meta.dirname, "..", "..", name), "utf8")

/** Returns the code blocks of a document, without the comments at the ends of lines. */
const commandsOf = (markdown: string): ReadonlyArray<string> =>
  Array.from(markdown.matchAll(/^```.*?^```$/gms), ([block]) => block.replaceAll(/ +# .*$/gm, ""))

const sectionsOf = (markdown: string): number => markdown.match(/^## /gm)?.length ?? 0

describe("README.pt-BR.md", () => {
  const [english, portuguese] = [read("README.md"), read("README.pt-BR.md")]

  it("has the same commands as README.md", () => {
    assert.isNotEmpty(commandsOf(english))
    assert.deepStrictEqual(commandsOf(portuguese), commandsOf(english))
  })

  it("has the same sections as README.md", () => {
    assert.strictEqual(sectionsOf(portuguese), sectionsOf(english))
  })
})
