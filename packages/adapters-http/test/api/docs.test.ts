import { assert, describe, it } from "@effect/vitest"
import { NextAction } from "@lastro/domain/loan"
import { createHash } from "node:crypto"
import { brotliDecompressSync } from "node:zlib"
import { docsPage } from "../../src/docs/docsPage.ts"
import { llmsText } from "../../src/docs/llmsText.ts"
import { viewer } from "../../src/docs/viewer.ts"
import { languages } from "../../src/errors/Language.ts"
import { document } from "./operations.ts"

describe("docsPage", () => {
  it("has only relative addresses", () => {
    for (const language of languages) {
      const { html } = docsPage(language)
      assert.include(html, `<html lang="${language}">`)
      for (const [, address = ""] of html.matchAll(/\b(?:src|href|spec-url|action)="([^"]*)"/g)) {
        assert.match(address, /^[a-z#?]/)
        assert.notInclude(address, ":")
      }
      assert.notMatch(html, /url\(|@import/)
    }
  })

  it("has a content security policy that allows only scripts of its own server", () => {
    const { headers, html } = docsPage("en")
    const policy = headers["content-security-policy"] ?? ""
    assert.include(policy, "default-src 'none'")
    assert.include(policy, "connect-src 'self'")
    assert.notMatch(policy, /http|unsafe-eval/)
    const start = html.indexOf("<script>") + "<script>".length
    const script = html.slice(start, html.indexOf("</script>", start))
    const hash = createHash("sha256").update(script).digest("base64")
    assert.include(policy, `script-src 'self' 'sha256-${hash}';`)
  })

  it("has the viewer with its Portuguese texts, in less than 200 kB", () => {
    const compressed = Buffer.from(viewer, "base64")
    assert.isBelow(compressed.byteLength, 200_000)
    const script = brotliDecompressSync(compressed).toString()
    assert.include(script, "PARÂMETROS DE CONSULTA")
    assert.notInclude(script, "Menu de l'API")
  })
})

describe("llms.txt", () => {
  it("names only paths that exist", () => {
    const paths = new Set(Object.keys(document.paths).map((path) => path.replaceAll(/\{\w+\}/g, "{}")))
    for (const [, path = ""] of llmsText("").matchAll(/(?:GET|POST) (\/[\w/{}-]+)/g)) {
      assert.isTrue(paths.has(path.replaceAll(/\{\w+\}/g, "{}")), path)
    }
    assert.include(llmsText("/lending"), "(/lending/openapi.json)")
  })

  it("explains every next action", () => {
    for (const action of NextAction.literals) assert.match(llmsText(""), new RegExp(`\\b${action}\\b`))
  })
})
