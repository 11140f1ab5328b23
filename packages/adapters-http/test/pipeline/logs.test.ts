import { assert, describe, it } from "@effect/vitest"
import { PasswordHasher } from "@lastro/domain/identity"
import { type Customer } from "@lastro/domain/kyc"
import { exampleBank, PendingWork, storeChildPartner, storeRootPartner } from "@lastro/testkit"
import { Effect, Redacted } from "effect"
import { newApplication, newPartner, newUser } from "../bodies.ts"
import { at } from "../client.ts"
import { givenVisitor, withConsole } from "../console/TextBrowser.ts"
import { givenCaller, givenClient } from "../given.ts"
import { Server, withServer } from "../harness.ts"
import { givenOpened, givenVoice, offersOf } from "../origination.ts"

const naughty = [
  "\r\nINFO forged=1",
  "\u001b[31mred\u001b[0m",
  "\",\"level\":\"FATAL",
  "${jndi:ldap://x}",
  "\u2028\u0085",
  "%0a%0d"
]

describe("logs", () => {
  it.effect("T33 logs one JSON line per request, with the route and without request data", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const root = yield* storeRootPartner()
      const { token } = yield* givenCaller(root)
      const child = yield* storeChildPartner(root)
      yield* server.send(`/api/v1/partners/${child.partner_id}?cpf=52998224725`, {
        token,
        headers: { "x-request-id": "0af7651916cd43dd8448eb211c80319c" }
      })
      assert.lengthOf(server.logs, 1)
      const { annotations, level, message } = JSON.parse(server.logs[0]!) as Record<string, Record<string, unknown>>
      assert.deepStrictEqual<unknown>([level, message], ["INFO", "request"])
      assert.hasAllKeys(annotations, ["request_id", "method", "route", "status", "duration_ms", "root_partner_id"])
      assert.include(annotations, {
        request_id: "0af7651916cd43dd8448eb211c80319c",
        method: "GET",
        route: "/api/v1/partners/:partner_uuid",
        status: 422
      })
      assert.notInclude(server.logs[0]!, child.partner_id)
    })))

  it.effect("T33 name the root partner of the caller and an API client, but no user, also of a refused request", () =>
    withConsole(Effect.gen(function*() {
      const server = yield* Server
      const root = yield* storeRootPartner()
      const child = yield* storeChildPartner(root)
      const { client, token } = yield* givenClient(child)
      const { browser, token: ofUser, user } = yield* givenVisitor(child)
      const before = server.logs.length
      yield* server.send("/api/v1/partners", { token })
      yield* server.send("/api/v1/partners?cpf=52998224725", { token })
      yield* server.send("/api/v1/partners", { token: ofUser })
      yield* server.send("/api/v1/partners", { token: `${token}x` })
      yield* browser.get("/console/partners")
      yield* browser.get("/console/partners/unknown")
      const named = server.logs.slice(before).map((line) => {
        const { annotations } = JSON.parse(line) as { readonly annotations: Record<string, unknown> }
        return [annotations["status"], annotations["client_id"], annotations["root_partner_id"]]
      })
      assert.deepStrictEqual(named, [
        [200, client.client_id, root.partner_id],
        [422, client.client_id, root.partner_id],
        [200, undefined, root.partner_id],
        [401, undefined, undefined],
        [200, undefined, root.partner_id],
        [404, undefined, root.partner_id]
      ])
      assert.notInclude(server.logs.join(), user.user_id)
    })))

  it.effect("T33 request data can neither forge a log line nor put personal data or secrets into one", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const root = yield* storeRootPartner()
      const secret = "correct horse battery staple"
      const hash = yield* (yield* PasswordHasher).hash(Redacted.make(secret))
      const { token, user } = yield* givenCaller(root, "admin", {}, hash)
      const said: Array<string> = [token, secret, user.email, user.cpf, user.phone]
      const send = (path: string, sent: object) => server.send(path, { token, ...sent })
      for (const text of naughty) {
        const partner = yield* newPartner({ name: `Ana ${text}`, email: `${encodeURIComponent(text)}@x.com` })
        const person = yield* newUser({ name: `Bia ${text}`, password: secret })
        said.push(partner.partner.document_number, person.cpf, person.email)
        yield* send("/api/v1/partners", { json: partner })
        yield* send("/api/v1/users", { json: person })
        yield* send(
          `/api/v1/partners?name=${encodeURIComponent(text)}&document_number=${partner.partner.document_number}`,
          {}
        )
        yield* send(`/api/v1/users/${encodeURIComponent(text)}`, {})
        yield* send(`/${encodeURIComponent(text)}`, {
          headers: { "x-request-id": encodeURI(text), "user-agent": encodeURI(text) }
        })
        yield* send("/api/v1/users", {
          headers: { "idempotency-key": encodeURI(text) },
          json: { [text]: text, cpf: person.cpf }
        })
      }
      const granted = yield* server.send("/api/v1/oauth/token", {
        form: { grant_type: "password", username: user.email, password: secret }
      })
      assert.strictEqual(granted.status, 200)
      said.push(String(at(granted, "access_token")), String(at(granted, "refresh_token")))
      yield* server.send("/api/v1/oauth/token", {
        form: { grant_type: "password", username: user.email, password: "wrong" }
      })
      yield* server.send("/api/v1/oauth/revoke", { form: { token: String(at(granted, "refresh_token")) } })
      assert.lengthOf(server.logs, naughty.length * 6 + 3)
      for (const line of server.logs) {
        for (const control of ["\n", "\r", "\u001b", "\u2028", "\u0085"]) assert.notInclude(line, control)
        assert.strictEqual((JSON.parse(line) as { readonly message: unknown }).message, "request")
        for (const word of [...said, "forged", "jndi", "FATAL"]) assert.notInclude(line, word)
      }
    })))

  it.effect("T33 logs no customer data, for a contracted loan or a refused one", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const { finish } = yield* PendingWork
      const voice = yield* givenVoice(yield* storeRootPartner())
      const email = "ana.particular@example.com" as Customer["email"]
      const { customer, id, kyc } = yield* givenOpened(voice, { customer: { email } })
      yield* finish
      const account = { ...exampleBank, account_number: "98765432" }
      yield* voice.submit(id, { ...kyc, disbursement_method: "BANK_TRANSFER", bank: account })
      const [offer = ""] = offersOf(yield* voice.read(id))
      const proposal = String(at(yield* voice.accept(id, offer), "proposal_id"))
      yield* finish
      yield* voice.proposal(proposal)
      yield* voice.search(customer.cpf)
      yield* voice.proposals(`?cpf=${customer.cpf}&customer_name=${customer.name}`)
      yield* voice.status(id, `?wait=${customer.cpf}x`)
      const said: Array<string> = [customer.cpf, customer.birth_date, String(customer.name), String(email), "98765432"]
      for (const text of naughty) {
        const body = yield* newApplication({ customer: { name: text }, [text]: text })
        said.push(body.customer.cpf)
        yield* voice.create(body, { headers: { "idempotency-key": encodeURI(text) } })
        yield* voice.submit(id, { mother_name: text, pix: { type: "EMAIL", key: text } })
        yield* voice.accept(id, encodeURIComponent(text), { terms_accepted: true, user_agent: text })
        yield* voice.search(text)
      }
      const routes = new Set<unknown>()
      for (const line of server.logs) {
        const { annotations, message } = JSON.parse(line) as Record<string, Record<string, unknown>>
        assert.strictEqual<unknown>(message, "request")
        routes.add(annotations?.["route"])
        for (const word of [...said, ...naughty, id, offer, proposal]) assert.notInclude(line, word)
      }
      assert.includeMembers([...routes], [
        "/api/v1/fgts/applications",
        "/api/v1/fgts/applications/:id",
        "/api/v1/fgts/applications/:id/kyc",
        "/api/v1/fgts/applications/:id/offers/:offer_id/accept",
        "/api/v1/fgts/applications/:id/status",
        "/api/v1/proposals",
        "/api/v1/proposals/:proposal_uuid"
      ])
    })))
})
