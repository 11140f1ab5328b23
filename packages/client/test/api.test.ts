import { assert, describe, it } from "@effect/vitest"
import { aUser } from "@lastro/testkit"
import { isLastroError, LastroClient, LastroError, responseOf } from "../src/index.ts"
import { openApi } from "./server.ts"

const partner = {
  type: "pj",
  name: "Crédito Fácil",
  email: "contato@facil.example",
  phone: "(11) 98765-4321",
  document_number: "12.ABC.345/01DE-35"
} as const

const failure = async (call: PromiseLike<unknown>): Promise<unknown> => {
  try {
    await call
  } catch (error) {
    return error
  }
  return assert.fail("the call has succeeded")
}

describe("a client of the API", () => {
  it("creates, reads and changes a record, and knows its ETag", async () => {
    await using served = await openApi()
    const { client } = served
    const created = await client.createPartner({ partner })
    const read = await client.getPartner(created.data.partner_id)
    assert.strictEqual(read.data.document_number, "12ABC34501DE35")
    assert.match(responseOf(read).etag ?? "", /^".+"$/)
    assert.match(responseOf(read).request_id, /^[0-9a-f-]{36}$/)

    const again = await client.getPartner(created.data.partner_id, { ifNoneMatch: read })
    assert.strictEqual(again, read)

    const patch = { partner: { name: "Crédito Fácil S.A." } }
    const changed = await client.updatePartner(created.data.partner_id, patch, { ifMatch: read })
    assert.strictEqual(changed.data.name, "Crédito Fácil S.A.")
    const late = await failure(client.updatePartner(created.data.partner_id, patch, { ifMatch: read }))
    assert(isLastroError(late, "updatePartner"))
    assert.strictEqual(late.code, "PRECONDITION_FAILED")

    assert.isUndefined(await client.deletePartner(created.data.partner_id, { ifMatch: changed }))
  })

  it("refuses a copy of an answer as a precondition", async () => {
    await using served = await openApi()
    const { client, partner_id } = served
    const read = await client.getPartner(partner_id)
    const error = await failure(client.updatePartner(partner_id, { metadata: null }, { ifMatch: { ...read } }))
    assert(error instanceof TypeError)
    assert.match(error.message, /Pass the answer itself/)
  })

  it("throws the code, the status and all problems of a refusal", async () => {
    await using served = await openApi()
    const error = await failure(served.client.createPartner({ partner: { ...partner, phone: "12", name: "X" } }))
    assert(isLastroError(error, "createPartner"))
    assert.strictEqual(error._tag, "LastroError")
    assert.strictEqual(error.status, 422)
    assert.deepStrictEqual(error.problems.map(({ code, field }) => [field, code]), [
      ["partner.name", "TOO_SHORT"],
      ["partner.phone", "INVALID_FORMAT"]
    ])
    assert.match(error.request_id, /^[0-9a-f-]{36}$/)
    assert.isFalse(isLastroError(error, "getPartner"))
  })

  it("executes a call once for each key", async () => {
    await using served = await openApi()
    const { client } = served
    const first = await client.createPartner({ partner }, { idempotencyKey: "one" })
    const second = await client.createPartner({ partner }, { idempotencyKey: "one" })
    assert.deepStrictEqual(second, first)
    assert.deepStrictEqual([first, second].map((answer) => responseOf(answer).replayed), [false, true])
    assert.strictEqual(Object(await failure(client.createPartner({ partner }))).code, "DOCUMENT_TAKEN")
  })

  it("sends the language of messages", async () => {
    await using served = await openApi()
    const client = new LastroClient({ ...served, language: "pt-BR" })
    const error = await failure(client.getPartner("00000000-0000-0000-0000-000000000000"))
    assert.include(Object(error).message, "não")
  })
})

