import { type IdempotencySlot, IdempotencyStore, type StoredAnswer } from "@lastro/domain/idempotency"
import { type PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/ports"
import { addMillis } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Option } from "effect"
import { exampleInstant, freshId } from "../../builders/Fresh.ts"
import { storeRootPartner } from "../../builders/storedRecords.ts"
import { IdempotencyInspector } from "../../memory/idempotency.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { atomically, holdOpen, inParallel, repeatInParallel, rollBack } from "../suite/transactions.ts"

const aSlot: Effect.Effect<IdempotencySlot> = Effect.all({ subject: freshId, key: freshId })

const anAnswer = Effect.gen(function*() {
  const answer: StoredAnswer = {
    fingerprint: yield* freshId,
    partner_id: (yield* storeRootPartner()).partner_id,
    record_id: yield* freshId,
    // An adapter that parses this text and serializes it again returns another text.
    answer:
      `{ "values" : [1.50, null, {"deep":[ ]}],\n "name": "Joa\u0303o João \\"D'Ávila\\" \\\\ \\u00e9 🏦", "id": 1e0 }`,
    stored_at: exampleInstant
  }
  return answer
})

const find = (slot: IdempotencySlot, since = exampleInstant) =>
  Effect.map(IdempotencyStore.use((answers) => answers.find(slot, since)), Option.getOrNull)

/** Saves an answer in a transaction that has claimed the slot. */
const save = Effect.fnUntraced(function*(slot: IdempotencySlot, answer: StoredAnswer) {
  const store = yield* IdempotencyStore
  const claimed = yield* atomically(Effect.tap(store.claim(slot), store.save(slot, answer)))
  assert.isTrue(claimed)
})

/** Returns a text in the forms in which a store without encryption can have it. */
const plainForms = (text: string): ReadonlyArray<string> => {
  const bytes = Buffer.from(text)
  return [text, bytes.toString("latin1"), bytes.toString("hex"), bytes.toString("base64").replaceAll("=", "")]
}

/** Returns all stored values as text. */
const readStored = Effect.map(
  IdempotencyInspector.use(({ values }) => values),
  (values) => values.map((value) => typeof value === "string" ? value : Buffer.from(value).toString("latin1"))
)

/** Contract cases for IdempotencyStore. */
export const idempotencyStoreCases: ContractCases<
  IdempotencyInspector | IdempotencyStore | PartnerRepository | UnitOfWork
