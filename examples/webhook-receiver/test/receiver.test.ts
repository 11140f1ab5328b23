import assert from "node:assert/strict"
import { once } from "node:events"
import { after, before, beforeEach, describe, it } from "node:test"
import { Webhook } from "standardwebhooks"
import { expressReceiver } from "../src/express.ts"
import { honoReceiver } from "../src/hono.ts"
import { Inbox } from "../src/Inbox.ts"

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`
const body = JSON.stringify({ event_id: "0197f3a2-9a1b-7c2d-8e3f-4a5b6c7d8e9f", type: "proposal.paid", data: {} })

/** Signs a delivery like the server. */
const signed = (id: string, { at = new Date(), by = secret, content = body } = {}) => ({
  method: "POST",
  headers: {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": new Webhook(by).sign(id, at, content)
  },
  body
})

for (const [name, receiver] of Object.entries({ Express: expressReceiver, Hono: honoReceiver })) {
  describe(name, () => {
    const events: Array<unknown> = []
    let url = ""
    let failures = 0
    let inbox: Inbox
    let server: ReturnType<typeof receiver>

    before(async () => {
      inbox = new Inbox(":memory:")
      server = receiver(secret, inbox, (event) => {
        if (failures-- > 0) throw new Error("The work failed.")
        events.push(event)
      })
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
      const address = server.address()
      assert(typeof address === "object" && address !== null)
      url = `http://127.0.0.1:${address.port}/webhooks`
    })

    beforeEach(() => events.splice(0))

    after(() => {
      server.close()
      inbox.close()
    })

    it("accepts a signed event, and works on it once", async () => {
      for (const id of ["one", "one", "two", "one"]) assert.equal((await fetch(url, signed(id))).status, 204)
      assert.deepEqual(events, [JSON.parse(body), JSON.parse(body)])
    })

    it("gets an event again whose work failed", async () => {
      failures = 1
      assert.equal((await fetch(url, signed("failed"))).status, 500)
      assert.deepEqual(events, [])
      assert.equal((await fetch(url, signed("failed"))).status, 204)
      assert.equal(events.length, 1)
    })

    it("accepts an event with one more signature, of a secret that was rotated", async () => {
      const delivery = signed("three")
      const other = signed("three", { by: `whsec_${Buffer.alloc(32, 8).toString("base64")}` })
      delivery.headers["webhook-signature"] += ` ${other.headers["webhook-signature"]}`
      assert.equal((await fetch(url, delivery)).status, 204)
    })

    it("refuses an event that is not signed with the secret, changed, or older than five minutes", async () => {
      const refused = [
        signed("four", { by: `whsec_${Buffer.alloc(32, 8).toString("base64")}` }),
        signed("four", { content: body.replace("paid", "lost") }),
        signed("four", { at: new Date(Date.now() - 6 * 60_000) }),
        { ...signed("four"), headers: { "content-type": "application/json" } }
      ]
      for (const delivery of refused) assert.equal((await fetch(url, delivery)).status, 401)
      assert.deepEqual(events, [])
    })
  })
}
