import { assert, describe, it } from "@effect/vitest"
import { sandboxScenarios } from "@lastro/domain/adapters"
import { signatureLink } from "@lastro/domain/loan"
import { Effect } from "effect"
import { hash } from "node:crypto"
import { outcomesPtBr, sandboxPage, signaturePageUrl } from "../src/layers/sandboxPage.ts"

describe("the signature page of the sandbox", () => {
  it.effect("shows the outcome of every ending, in English and in Portuguese", () =>
    Effect.gen(function*() {
      assert.sameMembers(Object.keys(outcomesPtBr), [...sandboxScenarios.keys()])
      const english = yield* sandboxPage.text
      const portuguese = yield* (sandboxPage.textPtBr ?? Effect.succeed(""))
      assert.include(english, "<html lang=\"en\">")
      assert.include(portuguese, "<html lang=\"pt-BR\">")
      for (const [digits, { outcome }] of sandboxScenarios) {
        assert.include(english, `<th scope="row">${digits}</th><td>${outcome}</td>`)
        assert.include(portuguese, `<th scope="row">${digits}</th><td>${outcomesPtBr[digits]}</td>`)
      }
    }))

  it.effect("loads nothing, and has a policy that allows only its own style", () =>
    Effect.gen(function*() {
      for (const text of [sandboxPage.text, sandboxPage.textPtBr ?? Effect.succeed("")]) {
        const page = yield* text
        assert.notMatch(page, /<(script|link|img|iframe|form)|url\(|@import|https?:|style=| on\w+=/)
        const [, style = ""] = /<style>([^]*)<\/style>/.exec(page) ?? []
        assert.include(
          sandboxPage.headers?.["content-security-policy"],
          `style-src 'sha256-${hash("sha256", style, "base64")}'`
        )
      }
    }))

  it("FGTS-70 has a URL that a signature link may have, or none", () => {
    for (
      const [issuer, expected] of [
        ["https://api.example.com/lending", "https://api.example.com/lending/sandbox/signature"],
        ["https://api.example.com/", "https://api.example.com/sandbox/signature"],
        ["http://127.0.0.1:8080", "http://localhost:8080/sandbox/signature"],
        ["http://[::1]:8080", "http://localhost:8080/sandbox/signature"],
        ["http://localhost:8080/a", "http://localhost:8080/a/sandbox/signature"],
        ["http://lastro.internal:8080", undefined]
      ] as const
    ) {
      const url = signaturePageUrl(issuer)
      assert.strictEqual(url, expected)
      if (url !== undefined) assert.strictEqual(signatureLink(`${url}?reference=a-1`), `${url}?reference=a-1`)
    }
  })
})
