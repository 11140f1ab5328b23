import { assert, describe, it } from "@effect/vitest"
import { version } from "@lastro/adapters-http"
import { Effect } from "effect"
import { hash } from "node:crypto"
import { homePage } from "../src/layers/homePage.ts"

const paths = [
  "/console",
  "/docs",
  "/openapi.json",
  "/openapi.yaml",
  "/llms.txt",
  "/.well-known/oauth-authorization-server",
  "/health/ready",
  "/health/live"
]

describe("the page at /", () => {
  it.effect("shows the version, and links with the path of the issuer, as JSON and as HTML", () =>
    Effect.gen(function*() {
      for (
        const [issuer, basePath] of [["https://lastro.test", ""], ["https://lastro.test/lending", "/lending"]] as const
      ) {
        const { otherForms: [html] = [], text } = homePage(issuer)
        const page = html === undefined ? "" : yield* html.text
        const expected = paths.map((path) => `${basePath}${path}`)
        const read: unknown = JSON.parse(yield* text)
        assert.deepStrictEqual(Object.values(Object(Reflect.get(Object(read), "links"))), expected)
        assert.strictEqual(Reflect.get(Object(read), "version"), version)
        assert.deepStrictEqual([...page.matchAll(/href="([^"]*)"/g)].map(([, link]) => link), expected)
        assert.include(page, `Version ${version}.`)
        assert(html?.textPtBr !== undefined)
        const translated = yield* html.textPtBr
        assert.deepStrictEqual([...translated.matchAll(/href="([^"]*)"/g)].map(([, link]) => link), expected)
        assert.match(translated, /<html lang="pt-BR">[^]*trabalhe com solicitações, parceiros e usuários/)
        const styleOf = (text: string) => /<style>[^]*<\/style>/.exec(text)?.[0]
        assert.strictEqual(styleOf(translated), styleOf(page))
      }
    }))

  it.effect("has no links to the documentation if there is none", () =>
    Effect.gen(function*() {
      const { otherForms: [html] = [], text } = homePage("https://lastro.test", {
        console: false,
        documentation: false
      })
      const page = html === undefined ? "" : yield* html.text
      for (const form of [yield* text, page]) {
        assert.notMatch(form, /\/docs|openapi|llms/)
        assert.include(form, "/health/ready")
      }
    }))

  it.effect("loads nothing, and has a policy that allows only its own style", () =>
    Effect.gen(function*() {
      const [html] = homePage("https://lastro.test").otherForms ?? []
      assert(html !== undefined)
      const page = yield* html.text
      assert.notMatch(page, /<(script|link|img|iframe)|url\(|@import|https?:|style=| on\w+=/)
      const [, style = ""] = /<style>([^]*)<\/style>/.exec(page) ?? []
      assert.strictEqual(
        html.headers?.["content-security-policy"],
        `default-src 'none'; style-src 'sha256-${
          hash("sha256", style, "base64")
        }'; base-uri 'none'; form-action 'none'; ` +
          "frame-ancestors 'none'"
      )
      assert.match(page, /^<!doctype html>\n<html lang="en">[^]*<title>Lastro[^]*<main>[^]*<h1>/)
    }))
})
