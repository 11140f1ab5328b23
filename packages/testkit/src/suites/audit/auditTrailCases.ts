import { type AuditEntry, type AuditFilters, AuditLog, type AuditQuery, AuditTrail } from "@lastro/domain/audit"
import { type PartnerDetail, type PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/ports"
import { type Timestamp, timestampOf } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect } from "effect"
import { exampleInstant, freshId } from "../../builders/Fresh.ts"
import { storeForest, storeRootPartner } from "../../builders/storedRecords.ts"
import { removePartner } from "../hierarchy/storedPartner.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { scopeOfPartner } from "../suite/queries.ts"

const minute = (minutes: number): Timestamp => timestampOf(Date.parse(exampleInstant) + minutes * 60_000)

/** Stores an entry about a record of a partner. */
const storeEntry = Effect.fnUntraced(function*(partner: PartnerDetail, fields: Partial<AuditEntry> = {}) {
  const entry: AuditEntry = {
    id: yield* freshId,
    at: exampleInstant,
    actor: "operator",
    action: "partner.update",
    subject_id: yield* freshId,
    partner_id: partner.partner_id,
    before: { name: "A***a" },
    after: { name: "B***a" },
    changed: ["name"],
    request_id: "req-1",
    ...fields
  }
  yield* (yield* AuditLog).record(entry)
  return entry
})

const read = Effect.fnUntraced(function*(caller: PartnerDetail, query: Partial<AuditQuery> = {}, budget?: number) {
  return yield* (yield* AuditTrail).list(scopeOfPartner(caller), {
    filters: {},
    page: { number: 0, size: 100 },
    sort: [{ property: "at", direction: "desc" }],
    ...query
  }, budget)
})

/** Contract cases for AuditTrail. */
export const auditTrailCases: ContractCases<AuditLog | AuditTrail | PartnerRepository | UnitOfWork> = (it) => {
  it("`list` returns every field of the entries of the partners in scope, and no others", () =>
    Effect.gen(function*() {
      const [root, own, child, sibling] = yield* storeForest([null, 0, 1, 0])
      const entries = [
        yield* storeEntry(own),
        yield* storeEntry(child, { before: null, after: null, request_id: null })
      ]
      for (const other of [root, sibling, yield* storeRootPartner()]) yield* storeEntry(other)
      const { items, total } = yield* read(own)
      assert.strictEqual(total, 2)
      assert.sameDeepMembers([...items], entries)
      assert.strictEqual((yield* read(root)).total, 4)
    }))

  it("`list` includes the entries of deleted partners", () =>
    Effect.gen(function*() {
      const [root, child] = yield* storeForest([null, 0])
      const entry = yield* storeEntry(child)
      yield* removePartner(child)
      assert.deepStrictEqual((yield* read(root)).items, [entry])
    }))

  it("`list` returns only entries that match all filters", () =>
    Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const match = yield* storeEntry(root, { actor: "host:zoë", action: "application.kyc_read", at: minute(5) })
      const { action, actor, subject_id } = match
      const fields = { action, actor, subject_id, at: minute(5) }
      for (
        const one of [{ subject_id: "other" }, { actor: "host:zoe" }, { action: "x" }, { at: minute(4) }, {
          at: minute(6)
        }]
      ) {
        yield* storeEntry(root, { ...fields, ...one })
      }
      const filters: AuditFilters = { action, actor, subject_id, from: minute(5), to: minute(6) }
      assert.deepStrictEqual(yield* read(root, { filters }), { items: [match], total: 1 })
      for (const name of ["action", "actor", "subject_id", "from", "to"] as const) {
        const { [name]: _, ...others } = filters
        assert.strictEqual((yield* read(root, { filters: others })).total, 2, name)
      }
    }))

  it("`list` orders entries by time and then by id, and its pages contain each entry exactly once", () =>
    Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const entries: Array<AuditEntry> = []
      for (const minutes of [3, 1, 2, 2, 1]) entries.push(yield* storeEntry(root, { at: minute(minutes) }))
      const ordered = entries.toSorted((one, other) => `${one.at} ${one.id}` < `${other.at} ${other.id}` ? -1 : 1)
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
    }))

  it("`list` refuses a read over its budget", () =>
    Effect.gen(function*() {
      const root = yield* storeRootPartner()
      for (let stored = 0; stored < 3; stored++) yield* storeEntry(root)
      const within = (limit: number) => Effect.result(read(root, {}, limit))
      assert.strictEqual((yield* within(3))._tag, "Success")
      assert.strictEqual((yield* within(2))._tag, "Failure")
    }))
}
