import { assert, describe, it } from "@effect/vitest"
import { runQuote } from "@lastro/domain/jobs"
import { maxQuotes } from "@lastro/domain/loan"
import { type QuoteId } from "@lastro/domain/values"
import { offering, refusing, ScriptedLender, storeForest, storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { newApplication } from "../bodies.ts"
import { at, codeOf, problemsOf } from "../client.ts"
import { Server, withServer } from "../harness.ts"
import { finish, givenOpened, givenVoice, offersOf } from "../origination.ts"

const unknown = "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40"

describe("applications", () => {
  it.effect("creating one answers the record at its Location, in status QUOTING", () =>
    withServer(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const voice = yield* givenVoice(root)
      const body = yield* newApplication({ customer: { phone: "(11) 98765-4321" }, max_installments: 2 })
      const created = yield* voice.create({ ...body, customer: { ...body.customer, cpf: ` ${body.customer.cpf} ` } })
      assert.strictEqual(created.status, 201)
      const id = String(at(created, "application_id"))
      assert.strictEqual(created.headers.get("location"), `/api/v1/fgts/applications/${id}`)
      assert.strictEqual(created.headers.get("cache-control"), "private, no-cache")
      assert.strictEqual(created.headers.get("vary"), "Authorization, Accept-Language")
      assert.deepStrictEqual(created.body, {
        application_id: id,
        external_id: body.external_id,
        partner_id: root.partner_id,
        created_by: voice.user.user_id,
        status: "QUOTING",
        next_action: "WAIT",
        customer: { ...body.customer, email: null, phone: "11987654321" },
        quote: {
          quote_id: at(created, "quote", "quote_id"),
          number: 1,
          status: "PENDING",
          strategy: "ALL",
          open_parts: 1,
          parts: [{
            lender: { code: "scripted", label: "scripted" },
            status: "PENDING",
            rejection: null,
            completed_at: null
          }],
          offers: [],
          unpriced: [],
          rejection: null,
          created_at: "2026-01-31T12:00:00.000Z",
          completed_at: null,
          blocked_until: null
        },
        kyc_complete: false,
        proposal_id: null,
        rejection: null,
        metadata: {},
        created_at: "2026-01-31T12:00:00.000Z",
        updated_at: "2026-01-31T12:00:00.000Z"
      })
      const read = yield* voice.read(id)
      assert.deepStrictEqual([read.status, read.text], [200, created.text])
      assert.strictEqual(read.headers.get("etag"), created.headers.get("etag"))
      const same = yield* voice.read(id, "", { headers: { "if-none-match": String(read.headers.get("etag")) } })
      assert.deepStrictEqual([same.status, same.text], [304, ""])
      yield* finish
      const quoted = yield* voice.read(id, "", { headers: { "if-none-match": String(read.headers.get("etag")) } })
      assert.deepStrictEqual([quoted.status, at(quoted, "status")], [200, "QUOTED"])
    })))

  it.effect("offers are sorted best first, and their amounts in reais add up", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const { id } = yield* givenOpened(voice)
      yield* finish
      const offers = at(yield* voice.read(id), "quote", "offers") as ReadonlyArray<Record<string, number>>
      assert.isAbove(offers.length, 1)
      const nets = offers.map(({ net_amount }) => net_amount)
      assert.deepStrictEqual(nets, nets.toSorted((one, other) => Number(other) - Number(one)))
      for (const { fee_amount, iof_amount, net_amount, principal_amount } of offers) {
        assert.match(String(net_amount), /^\d+(?:\.\d{1,2})?$/)
        const sum = [fee_amount, iof_amount, net_amount].reduce(
          (all: number, one) => all + Math.round(Number(one) * 100),
          0
        )
        assert.strictEqual(sum, Math.round(Number(principal_amount) * 100))
      }
    })))

  it.effect("T48 several applications may have the same reference; a search finds those in the caller's subtree, newest first", () =>
    withServer(Effect.gen(function*() {
      const [root, a, b] = yield* storeForest([null, 0, 0])
      const [above, inA, inB] = [yield* givenVoice(root), yield* givenVoice(a), yield* givenVoice(b)]
      const opened: Array<unknown> = []
      for (const voice of [inA, inB, inA]) {
        opened.push(at((yield* givenOpened(voice, { external_id: "loan 4711/ç" })).created, "application_id"))
      }
      yield* givenOpened(inA, { external_id: "loan 4711" })
      const found = (reply: { readonly body: unknown }) =>
        (Object(reply.body).data as ReadonlyArray<Record<string, unknown>>).map(({ application_id }) => application_id)
      assert.deepStrictEqual(found(yield* above.search("loan 4711/ç")), opened.toReversed())
      assert.deepStrictEqual(found(yield* inA.search("loan 4711/ç")), [opened[2], opened[0]])
      assert.deepStrictEqual(found(yield* inB.search(" loan 4711/ç ")), [opened[1]])
      assert.deepStrictEqual((yield* inB.search("LOAN 4711/ç")).body, { data: [] })
      const stranger = yield* givenVoice(yield* storeRootPartner())
      assert.deepStrictEqual((yield* stranger.search("loan 4711/ç")).body, { data: [] })
    })))

  it.effect("a search requires a valid reference", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const problems = Effect.fnUntraced(function*(query: string) {
        const reply = yield* voice.send(`/api/v1/fgts/applications${query}`)
        return [reply.status, ...problemsOf(reply)]
      })
      // Without a reference, the request reads a page.
      for (const query of ["", "?external_id="]) {
        assert.deepStrictEqual((yield* voice.send(`/api/v1/fgts/applications${query}`)).status, 200, query)
      }
      assert.deepStrictEqual(yield* problems("?externalId=1"), [422, "query.externalId UNKNOWN_FIELD"])
      assert.deepStrictEqual(yield* problems(`?external_id=${"a".repeat(65)}`), [422, "query.external_id TOO_LONG"])
      assert.deepStrictEqual(yield* problems("?external_id=%00"), [422, "query.external_id INVALID_FORMAT"])
      assert.deepStrictEqual(yield* problems("?external_id=%ff"), [422, "query.external_id INVALID_FORMAT"])
    })))

  it.effect("include=quotes shows every quote with its current status, and no other value is accepted", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const lender = yield* ScriptedLender
      const { id } = yield* givenOpened(voice)
      yield* finish
      yield* lender.setQuoteAnswers(refusing("NO_AUTHORIZATION"))
      assert.strictEqual((yield* voice.requote(id)).status, 202)
      yield* finish
      const plain = yield* voice.read(id)
      assert.isUndefined(at(plain, "quotes"))
      assert.strictEqual((yield* voice.read(id, "?include=")).text, plain.text)
      const whole = yield* voice.read(id, "?include=quotes")
      assert.notStrictEqual(whole.headers.get("etag"), plain.headers.get("etag"))
      const quotes = at(whole, "quotes") as ReadonlyArray<Record<string, unknown>>
      assert.deepStrictEqual(quotes.map(({ number, status }) => [number, status]), [[1, "SUPERSEDED"], [2, "REJECTED"]])
      assert.deepStrictEqual(at(whole, "quotes", 1), at(whole, "quote"))
      const offers = at(whole, "quotes", 0, "offers") as ReadonlyArray<Record<string, unknown>>
      assert.deepStrictEqual([...new Set(offers.map(({ status }) => status))], ["SUPERSEDED"])
      assert.deepInclude(Object(at(whole, "rejection")), { code: "NO_AUTHORIZATION", retryable: true, retry_at: null })
      for (const include of ["kyc", "quotes,kyc", "QUOTES", "%ff"]) {
        const refused = yield* voice.read(id, `?include=${include}`)
        const code = include === "%ff" ? "INVALID_FORMAT" : "UNKNOWN_VALUE"
        assert.deepStrictEqual([refused.status, ...problemsOf(refused)], [422, `query.include ${code}`])
        assert.strictEqual(codeOf(yield* voice.read(unknown, `?include=${include}`)), "NOT_FOUND")
      }
    })))

  it.effect("a new quote repeats the wishes of the last one, except those in its body", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const lender = yield* ScriptedLender
      const { id } = yield* givenOpened(voice, { max_installments: 3, desired_amount: 500.5 })
      const bodies = [undefined, {}, { max_installments: 2 }, { desired_amount: null }, { max_installments: null }]
      for (const body of bodies) {
        yield* finish
        const again = yield* voice.requote(id, body)
        assert.deepStrictEqual([again.status, at(again, "status")], [202, "QUOTING"])
        assert.strictEqual(again.headers.get("etag"), (yield* voice.read(id)).headers.get("etag"))
      }
      yield* finish
      const wishes = (yield* lender.calls).flatMap((call) => call._tag === "Quote" ? [call.request.wish] : [])
      const wish = (max_installments: number | null, desired_amount: number | null) => ({
        max_installments,
        desired_amount
      })
      assert.deepStrictEqual<unknown>(wishes, [
        wish(3, 500_50),
        wish(3, 500_50),
        wish(3, 500_50),
        wish(2, 500_50),
        wish(2, null),
        wish(null, null)
      ])
    })))

  it.effect("T46 the result of a superseded quote changes nothing", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const lender = yield* ScriptedLender
      const { created, id } = yield* givenOpened(voice)
      yield* lender.setQuoteAnswers(refusing("OPERATION_IN_PROGRESS"), offering())
      yield* finish
      yield* voice.requote(id)
      const before = yield* voice.read(id, "?include=quotes")
      yield* runQuote(at(created, "quote", "quote_id") as QuoteId)
      assert.strictEqual((yield* voice.read(id, "?include=quotes")).text, before.text)
    })))

  it.effect("FGTS-11 an application has at most 100 quotes", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const { id } = yield* givenOpened(voice)
      yield* finish
      for (let number = 2; number <= maxQuotes; number++) {
        const again = yield* voice.requote(id)
        assert.deepStrictEqual([again.status, at(again, "quote", "number")], [202, number])
        yield* finish
      }
      const refused = yield* voice.requote(id)
      assert.deepStrictEqual([refused.status, codeOf(refused)], [409, "APPLICATION_NOT_QUOTABLE"])
      assert.strictEqual(at(yield* voice.read(id), "quote", "number"), maxQuotes)
      yield* TestClock.adjust("25 hours")
      const expired = yield* voice.status(id)
      assert.deepStrictEqual([at(expired, "status"), at(expired, "next_action")], ["EXPIRED", "NONE"])
    })))

  it.effect("FGTS-48 ancestors of a deleted partner read and contract its applications, and cannot requote them", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const [root, child] = yield* storeForest([null, 0])
      const voice = yield* givenVoice(root, "admin")
      const { id, kyc } = yield* givenOpened(voice, { partner_id: child.partner_id })
      const path = `/api/v1/partners/${child.partner_id}`
      const early = yield* voice.send(path, { method: "DELETE" })
      assert.deepStrictEqual([codeOf(early), ...problemsOf(early)], [
        "PARTNER_HAS_DEPENDENTS",
        "partner_id HAS_APPLICATIONS"
      ])
      yield* finish
      assert.strictEqual((yield* voice.send(path, { method: "DELETE" })).status, 204)
      const read = yield* voice.read(id)
      assert.deepStrictEqual([read.status, at(read, "status")], [200, "QUOTED"])
      const refused = yield* voice.requote(id)
      assert.deepStrictEqual([refused.status, codeOf(refused)], [409, "APPLICATION_NOT_QUOTABLE"])
      const again = yield* voice.read(id)
      assert.deepStrictEqual([at(again, "status"), at(again, "quote", "number")], ["QUOTED", 1])
      assert.strictEqual((yield* voice.submit(id, kyc)).status, 200)
      const [offer = ""] = offersOf(again)
      assert.strictEqual((yield* voice.accept(id, offer)).status, 202)
      assert.strictEqual(at(yield* voice.proposals(), "page", "total_elements"), 1)
      assert.strictEqual((yield* server.send(`/api/v1/fgts/applications/${id}`)).status, 401)
    })))
})
