import { assert, describe, it } from "@effect/vitest"
import { IdempotencyStore } from "@lastro/domain/idempotency"
import { maskCpf } from "@lastro/domain/values"
import { MemoryDatabase, ScriptedLender, storeChildPartner, storeRootPartner } from "@lastro/testkit"
import { Effect, Layer } from "effect"
import { newApplication } from "../bodies.ts"
import { at, codeOf, problemsOf, type Reply } from "../client.ts"
import { withServer } from "../harness.ts"
import { finish, givenOpened, givenVoice, offersOf, type Voice, voiceOf } from "../origination.ts"

const unknown = "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40"

const withKey = (key: string) => ({ headers: { "idempotency-key": key } })

const assertReplay = (again: Reply, first: Reply) => {
  assert.deepStrictEqual([again.status, again.text], [first.status, first.text])
  for (const name of ["etag", "location"]) assert.strictEqual(again.headers.get(name), first.headers.get(name), name)
  assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
  assert.isNull(first.headers.get("idempotency-replayed"))
}

/** Arranges an application with offers and a complete KYC. */
const givenQuoted = Effect.fnUntraced(function*(voice: Voice) {
  const { id, kyc } = yield* givenOpened(voice)
  yield* finish
  yield* voice.submit(id, kyc)
  const [offer = "", other = ""] = offersOf(yield* voice.read(id))
  return { id, offer, other }
})

type Quoted = Effect.Success<ReturnType<typeof givenQuoted>>

/** Every command on an application, and the same command with another body. */
const commands = {
  requoteApplication: {
    ask: (voice: Voice, { id }: Quoted, key: string) => voice.requote(id, { max_installments: 2 }, withKey(key)),
    other: (voice: Voice, { id }: Quoted, key: string) => voice.requote(id, undefined, withKey(key))
  },
  acceptOffer: {
    ask: (voice: Voice, { id, offer }: Quoted, key: string) =>
      voice.accept(id, offer, { terms_accepted: true, ip: "192.0.2.1" }, withKey(key)),
    other: (voice: Voice, { id, offer }: Quoted, key: string) => voice.accept(id, offer, undefined, withKey(key))
  },
  submitKyc: {
    ask: (voice: Voice, { id }: Quoted, key: string) =>
      voice.submit(id, { address: { complement: "Apto 1" } }, withKey(key)),
    other: (voice: Voice, { id }: Quoted, key: string) =>
      voice.submit(id, { address: { complement: "Apto 2" } }, withKey(key))
  }
}

/** The durable jobs with their progress. Starting a job again changes it. */
const work = Effect.flatMap(MemoryDatabase, ({ state }) => Effect.map(state, ({ work }) => [...work]))

