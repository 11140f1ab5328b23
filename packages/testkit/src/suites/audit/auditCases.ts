import {
  type AuditEntry,
  type AuditFilters,
  AuditLog,
  type AuditQuery,
  AuditRetention,
  AuditTrail,
  PersonalDataHasher
} from "@lastro/domain/audit"
import { type PartnerDetail, type PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/ports"
import { type Timestamp, timestampOf } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Stream } from "effect"
import * as fc from "fast-check"
import { unicodeText } from "../../arbitraries/paging.ts"
import { exampleInstant, freshId } from "../../builders/Fresh.ts"
import { storeForest, storeRootPartner } from "../../builders/storedRecords.ts"
import { AuditInspector } from "../../memory/audit.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { decomposedText, readWalk, scopeOfPartner } from "../suite/queries.ts"
import { anAuditEntry, removePartner, storeAuditEntry } from "../suite/storedRecords.ts"
import { atomically, rollBack } from "../suite/transactions.ts"

/** Builds an audit entry with values that are easily corrupted when stored. */
const anEntry = Effect.fnUntraced(function*(fields: Partial<AuditEntry> = {}) {
  return yield* anAuditEntry(yield* storeRootPartner(), {
    actor: yield* freshId,
    before: { name: "João \"D'Ávila\" \\ 🏦", pix: null, tags: ["a", 1.5, true], nested: { empty: {}, none: [] } },
    after: { name: "José" },
    changed: ["name", "pix", "tags", "nested.none", "a,\"b\" {c}"],
    ...fields
  })
})

const entriesOf = (subject_id: string) => AuditInspector.use((inspector) => inspector.entriesOf(subject_id))

/** Contract cases for AuditLog. An AuditInspector reads the entries. */
export const auditLogCases: ContractCases<AuditInspector | AuditLog | PartnerRepository | UnitOfWork> = (it) => {
  it("`record` stores every field of an entry, including nulls", function*() {
    const full = yield* anEntry()
    const bare = yield* anEntry({ actor: "operator", before: null, after: null, changed: [], request_id: null })
    for (const entry of [full, bare]) {
      yield* (yield* AuditLog).record(entry)
      assert.deepStrictEqual(yield* entriesOf(entry.subject_id), [entry])
    }
  })

  it("`record` stores text character for character, without normalizing it", function*() {
    const entry = yield* anEntry({ actor: `host:${decomposedText}`, after: { name: decomposedText } })
    yield* (yield* AuditLog).record(entry)
    assert.deepStrictEqual(yield* entriesOf(entry.subject_id), [entry])
  })

  it("entries of one subject are read in the order in which they were recorded", function*() {
    const log = yield* AuditLog
    const first = yield* anEntry()
    const entries = [first, ...["b", "c", "d"].map((action) => ({ ...first, action }))]
    for (const entry of entries) yield* log.record({ ...entry, id: yield* freshId })
    const actions = (yield* entriesOf(first.subject_id)).map(({ action }) => action)
    assert.deepStrictEqual(actions, ["partner.update", "b", "c", "d"])
  })

  it("T58 `record` writes the entry in the surrounding transaction, and rolls back with it", function*() {
    const log = yield* AuditLog
    const [kept, rolledBack] = [yield* anEntry(), yield* anEntry()]
    yield* atomically(log.record(kept))
    yield* rollBack(log.record(rolledBack))
    assert.deepStrictEqual(yield* entriesOf(kept.subject_id), [kept])
    assert.deepStrictEqual(yield* entriesOf(rolledBack.subject_id), [])
  })
}

const minute = (minutes: number): Timestamp => timestampOf(Date.parse(exampleInstant) + minutes * 60_000)

const newestFirst = [{ property: "at", direction: "desc" }] as const

const read = Effect.fnUntraced(function*(caller: PartnerDetail, query: Partial<AuditQuery> = {}, budget?: number) {
  const defaults = { filters: {}, page: { number: 0, size: 100 }, sort: newestFirst }
  return yield* (yield* AuditTrail).list(scopeOfPartner(caller), { ...defaults, ...query }, budget)
})

