import { LastroClient, responseOf } from "@lastro/client"
import assert from "node:assert/strict"
import { once } from "node:events"
import { after, before, describe, it } from "node:test"
import { expressServer } from "../src/express.ts"
import { honoServer } from "../src/hono.ts"
import { openLending } from "../src/lastro.ts"

const field = (value: unknown, name: string): unknown => Object(value)[name]

const frameworks = { Hono: honoServer, Express: expressServer }

for (const [name, serverOf] of Object.entries(frameworks)) {
  describe(name, () => {
    let lending: Awaited<ReturnType<typeof openLending>>
    let server: ReturnType<typeof serverOf>
    let origin = ""

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

    it("opens an application, returns its Location and gets a quote", async () => {
      assert(lending.credentials)
      const { client_id: clientId, client_secret: clientSecret } = lending.credentials
      const client = new LastroClient({ url: `${origin}/lending`, clientId, clientSecret })
      const opened = await client.createApplication({
        external_id: "order-1",
        customer: { cpf: "529.982.247-25", birth_date: "1990-05-17", name: "Ana Souza" }
      })
      const location = responseOf(opened).headers.get("location")
      assert.equal(location, `/lending/api/v1/fgts/applications/${opened.application_id}`)

      const { status } = await client.waitForStatus(opened.application_id)
      assert.equal(status, "QUOTED")
    })

    it("serves its OpenAPI document under the prefix", async () => {
      const document: unknown = await (await fetch(`${origin}/lending/openapi.json`)).json()
      assert.equal(field(field(field(document, "servers"), "0"), "url"), "/lending")
      assert.equal((await fetch(`${origin}/lending/nothing`)).status, 404)
    })
  })
}
