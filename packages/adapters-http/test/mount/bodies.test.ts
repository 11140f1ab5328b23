import { assert, describe, it } from "@effect/vitest"
import { mountApi } from "@lastro/adapters-http"
import { application, clientOf, codeOf, issuer, openFixture, partner } from "./fixture.ts"

const mounted = async () => {
  const fixture = await openFixture()
  const api = await mountApi(fixture.layer, { issuer })
  const client = await clientOf({ base: "http://inside/lending", fetch: api.fetch, form: fixture.form })
  const create = (body: NonNullable<RequestInit["body"]>, headers: Record<string, string> = {}) =>
    client.get("/api/v1/partners", { method: "POST", body, headers })
  return { ...fixture, api, client, create }
}

const chunk = new Uint8Array(64 * 1024).fill(0x20)

/** A chunked body of unknown length. */
const streamOf = (chunks: number) => {
  let left = chunks
  return new ReadableStream<Uint8Array>({
    pull: (controller) => left-- > 0 ? controller.enqueue(chunk) : controller.close()
  })
}

describe("bodies of Fetch API requests", () => {
  it("reads a chunked body without a declared length", async () => {
    const { api, create } = await mounted()
    await using _ = api
    const text = JSON.stringify(partner(1))
    const pieces = [text.slice(0, 20), text.slice(20)].map((piece) => new TextEncoder().encode(piece))
    assert.strictEqual((await create(ReadableStream.from(pieces))).status, 201)
  })

  it("refuses a missing body where one is required", async () => {
    const { api, client } = await mounted()
    await using _ = api
    const bare = await client.get("/api/v1/partners", { method: "POST" })
    assert.deepStrictEqual([bare.status, await codeOf(bare)], [415, "UNSUPPORTED_MEDIA_TYPE"])
  })

  it("reads an optional body whatever the headers declare", async () => {
    const { api, client } = await mounted()
    await using _ = api
    const quoted = async () => {
      const location = (await client.post("/api/v1/fgts/applications", application)).headers.get("location")
      return (sent: RequestInit) => client.send(`${location}/quotes`, { method: "POST", ...sent })
    }
    const wrong = await (await quoted())({ body: JSON.stringify({ max_installments: 0 }) })
    assert.deepStrictEqual([wrong.status, await codeOf(wrong)], [422, "VALIDATION_FAILED"])
    assert.include([202, 409], (await (await quoted())({})).status)
  })

  it("T30 refuses more than 256 KiB with 413, whatever the declared length", async () => {
    const { api, create } = await mounted()
    await using _ = api
    const told = [{}, { "content-length": "2" }, { "content-length": String(10 * chunk.length) }]
    await Promise.all(told.map(async (headers) => {
      const reply = await create(streamOf(10), headers)
      assert.deepStrictEqual([reply.status, await codeOf(reply)], [413, "PAYLOAD_TOO_LARGE"])
    }))
    const huge = await create(streamOf(1_000), { "content-length": String(1_000 * chunk.length) })
    assert.strictEqual(huge.status, 413)
  })

  it("answers 500 to a consumed body, and the log names the cause", async () => {
    const { api, form, logs } = await mounted()
    await using _ = api
    const request = new Request("http://inside/lending/api/v1/oauth/token", {
      method: "POST",
      body: new URLSearchParams(form)
    })
    await request.text()
    assert.strictEqual((await api.fetch(request)).status, 500)
    assert.include(logs.join("\n"), "mount the API before express.json()")
    assert.notInclude(logs.join("\n"), form.client_secret)
  })
})
