import { assert, describe, it } from "@effect/vitest"
import { emptyKyc } from "@lastro/domain/kyc"
import { exampleBank } from "@lastro/testkit"
import { Effect, Redacted } from "effect"
import { HttpClient, type HttpClientRequest, HttpClientResponse } from "effect/http"
import { makeClient } from "../../src/api/client.ts"

const id = "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40"

/** A client that records requests and responds by `answer`. */
const recorded = (answer: () => Response) => {
  const requests: Array<{ readonly request: HttpClientRequest.HttpClientRequest; readonly url: URL }> = []
  const client = HttpClient.make((request, url) => {
    requests.push({ request, url })
    return Effect.succeed(HttpClientResponse.fromWeb(request, answer()))
  })
  return { requests, client }
}

const json = (status: number, body: unknown) => () => Response.json(body, { status })

const options = {
  baseUrl: "https://api.lastro.example",
  accessToken: Effect.succeed(Redacted.make("token")),
  language: "pt-BR"
}

describe("makeClient", () => {
  it.effect("sends the token, the language and the query, and decodes the response", () => {
    const { client, requests } = recorded(json(200, {
      content: [],
      page: { number: 1, size: 20, total_elements: 0, total_pages: 0 },
      sort: [{ property: "name", direction: "asc" }]
    }))
    return Effect.gen(function*() {
      const api = yield* makeClient(options)
      const page = yield* api.partners.listPartners({
        query: { page: 1, sort: ["name,asc", "created_at"], status: "active" }
      })
      assert.strictEqual(page.page.number, 1)
      const [sent] = requests
      assert.strictEqual(sent?.request.headers["authorization"], "Bearer token")
      assert.strictEqual(sent?.request.headers["accept-language"], "pt-BR")
      assert.strictEqual(
        sent?.url.href,
        "https://api.lastro.example/api/v1/partners?page=1&sort=name%2Casc&sort=created_at&status=active"
      )
    }).pipe(Effect.provideService(HttpClient.HttpClient, client))
  })

  it.effect("takes encoded requests and fails with the error envelope", () => {
    const refusal = {
      error: { code: "PRECONDITION_FAILED" as const, message: "changed", request_id: "1", details: [] }
    }
    const { client, requests } = recorded(json(412, refusal))
    return Effect.gen(function*() {
      const api = yield* makeClient(options)
      const error = yield* Effect.flip(api.partners.updatePartner({
        params: { partner_uuid: id },
        headers: { "if-match": "\"tag\"" },
        payload: { partner: { phone: "(11) 98765-4321" }, pix: null }
      }))
      assert.deepStrictEqual(error, refusal)
      const [sent] = requests
      assert.strictEqual(sent?.request.method, "PATCH")
      assert.strictEqual(sent?.request.headers["if-match"], "\"tag\"")
      assert.strictEqual(sent?.url.pathname, `/api/v1/partners/${id}`)
    }).pipe(Effect.provideService(HttpClient.HttpClient, client))
  })

  it.effect("requests tokens by form", () => {
    const { client, requests } = recorded(
      json(200, { access_token: "t", token_type: "Bearer", expires_in: 900, scope: "" })
    )
    return Effect.gen(function*() {
      const api = yield* makeClient({ baseUrl: options.baseUrl })
      yield* api.token.issueToken({
        payload: { grant_type: "password", username: "ana@example.com", password: "secret" }
      })
      const [sent] = requests
      assert.strictEqual(sent?.request.headers["authorization"], undefined)
      assert.strictEqual(sent?.request.headers["content-type"], "application/x-www-form-urlencoded")
    }).pipe(Effect.provideService(HttpClient.HttpClient, client))
  })

  it.effect("decodes a masked KYC and sends a partial one unchanged", () => {
    const answer = {
      complete: false,
      missing_fields: ["name"],
      status: "PARTIAL",
      prefilled_fields: [],
      next_action: "SUBMIT_KYC",
      ...emptyKyc,
      cpf: "***.444.777-**",
      bank: { ...exampleBank, account_number: "****2345", account_digit: "*" }
    }
    const { client, requests } = recorded(json(200, answer))
    return Effect.gen(function*() {
      const api = yield* makeClient(options)
      const read = yield* api.fgts.submitKyc({
        params: { id: id },
        headers: { "idempotency-key": "k" },
        payload: { phone: "(11) 98765-4321", pix: null, address: { complement: "Apto 1" } }
      })
      assert.deepStrictEqual<unknown>(read, answer)
      const [sent] = requests
      assert.strictEqual(sent?.request.headers["idempotency-key"], "k")
      assert.strictEqual(sent?.url.pathname, `/api/v1/fgts/applications/${id}/kyc`)
    }).pipe(Effect.provideService(HttpClient.HttpClient, client))
  })
})