describe("Idempotency-Key of origination", () => {
  it.effect("T51 createApplication runs once per key, and another body is refused", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const body = yield* newApplication()
      const first = yield* voice.create(body, withKey("k"))
      yield* finish
      assertReplay(yield* voice.create(body, withKey("k")), first)
      assert.strictEqual(at(yield* voice.search(body.external_id), "data", "length"), 1)
      assert.deepStrictEqual((yield* (yield* ScriptedLender).calls).length, 1)
      const reused = yield* voice.create(yield* newApplication(), withKey("k"))
      assert.deepStrictEqual([reused.status, codeOf(reused)], [422, "IDEMPOTENCY_KEY_REUSED"])
      assert.strictEqual((yield* voice.create(body)).status, 201, "without a key it is another application")
    })))

  for (const [name, { ask, other }] of Object.entries(commands)) {
    it.effect(`T51 ${name} runs once per key, whatever happens in between`, () =>
      withServer(Effect.gen(function*() {
        const voice = yield* givenVoice(yield* storeRootPartner())
        const quoted = yield* givenQuoted(voice)
        const first = yield* ask(voice, quoted, "k")
        assert.isBelow(first.status, 300)
        yield* finish
        const before = yield* work
        assertReplay(yield* ask(voice, quoted, "k"), first)
        assert.deepStrictEqual(yield* work, before, "the replay starts no job")
        const now = yield* voice.read(quoted.id)
        const [offer = quoted.offer] = offersOf(now)
        yield* voice.submit(quoted.id, { address: { complement: "Casa" } })
        yield* voice.accept(quoted.id, offer)
        const later = yield* work
        assertReplay(yield* ask(voice, quoted, "k"), first)
        assert.deepStrictEqual(yield* work, later, "the replay starts no job")
        const reused = yield* other(voice, quoted, "k")
        assert.deepStrictEqual([reused.status, codeOf(reused)], [422, "IDEMPOTENCY_KEY_REUSED"])
        const elsewhere = yield* ask(voice, yield* givenQuoted(voice), "k")
        assert.strictEqual(codeOf(elsewhere), "IDEMPOTENCY_KEY_REUSED", "the key was used for another application")
      })))

    it.effect(`T51 ${name} runs once for concurrent requests with one key`, () =>
      withServer(Effect.gen(function*() {
        const voice = yield* givenVoice(yield* storeRootPartner())
        const quoted = yield* givenQuoted(voice)
        const before = yield* work
        const replies = yield* Effect.replicateEffect(ask(voice, quoted, "k"), 8, { concurrency: "unbounded" })
        assert.deepStrictEqual([new Set(replies.map(({ text }) => text)).size, replies[0]!.status < 300], [1, true])
        assert.strictEqual(replies.filter(({ headers }) => headers.get("idempotency-replayed") === "true").length, 7)
        const started = (yield* work).length - before.length
        assert.strictEqual(started, name === "submitKyc" ? 0 : 1)
      })))

    it.effect(`T51 ${name} checks the key after existence and hierarchy and before everything else`, () =>
      withServer(Effect.gen(function*() {
        const root = yield* storeRootPartner()
        const voice = yield* givenVoice(root)
        const stranger = yield* givenVoice(yield* storeRootPartner())
        const quoted = yield* givenQuoted(voice)
        const nowhere = { id: unknown, offer: unknown, other: unknown }
        for (const key of ["a b", "", "a".repeat(256), "k"]) {
          assert.strictEqual(codeOf(yield* ask(voice, nowhere, key)), "NOT_FOUND", key)
          assert.strictEqual(codeOf(yield* ask(stranger, quoted, key)), "OUTSIDE_HIERARCHY", key)
          if (key === "k") continue
          const refused = yield* ask(voice, quoted, key)
          assert.deepStrictEqual([refused.status, ...problemsOf(refused)], [
            422,
            "header.Idempotency-Key INVALID_FORMAT"
          ])
        }
        assert.isBelow((yield* ask(voice, quoted, "k")).status, 300, "a refused request does not bind the key")
      })))

    it.effect(`T51 ${name} does not replay for an application that left the caller's hierarchy`, () =>
      withServer(Effect.gen(function*() {
        const root = yield* storeRootPartner()
        const [branch, elsewhere] = [yield* storeChildPartner(root), yield* storeChildPartner(root)]
        const leaf = yield* storeChildPartner(branch)
        const above = yield* givenVoice(root, "admin")
        const voice = yield* givenVoice(branch)
        const { id, kyc } = yield* givenOpened(voice, { partner_id: leaf.partner_id })
        yield* finish
        yield* voice.submit(id, kyc)
        const [offer = ""] = offersOf(yield* voice.read(id))
        assert.isBelow((yield* ask(voice, { id, offer, other: "" }, "k")).status, 300)
        yield* above.send(`/api/v1/partners/${leaf.partner_id}`, {
          method: "PATCH",
          json: { partner: { parent_uuid: elsewhere.partner_id } }
        })
        assert.strictEqual(codeOf(yield* ask(voice, { id, offer, other: "" }, "k")), "OUTSIDE_HIERARCHY")
      })))

    it.effect(`T51 ${name} is refused while the first request runs, and can be retried`, () =>
      withServer(
        Effect.gen(function*() {
          const voice = yield* givenVoice(yield* storeRootPartner())
          const refused = yield* ask(voice, yield* givenQuoted(voice), "k")
          assert.deepStrictEqual([refused.status, codeOf(refused)], [409, "IDEMPOTENCY_IN_FLIGHT"])
          assert.strictEqual(refused.headers.get("retry-after"), "1")
        }),
        {
          instead: Layer.effect(
            IdempotencyStore,
            Effect.map(IdempotencyStore, (store) => ({ ...store, claim: () => Effect.succeed(false) }))
          )
        }
      ))
  }

  it.effect("T51 KYC-10 a replay shows the data that its own token may read", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const blind = yield* voiceOf(voice.user, "operator", ["fgts:write"])
      const { customer, id, kyc } = yield* givenOpened(voice)
      const opening = yield* newApplication({ customer })
      const masked = maskCpf(customer.cpf)
      const cpfIn = (...path: ReadonlyArray<string>) => (reply: Reply) => at(reply, ...path)
      const asks = [
        {
          ask: (by: Voice, key: string) => by.create(opening, withKey(`create-${key}`)),
          shown: cpfIn("customer", "cpf"),
          hidden: masked
        },
        {
          ask: (by: Voice, key: string) => by.requote(id, { max_installments: 2 }, withKey(`requote-${key}`)),
          shown: cpfIn("customer", "cpf"),
          hidden: masked
        },
        {
          ask: (by: Voice, key: string) => by.submit(id, kyc, withKey(`submit-${key}`)),
          shown: cpfIn("cpf"),
          hidden: null
        }
      ]
      for (const { ask, hidden, shown } of asks) {
        for (const [key, order] of [["full", [voice, blind, voice]], ["masked", [blind, voice, blind]]] as const) {
          yield* finish
          const replies = yield* Effect.forEach(order, (by) => ask(by, key))
          assert.deepStrictEqual(replies.map(shown), order.map((by) => by === voice ? customer.cpf : hidden))
          const replayed = replies.map(({ headers }) => headers.get("idempotency-replayed"))
          assert.deepStrictEqual(replayed, [null, "true", "true"])
          assert.strictEqual(replies[2]?.text, replies[0]?.text)
        }
      }
    })))

  it.effect("a malformed key is refused after permission", () =>
    withServer(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const body = yield* newApplication()
      assert.strictEqual(
        codeOf(yield* (yield* givenVoice(root, "viewer")).create(body, withKey("a b"))),
        "PERMISSION_DENIED"
      )
      const refused = yield* (yield* givenVoice(root)).create({ ...body, nonsense: 1 }, withKey("a b"))
      assert.deepStrictEqual([refused.status, ...problemsOf(refused)], [422, "header.Idempotency-Key INVALID_FORMAT"])
    })))

  it.effect("T51 keys are separate for each caller", () =>
    withServer(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const body = yield* newApplication()
      const [one, other] = [yield* givenVoice(root), yield* givenVoice(root)]
      const replies = [yield* one.create(body, withKey("k")), yield* other.create(body, withKey("k"))]
      assert.strictEqual(new Set(replies.map((reply) => at(reply, "application_id"))).size, 2)
    })))
})
