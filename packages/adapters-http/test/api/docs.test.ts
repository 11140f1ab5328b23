import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { docsPage } from "../../src/api/openapi/docs.ts"
import { openApi } from "../../src/api/openapi/openApi.ts"

/** A page without the content of its scripts and styles. */
const skeleton = (html: string): string =>
  ["script", "style"].reduce((page, tag) => {
    const [first = "", ...rest] = page.split(`</${tag}>`)
    return [first, ...rest].map((part) => {
      const start = part.indexOf(`<${tag}`)
      return start < 0 ? part : part.slice(0, part.indexOf(">", start) + 1)
    }).join(`</${tag}>`)
  }, html)

describe("docsPage", () => {
  it.effect("is self-contained", () =>
    Effect.gen(function*() {
      const { html } = yield* docsPage(openApi())
      assert.include(html, "SwaggerUIBundle")
      assert.include(html, "\"operationId\":\"updatePartner\"")
      assert.include(html, "requestInterceptor: (request)")
      const page = skeleton(html)
      assert.isBelow(page.length, 1000)
      assert.notMatch(page, /\b(?:src|href|action|data)\s*=/)
      assert.notInclude(page, "http")
      const style = html.slice(html.indexOf("<style>"), html.indexOf("</style>"))
      assert.notInclude(style, "@import")
      for (const [, url] of style.matchAll(/url\(["']?([a-z]+):/g)) assert.strictEqual(url, "data")
    }))

  it.effect("has a content security policy that allows only its own scripts", () =>
    Effect.gen(function*() {
      const { headers, html } = yield* docsPage(openApi())
      const policy = headers["content-security-policy"] ?? ""
      assert.include(policy, "default-src 'none'")
      assert.include(policy, "connect-src 'self'")
      assert.notInclude(policy, "http")
      assert.notInclude(policy, "unsafe-eval")
      const scripts = policy.split("; ").find((directive) => directive.startsWith("script-src"))
      const start = html.indexOf("<script>") + "<script>".length
      const script = html.slice(start, html.lastIndexOf("</script>"))
      assert.strictEqual(scripts, `script-src 'sha256-${createHash("sha256").update(script).digest("base64")}'`)
    }))
})
