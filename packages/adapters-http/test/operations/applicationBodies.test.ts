import { assert, describe, it } from "@effect/vitest"
import { MemoryDatabase, storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { newApplication } from "../bodies.ts"
import { at, problemsOf, type Reply } from "../client.ts"
import { withServer } from "../harness.ts"
import { finish, givenOpened, givenVoice } from "../origination.ts"

const refusal = (reply: Reply) => [reply.status, ...problemsOf(reply)]

describe("bodies of origination", () => {
  it.effect("reports every invalid field of a new application at once", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const refused = yield* voice.create({
        external_id: "",
        customer: {
          cpf: "529.982.247-26",
          birth_date: "2026-02-01",
          name: "A",
          email: "nobody@",
          phone: 11987654321,
          gender: "F"
        },
        max_installments: 11,
        desired_amount: 304.65999999999997,
        partner_id: "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40",
        status: "QUOTED"
      })
      assert.deepStrictEqual(refusal(refused), [
        422,
        "customer.birth_date OUT_OF_RANGE",
        "customer.cpf INVALID_CHECK_DIGIT",
        "customer.email INVALID_FORMAT",
        "customer.gender UNKNOWN_FIELD",
        "customer.name TOO_SHORT",
        "customer.phone INVALID_TYPE",
        "desired_amount INVALID_FORMAT",
        "external_id TOO_SHORT",
        "max_installments OUT_OF_RANGE",
        "partner_id NOT_FOUND",
        "status UNKNOWN_FIELD"
      ])
      const details = at(refused, "error", "details") as ReadonlyArray<Record<string, unknown>>
      const params = Object.fromEntries(
        details.flatMap(({ field, params }) => params === undefined ? [] : [[field, params]])
      )
      assert.deepStrictEqual(params, {
        "customer.email": { expected: "name@domain" },
        "customer.birth_date": { max: "2008-01-31", min_age: 18 },
        "customer.name": { min: 2 },
        "customer.phone": { expected: "text" },
        desired_amount: { decimals: 2 },
        external_id: { min: 1 },
        max_installments: { min: 1, max: 10 }
      })
      assert.notInclude(refused.text, "52998224726")
      assert.notInclude(refused.text, "nobody@")
    })))

  const wrong: Readonly<Record<string, readonly [change: object, problem: string]>> = {
    "no reference": [{ external_id: undefined }, "external_id REQUIRED"],
    "a reference of no text": [{ external_id: null }, "external_id REQUIRED"],
    "a reference with a NUL": [{ external_id: "a\u0000" }, "external_id INVALID_FORMAT"],
    "a reference with half a character": [{ external_id: "a\ud800" }, "external_id INVALID_FORMAT"],
    "a long reference": [{ external_id: "a".repeat(65) }, "external_id TOO_LONG"],
    "no customer": [{ customer: undefined }, "customer REQUIRED"],
    "null for a customer": [{ customer: null }, "customer REQUIRED"],
    "a list for a customer": [{ customer: [] }, "customer INVALID_TYPE"],
    "no instalment": [{ max_installments: 0 }, "max_installments OUT_OF_RANGE"],
    "half an instalment": [{ max_installments: 1.5 }, "max_installments INVALID_TYPE"],
    "instalments as a text": [{ max_installments: "3" }, "max_installments INVALID_TYPE"],
    "no amount": [{ desired_amount: 0 }, "desired_amount OUT_OF_RANGE"],
    "a negative amount": [{ desired_amount: -1 }, "desired_amount OUT_OF_RANGE"],
    "too great an amount": [{ desired_amount: 1e15 }, "desired_amount OUT_OF_RANGE"],
    "a third of a centavo": [{ desired_amount: 0.001 }, "desired_amount INVALID_FORMAT"]
  }

  it.effect("T49 a value out of bounds is reported by its field, and no application is created", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      for (const [name, [change, problem]] of Object.entries(wrong)) {
        assert.deepStrictEqual(
          refusal(yield* voice.create({ ...yield* newApplication(), ...change })),
          [422, problem],
          name
        )
      }
      for (const body of [null, [], 1, "x", true]) assert.strictEqual((yield* voice.create(body)).status, 422)
      assert.strictEqual((yield* (yield* MemoryDatabase).state).applications.size, 0)
      const least = { max_installments: 1, desired_amount: 0.01 }
      assert.strictEqual((yield* voice.create({ ...yield* newApplication(), ...least })).status, 201)
      const nulls = { partner_id: null, max_installments: null, desired_amount: null, lenders: null, metadata: null }
      assert.strictEqual((yield* voice.create({ ...yield* newApplication(), ...nulls })).status, 201)
      const most = { max_installments: 10, desired_amount: 9_999_999_999_999.99, external_id: "a".repeat(64) }
      assert.strictEqual((yield* voice.create({ ...yield* newApplication(), ...most })).status, 201)
    })))

  it.effect("T25 fields that the server sets are unknown fields", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const { created, id } = yield* givenOpened(voice)
      const mine = new Set(["external_id", "customer", "partner_id", "metadata"])
      for (const [field, value] of Object.entries(Object(created.body))) {
        if (mine.has(field)) continue
        const refused = yield* voice.create({ ...yield* newApplication(), [field]: value })
        assert.deepStrictEqual(refusal(refused), [422, `${field} UNKNOWN_FIELD`])
        yield* finish
        assert.deepStrictEqual(refusal(yield* voice.requote(id, { [field]: value })), [422, `${field} UNKNOWN_FIELD`])
      }
    })))

  it.effect("T27 names of JavaScript object members are unknown fields", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const { id } = yield* givenOpened(voice)
      yield* finish
      const polluting = JSON.parse(
        `{ "__proto__": { "polluted": 1 }, "constructor": { "prototype": { "polluted": 1 } } }`
      )
      const fields = ["__proto__ UNKNOWN_FIELD", "constructor UNKNOWN_FIELD"]
      const body = yield* newApplication()
      const merged = Object.assign(JSON.parse(JSON.stringify(polluting)), body) as object
      assert.deepStrictEqual(refusal(yield* voice.create(merged)), [422, ...fields])
      assert.deepStrictEqual(refusal(yield* voice.requote(id, polluting)), [422, ...fields])
      assert.deepStrictEqual(refusal(yield* voice.submit(id, polluting)), [422, ...fields])
      assert.strictEqual(Reflect.get({}, "polluted"), undefined)
    })))

  it.effect("an optional body is absent or a JSON object", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const { id } = yield* givenOpened(voice)
      yield* finish
      for (const body of [[], "x", 1, true]) assert.strictEqual((yield* voice.requote(id, body)).status, 422)
      const wrong = yield* voice.requote(id, { max_installments: 0, desired_amount: 0, external_id: "b" })
      assert.deepStrictEqual(refusal(wrong), [
        422,
        "desired_amount OUT_OF_RANGE",
        "external_id UNKNOWN_FIELD",
        "max_installments OUT_OF_RANGE"
      ])
      const text = yield* voice.send(`/api/v1/fgts/applications/${id}/quotes`, {
        method: "POST",
        body: "{}",
        headers: { "content-type": "text/plain" }
      })
      assert.strictEqual(text.status, 415)
      assert.strictEqual(at(yield* voice.read(id), "status"), "QUOTED")
    })))
})