describe("a list", () => {
  it("is one page, all records, or all pages", async () => {
    await using served = await openApi()
    const { client, sent } = served
    const cnpjs = ["11222333000181", "12ABC34501DE35", "00000000000191", "33000167000101"]
    for (const [index, document_number] of cnpjs.entries()) {
      const email = `contato${index}@facil.example`
      await client.createPartner({ partner: { ...partner, name: `Loja ${index}`, email, document_number } })
    }
    const page = await client.listPartners({ name: "loja", sort: ["name,desc"], size: 3 })
    assert.deepStrictEqual(page.content.map(({ name }) => name), ["Loja 3", "Loja 2", "Loja 1"])
    assert.strictEqual(page.page.total_elements, 4)

    sent.length = 0
    const names: Array<string> = []
    for await (const { name } of client.listPartners({ name: "loja", sort: ["name"], size: 3 })) names.push(name)
    assert.deepStrictEqual(names, ["Loja 0", "Loja 1", "Loja 2", "Loja 3"])
    assert.strictEqual(sent.length, 2)

    const sizes: Array<number> = []
    for await (const one of client.listPartners({ name: "loja", size: 3, page: 1 }).pages()) {
      sizes.push(one.content.length)
    }
    assert.deepStrictEqual(sizes, [1])

    sent.length = 0
    for await (const one of client.listPartners({ name: "loja" })) assert.include(one.name, "Loja")
    assert.strictEqual(sent.length, 1)
  })

  it("of applications is a page with an external id alone, too", async () => {
    await using served = await openApi()
    const { client } = served
    const customer = { cpf: "111.444.777-35", birth_date: "1990-05-17" }
    const { application_id } = await client.createApplication({ external_id: "loan-1", customer })
    const page = await client.listApplications({ external_id: "loan-1" })
    assert.deepStrictEqual(page.content.map((one) => one.application_id), [application_id])
  })

  it("rejects with the refusal of the API", async () => {
    await using served = await openApi()
    const list = served.client.listPartners({ parent_id: "nobody" })
    assert.strictEqual(await list.catch((error: unknown) => Object(error).code), "VALIDATION_FAILED")
    const read = async () => {
      for await (const _ of served.client.listPartners({ parent_id: "nobody" })) assert.fail("a record")
    }
    assert.strictEqual(Object(await failure(read())).code, "VALIDATION_FAILED")
  })
})

describe("an access token", () => {
  const tokens = (sent: ReadonlyArray<string>) => sent.filter((one) => one.endsWith("/oauth/token")).length

  it("is requested once for concurrent calls", async () => {
    await using served = await openApi()
    const { client, sent } = served
    await Promise.all(Array.from({ length: 20 }, () => client.listGroups()))
    assert.strictEqual(tokens(sent), 1)
    assert.strictEqual(sent.length, 21)
  })

  it("is renewed once by concurrent calls after a 401", async () => {
    await using served = await openApi()
    const { api, client, sent } = served
    await client.listGroups()
    // The clock of the server, not that of the client: the client learns of the end from the 401.
    await api.clock.advance("16 minutes")
    await Promise.all(Array.from({ length: 10 }, () => client.listGroups()))
    assert.strictEqual(tokens(sent), 2)
  })

  it("of a user is renewed with the refresh token, and after the end of the session with the password", async () => {
    await using served = await openApi()
    const { api, sent, url } = served
    const password = "a long enough password"
    const { email } = await api.given(aUser().withPassword(password).inGroup("admin"))
    const bodies: Array<string> = []
    const client = new LastroClient({
      url,
      email,
      password,
      fetch: (target, init) => {
        if (target.pathname.endsWith("/token")) bodies.push(Object(JSON.parse(String(init.body))).grant_type)
        sent.push(target.pathname)
        return fetch(target, init)
      }
    })
    assert.propertyVal((await client.getOwnUser()).data, "email", email)
    await api.clock.advance("16 minutes")
    await client.getOwnUser()
    await api.clock.advance("31 days")
    await client.getOwnUser()
    assert.deepStrictEqual(bodies, ["password", "refresh_token", "refresh_token", "password"])
  })

  it("of wrong credentials fails with the code of OAuth 2", async () => {
    await using served = await openApi()
    const client = new LastroClient({ ...served, clientSecret: "wrong" })
    const error = await failure(client.listGroups())
    assert(isLastroError(error, "issueToken"))
    assert.deepStrictEqual([error.status, error.code], [401, "invalid_client"])
  })

  it("can come from a function", async () => {
    await using served = await openApi()
    const { access_token } = await served.client.issueToken({
      grant_type: "client_credentials",
      client_id: served.clientId,
      client_secret: served.clientSecret
    })
    let calls = 0
    const client = new LastroClient({
      url: served.url,
      token: () => {
        calls++
        return Promise.resolve(access_token)
      }
    })
    await Promise.all([client.listGroups(), client.listGroups()])
    assert.instanceOf(await failure(client.getPartner("unknown")), LastroError)
    assert.strictEqual(calls, 1)
  })
})