/** Contract cases for AuditTrail. */
export const auditTrailCases: ContractCases<AuditLog | AuditTrail | PartnerRepository | UnitOfWork> = (it) => {
  it("`list` returns every field of the entries of the partners in scope, and no others", function*() {
    const [root, caller, child, sibling] = yield* storeForest([null, 0, 1, 0])
    const entries = [
      yield* storeAuditEntry(caller),
      yield* storeAuditEntry(child, { before: null, after: null, request_id: null })
    ]
    for (const outside of [root, sibling, yield* storeRootPartner()]) yield* storeAuditEntry(outside)
    const { items, total } = yield* read(caller)
    assert.strictEqual(total, 2)
    assert.sameDeepMembers([...items], entries)
    assert.strictEqual((yield* read(root)).total, 4)
  })

  it("`list` includes the entries of deleted partners", function*() {
    const [root, child] = yield* storeForest([null, 0])
    const entry = yield* storeAuditEntry(child)
    yield* removePartner(child)
    assert.deepStrictEqual((yield* read(root)).items, [entry])
  })

  it("`list` returns only entries that match all filters", function*() {
    const [root, child] = yield* storeForest([null, 0])
    const match = yield* storeAuditEntry(root, { actor: "host:zoë", action: "application.kyc_read", at: minute(5) })
    const { action, actor, subject_id } = match
    const fields = { action, actor, subject_id, at: minute(5) }
    const mismatches: ReadonlyArray<Partial<AuditEntry>> = [
      { subject_id: "other" },
      { actor: "host:zoe" },
      { action: "x" },
      { at: minute(4) },
      { at: minute(6) }
    ]
    for (const mismatch of mismatches) yield* storeAuditEntry(root, { ...fields, ...mismatch })
    yield* storeAuditEntry(child, fields)
    const { partner_id } = root
    const filters: AuditFilters = { action, actor, partner_id, subject_id, from: minute(5), to: minute(6) }
    assert.deepStrictEqual(yield* read(root, { filters }), { items: [match], total: 1 })
    for (const name of ["action", "actor", "partner_id", "subject_id", "from", "to"] as const) {
      const { [name]: _, ...others } = filters
      assert.strictEqual((yield* read(root, { filters: others })).total, 2, name)
    }
  })

  it("`list` orders entries by time and then by id, and its pages contain each entry exactly once", function*() {
    const root = yield* storeRootPartner()
    const entries: Array<AuditEntry> = []
    for (const minutes of [3, 1, 2, 2, 1]) entries.push(yield* storeAuditEntry(root, { at: minute(minutes) }))
    const ordered = entries.toSorted((a, b) => `${a.at} ${a.id}` < `${b.at} ${b.id}` ? -1 : 1)
    for (const [direction, expected] of [["asc", ordered], ["desc", ordered.toReversed()]] as const) {
      const pages: Array<AuditEntry> = []
      for (const number of [0, 1, 2]) {
        const page = yield* read(root, { page: { number, size: 2 }, sort: [{ property: "at", direction }] })
        assert.strictEqual(page.total, 5)
        pages.push(...page.items)
      }
      assert.deepStrictEqual(pages, expected)
    }
    assert.deepStrictEqual(yield* read(root, { page: { number: 1_000_000_000, size: 100 } }), { items: [], total: 5 })
  })

  it("T02 `exportAll` streams all entries in scope that match all filters, in the order of `list`", function*() {
    const [root, child] = yield* storeForest([null, 0])
    for (const minutes of [3, 1, 2, 2]) yield* storeAuditEntry(child, { at: minute(minutes), actor: "one" })
    yield* storeAuditEntry(root, { at: minute(5), actor: "other" })
    const { exportAll } = yield* AuditTrail
    for (const caller of [root, child]) {
      for (const direction of ["asc", "desc"] as const) {
        for (const filters of [{}, { actor: "one", from: minute(2), to: minute(4) }]) {
          const query: Pick<AuditQuery, "filters" | "sort"> = { filters, sort: [{ property: "at", direction }] }
          const { items } = yield* read(caller, query)
          assert.deepStrictEqual(yield* Stream.runCollect(exportAll(scopeOfPartner(caller), query)), [...items])
        }
      }
    }
    assert.lengthOf(yield* Stream.runCollect(exportAll(scopeOfPartner(root), { filters: {}, sort: newestFirst })), 5)
  })

  it("PAGE-37 PAGE-39 a walk returns each entry in scope that matches once and in order, while others are stored", function*() {
    const [root, child] = yield* storeForest([null, 0])
    for (const minutes of [3, 1, 2, 2]) {
      yield* storeAuditEntry(child, { at: minute(minutes), actor: "one", action: "x", subject_id: "s" })
      yield* storeAuditEntry(root, { at: minute(minutes), actor: "other" })
    }
    const filters: ReadonlyArray<AuditFilters> = [
      {},
      { actor: "one" },
      { action: "x", from: minute(2) },
      { subject_id: "s" },
      { partner_id: child.partner_id },
      { actor: "nobody" }
    ]
    for (const caller of [root, child]) {
      for (const filter of filters) {
        for (const direction of ["asc", "desc"] as const) {
          const query: Pick<AuditQuery, "filters" | "sort"> = { filters: filter, sort: [{ property: "at", direction }] }
          const { items } = yield* read(caller, query)
          const known = new Set(items.map(({ id }) => id))
          const walked = yield* readWalk(2, (after) =>
            Effect.tap(
              read(caller, { ...query, after, page: { number: 0, size: 2 } }),
              () => after === null ? storeAuditEntry(child, { at: minute(2), actor: "one" }) : Effect.void
            ))
          assert.deepStrictEqual(walked.filter(({ id }) => known.has(id)), [...items])
        }
      }
    }
  })

  it("`list` refuses a read over its budget", function*() {
    const root = yield* storeRootPartner()
    for (let stored = 0; stored < 3; stored++) yield* storeAuditEntry(root)
    yield* read(root, {}, 3)
    assert.strictEqual((yield* Effect.flip(read(root, {}, 2)))._tag, "ReadBudgetExceeded")
  })
}

