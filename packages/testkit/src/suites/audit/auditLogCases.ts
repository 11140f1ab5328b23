import { type AuditEntry, AuditLog } from "@lastro/domain/audit"
import { type PartnerRepository } from "@lastro/domain/partner"
import { UnitOfWork } from "@lastro/domain/ports"
import { assert } from "chai"
import { Effect } from "effect"
import { AuditInspector } from "../../audit/AuditInspector.ts"
import { exampleInstant, freshId } from "../../builders/Fresh.ts"
import { storeRootPartner } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { decomposedText } from "../suite/decomposed.ts"

const anEntry = Effect.fnUntraced(function*(fields: Partial<AuditEntry> = {}) {
  const entry: AuditEntry = {
    id: yield* freshId,
    at: exampleInstant,
    actor: yield* freshId,
    action: "partner.update",
    subject_id: yield* freshId,
    partner_id: (yield* storeRootPartner()).partner_id,
    before: { name: "João \"D'Ávila\" \\ 🏦", pix: null, tags: ["a", 1.5, true], nested: { empty: {}, none: [] } },
    after: { name: "José" },
    changed: ["name", "pix", "tags", "nested.none", "a,\"b\" {c}"],
    request_id: "req-1",
    ...fields
  }
  return entry
})

const entriesOf = (subject_id: string) =>
  Effect.gen(function*() {
    return yield* (yield* AuditInspector).entriesOf(subject_id)
  })

/** Contract cases for AuditLog. An AuditInspector reads the recorded entries. */
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
    const unit = yield* UnitOfWork
    const [kept, rolledBack] = [yield* anEntry(), yield* anEntry()]
    yield* unit.atomically(log.record(kept))
    yield* Effect.exit(unit.atomically(Effect.andThen(log.record(rolledBack), Effect.die("rollback"))))
    assert.deepStrictEqual(yield* entriesOf(kept.subject_id), [kept])
    assert.deepStrictEqual(yield* entriesOf(rolledBack.subject_id), [])
  })
}
