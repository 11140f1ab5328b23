import assert from "node:assert/strict"
import { once } from "node:events"
import { after, before, describe, it } from "node:test"
import { expressServer } from "../src/express.ts"
import { honoServer } from "../src/hono.ts"
import { openLending } from "../src/lastro.ts"

/** Reads a field of a JSON value. */
const field = (value: unknown, name: string): unknown => Object(value)[name]

const frameworks = { Hono: honoServer, Express: expressServer }

for (const [name, serverOf] of Object.entries(frameworks)) {
  describe(name, () => {
    let lending: Awaited<ReturnType<typeof openLending>>
    let server: ReturnType<typeof serverOf>
    let origin = ""
    let authorization = ""

    before(async () => {
      lending = await openLending("https://shop.example/lending")
      server = serverOf(lending.api)
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
      const address = server.address()
      assert(typeof address === "object" && address !== null)
      origin = `http://127.0.0.1:${address.port}`
    })

    after(async () => {
      await lending.close()
      server.close()
    })

    it("serves the page of the shop", async () => {
      assert.equal(await (await fetch(`${origin}/`)).text(), "The shop's own page")
    })

    it("issues a token to the first client", async () => {
      assert(lending.credentials)
      const { client_id, client_secret } = lending.credentials
      const issued = await fetch(`${origin}/lending/api/v1/oauth/token`, {
        method: "POST",
        body: new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret })
      })
      assert.equal(issued.status, 200)
      authorization = `Bearer ${field(await issued.json(), "access_token")}`
    })

    it("opens an application, returns its Location and gets a quote", async () => {
      const opened = await fetch(`${origin}/lending/api/v1/fgts/applications`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json", "idempotency-key": "order-1" },
        body: JSON.stringify({
          external_id: "order-1",
          customer: { cpf: "529.982.247-25", birth_date: "1990-05-17", name: "Ana Souza" }
        })
      })
      assert.equal(opened.status, 201)
      const location = opened.headers.get("location")
      assert.match(`${location}`, /^\/lending\/api\/v1\/fgts\/applications\//)

      let status = await fetch(`${origin}${location}/status`, { headers: { authorization } })
      let known: unknown = await status.json()
      while (field(known, "next_action") === "WAIT") {
        // Long poll: waits until the status differs from the one with this ETag.
        const headers = { authorization, "if-none-match": `${status.headers.get("etag")}` }
        status = await fetch(`${origin}${location}/status?wait=30`, { headers })
        if (status.status === 200) known = await status.json()
      }
      assert.equal(field(known, "status"), "QUOTED")
    })

    it("serves its OpenAPI document under the prefix", async () => {
      const document: unknown = await (await fetch(`${origin}/lending/openapi.json`)).json()
      assert.equal(field(field(field(document, "servers"), "0"), "url"), "/lending")
      assert.equal((await fetch(`${origin}/lending/nothing`)).status, 404)
    })
  })
}