const early = (day: number) => `1980-01-0${day}T00:00:00.000Z` as Timestamp

/** Contract cases for AuditRetention. Their times are before those of all other cases. */
export const auditRetentionCases: ContractCases<AuditLog | AuditRetention | AuditTrail | PartnerRepository> = (it) => {
  it("AUDIT-05 `exportBefore` streams and `deleteBefore` deletes the oldest entries before a time, and totals stay exact", function*() {
    const { deleteBefore, exportBefore } = yield* AuditRetention
    const [root, child, other] = yield* storeForest([null, 0, null])
    const third = yield* storeAuditEntry(root, { at: early(3) })
    const first = yield* storeAuditEntry(child, { at: early(1) })
    const second = yield* Effect.all([
      storeAuditEntry(other, { at: early(2) }),
      storeAuditEntry(root, { at: early(2) })
    ])
    const fourth = yield* storeAuditEntry(root, { at: early(4) })
    const ordered = [first, ...second.toSorted((a, b) => a.id < b.id ? -1 : 1), third]
    const exported = (time: Timestamp) => Stream.runCollect(exportBefore(time))
    assert.deepStrictEqual(yield* exported(early(4)), ordered)
    assert.strictEqual(yield* deleteBefore(early(4), 3), 3)
    assert.deepStrictEqual(yield* exported(early(4)), [third])
    assert.deepStrictEqual(yield* read(root), { items: [fourth, third], total: 2 })
    assert.deepStrictEqual(yield* read(child), { items: [], total: 0 })
    assert.strictEqual(yield* deleteBefore(early(4), 3), 1)
    assert.strictEqual(yield* deleteBefore(early(4), 3), 0)
    assert.deepStrictEqual(yield* read(root, { filters: { to: early(5) } }), { items: [fourth], total: 1 })
    assert.strictEqual(yield* deleteBefore(early(5), 10), 1)
    assert.deepStrictEqual(yield* read(root), { items: [], total: 0 })
  })
}

/** Contract cases for PersonalDataHasher. No case checks that the key is secret. */
export const personalDataHasherCases: ContractCases<PersonalDataHasher> = (it) => {
  it.forAll(
    "`hash` is deterministic, and differs for different texts",
    fc.tuple(unicodeText, unicodeText),
    function*([text, other]) {
      const { hash } = yield* PersonalDataHasher
      const hashed = yield* hash(text)
      assert.strictEqual(yield* hash(text), hashed)
      assert.strictEqual((yield* hash(other)) === hashed, other === text)
    }
  )

  it("T33 T45 `hash` contains no part of the text and has at most 128 characters", function*() {
    const { hash } = yield* PersonalDataHasher
    const texts = ["529.982.247-25", "[\"PIX\",{\"type\":\"CPF\",\"key\":\"52998224725\"},null]", "1".repeat(100_000)]
    for (const text of texts) {
      const hashed = yield* hash(text)
      assert.notInclude(hashed, "52998224725")
      assert.notInclude(hashed, text)
      assert.isAbove(hashed.length, 0)
      assert.isAtMost(hashed.length, 128)
    }
  })

  it("`hash` differs for texts that differ in one character or only in their Unicode normalization form", function*() {
    const { hash } = yield* PersonalDataHasher
    const texts = ["", " ", "52998224725", "52998224726", "José", "Jose\u0301", "jose"]
    const hashes = yield* Effect.forEach(texts, hash)
    assert.strictEqual(new Set(hashes).size, texts.length)
  })
}
