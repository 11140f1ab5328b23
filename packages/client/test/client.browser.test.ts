import { assert, describe, it } from "@effect/vitest"
import { aClient } from "@lastro/testkit"
import { openTestApi } from "@lastro/testkit/http"
import { Effect } from "effect"
import { build } from "esbuild"
import { openBrowser, openPage } from "../../../test/browser/chromium.ts"

const clientSecret = "a secret of a test"

/** A program in a page: it creates a partner, follows the event, and is refused a second partner. */
const program = (url: string, clientId: string): string =>
  `(async () => {
  const { isLastroError, LastroClient, responseOf } = lastro
  const credentials = { grant_type: "client_credentials", client_id: "${clientId}", client_secret: "${clientSecret}" }
  const anonymous = new LastroClient({ url: "${url}", token: () => Promise.reject(new Error("no token")) })
  const token = async () => (await anonymous.issueToken(credentials)).access_token
  const client = new LastroClient({ url: "${url}", token })
  const partner = { type: "pj", name: "Loja", email: "loja@facil.example", phone: "11987654321",
    document_number: "11222333000181" }
  const created = await client.createPartner({ partner })
  const read = await client.getPartner(created.data.partner_id)
  const again = await client.createPartner({ partner }).catch((error) => error)
  const names = []
  for await (const { name } of client.listPartners({ name: "loja" })) names.push(name)
  for await (const event of client.followEvents({ types: "partner.created" })) {
    if (event.data.partner_id === created.data.partner_id) break
  }
  return {
    etag: responseOf(read).etag,
    code: isLastroError(again, "createPartner") && again.code,
    names,
    isSame: await client.getPartner(created.data.partner_id, { ifNoneMatch: read }) === read
  }
})()`

describe("the client in a browser", () => {
  it.live("signs in, creates, reads, lists and follows", () =>
    Effect.gen(function*() {
      const api = yield* Effect.acquireRelease(
        Effect.promise(() => openTestApi()),
        (opened) => Effect.promise(() => opened.close())
      )
      const { client_id } = yield* Effect.promise(() => api.given(aClient().withSecret(clientSecret)))
      const url = yield* Effect.promise(() => api.listen())
      const bundle = yield* Effect.promise(() =>
        build({
          entryPoints: ["packages/client/src/index.ts"],
          bundle: true,
          format: "iife",
          globalName: "lastro",
          platform: "browser",
          write: false
        })
      )
      const browser = yield* openBrowser
      const { failures, page } = yield* openPage(browser, { url })
      // A page with the origin of the API, but without its Content-Security-Policy, which forbids connections.
      yield* Effect.promise(async () => {
        await page.route("/page", (route) => route.fulfill({ contentType: "text/html", body: "<title>Shop</title>" }))
        await page.goto("/page")
      })
      const code = `${bundle.outputFiles[0]?.text ?? ""}\n${program(url, client_id)}`
      const result: unknown = yield* Effect.promise(() => page.evaluate(code))
      const { etag, ...others } = Object(result)
      assert.match(String(etag), /^".+"$/)
      assert.deepStrictEqual(others, { code: "DOCUMENT_TAKEN", names: ["Loja"], isSame: true })
      // The browser reports the refusal of the second partner.
      assert.deepStrictEqual(failures.filter((failure) => !failure.includes("409")), [])
    }), 60_000)
})
