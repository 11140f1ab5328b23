import { assert, describe, it } from "@effect/vitest"
import { preferredLanguage } from "../../src/errors/Language.ts"

const cases: ReadonlyArray<readonly [header: string | undefined, language: string]> = [
  [undefined, "en"],
  ["", "en"],
  ["fr", "en"],
  ["pt-BR", "pt-BR"],
  ["pt", "pt-BR"],
  ["PT-br", "pt-BR"],
  ["pt-PT", "pt-BR"],
  ["pt-BR,pt;q=0.9,en-US;q=0.8,en;q=0.7", "pt-BR"],
  ["en-US,en;q=0.9,pt-BR;q=0.8", "en"],
  ["en;q=0.5, pt;q=0.6", "pt-BR"],
  ["pt-BR;q=0", "en"],
  ["pt-BR;q=0, *", "en"],
  ["fr, pt;q=0.1", "pt-BR"],
  ["pt;q=0.5, en;q=0.5", "pt-BR"],
  ["en;q=0.5, pt;q=0.5", "en"],
  ["pt;q=nonsense", "en"],
  ["pt ; q=0.3 , en ; q=0.2", "pt-BR"],
  ["pt;Q=0.1, en;Q=0.9", "en"],
  ["pt;Q=0", "en"],
  ["ptx", "en"]
]

describe("preferredLanguage", () => {
  for (const [header, language] of cases) {
    it(`answers ${String(header)} in ${language}`, () => {
      assert.strictEqual(preferredLanguage(header), language)
    })
  }
})