> = (it, { units }) => {
  it("`find` returns the stored answer character for character", function*() {
    const slot = { subject: "example-client", key: `!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~${yield* freshId}` }
    const answer = yield* anAnswer
    assert.isNull(yield* find(slot))
    yield* save(slot, answer)
    assert.deepStrictEqual(yield* find(slot), answer)
  })

  it("a key can have 255 characters", function*() {
    const slot = { subject: yield* freshId, key: (yield* freshId).padEnd(255, "k") }
    const answer = yield* anAnswer
    yield* save(slot, answer)
    assert.deepStrictEqual(yield* find(slot), answer)
  })

  it("`find` returns an answer stored at or after `since`, with millisecond precision", function*() {
    const slot = yield* aSlot
    const answer = yield* anAnswer
    yield* save(slot, answer)
    const findSince = (offset: number) => find(slot, addMillis(exampleInstant, offset))
    assert.deepStrictEqual([yield* findSince(-1), yield* findSince(0), yield* findSince(1)], [answer, answer, null])
  })

  it("T51 keys of different callers never collide, and keys are case-sensitive", function*() {
    const id = yield* freshId
    const slots = [
      { subject: `${id}a`, key: "bc" },
      { subject: `${id}ab`, key: "c" },
      { subject: `${id}a`, key: "c" },
      { subject: `${id}A`, key: "bc" },
      { subject: `${id}a`, key: "BC" }
    ]
    const answers: Array<StoredAnswer> = []
    for (const slot of slots) {
      const answer = yield* anAnswer
      assert.isNull(yield* find(slot))
      yield* save(slot, answer)
      answers.push(answer)
    }
    assert.deepStrictEqual(yield* Effect.forEach(slots, (slot) => find(slot)), answers)
  })

  it("the stored data contain neither the idempotency key nor the answer", function*() {
    const slot = yield* aSlot
    const answer = yield* anAnswer
    const secret = yield* freshId
    yield* save(slot, { ...answer, answer: secret })
    const stored = yield* readStored
    assert.include(stored.join(), answer.partner_id)
    for (const form of [slot.key, secret].flatMap(plainForms)) {
      assert.isFalse(stored.some((value) => value.includes(form)), "a stored value is readable")
    }
  })

  it("the answer is encrypted with a key of its own slot: equal answers of two slots are stored differently", function*() {
    const answer = yield* anAnswer
    const before = new Set(yield* readStored)
    for (const slot of [yield* aSlot, yield* aSlot]) yield* save(slot, answer)
    const { fingerprint, partner_id, record_id, stored_at } = answer
    const known = new Set<string>([fingerprint, partner_id, record_id, stored_at])
    const added = (yield* readStored).filter((value) => !before.has(value) && !known.has(value))
    assert.isAtLeast(added.length, 4)
    assert.strictEqual(new Set(added).size, added.length)
  })

  it("`save` replaces an older answer", function*() {
    const slot = yield* aSlot
    const old = yield* anAnswer
    const next = { ...(yield* anAnswer), stored_at: addMillis(exampleInstant, 1) }
    yield* save(slot, old)
    yield* save(slot, next)
    assert.deepStrictEqual(yield* find(slot), next)
    assert.deepStrictEqual(yield* find(slot, next.stored_at), next)
  })

  it("`claim` and `save` roll back with the surrounding transaction", function*() {
    const store = yield* IdempotencyStore
    const slot = yield* aSlot
    const answer = yield* anAnswer
    yield* rollBack(Effect.gen(function*() {
      yield* store.claim(slot)
      yield* store.save(slot, answer)
    }))
    assert.isNull(yield* find(slot))
    yield* save(slot, answer)
    assert.deepStrictEqual(yield* find(slot), answer)
  })

  it("`claim` is reentrant within a transaction", function*() {
    const store = yield* IdempotencyStore
    const slot = yield* aSlot
    const claims = yield* atomically(Effect.all([store.claim(slot), store.claim(slot)]))
    assert.deepStrictEqual(claims, [true, true])
  })

  it("T51 of concurrent requests with the same key, exactly one takes effect", function*() {
    const store = yield* IdempotencyStore
    const slot = yield* aSlot
    const answer = yield* anAnswer
    let effects = 0
    const request = atomically(Effect.gen(function*() {
      // `find` is called before the claim has ended, but must read after it.
      const [isClaimed, stored] = yield* inParallel([store.claim(slot), find(slot)])
      if (!isClaimed) return "in flight"
      if (stored !== null) return "replayed"
      yield* Effect.yieldNow
      effects += 1
      yield* store.save(slot, answer)
      return "first"
    }))
    const outcomes = yield* repeatInParallel(6, request)
    assert.strictEqual(outcomes.filter((outcome) => outcome === "first").length, 1)
    assert.strictEqual(effects, 1)
  })

  if (units === "serialised") return

  it("`claim` returns false without blocking while another transaction has claimed the slot, and true for other slots", function*() {
    const store = yield* IdempotencyStore
    const [slot, other] = [yield* aSlot, yield* aSlot]
    const first = yield* holdOpen(store.claim(slot))
    assert.isFalse(yield* atomically(store.claim(slot)))
    assert.isTrue(yield* atomically(store.claim(other)))
    assert.isTrue(yield* atomically(store.claim({ ...slot, subject: other.subject })))
    yield* first.release
    assert.isTrue(yield* atomically(store.claim(slot)))
  })
}
