import { assert, describe, it } from "@effect/vitest"
import { MemoryDatabase } from "@lastro/testkit"
import { Effect } from "effect"
import { getPartner } from "../../src/partner/GetPartner.ts"
import { type PartnerDetail } from "../../src/partner/PartnerDetail.ts"
import { updatePartner } from "../../src/partner/UpdatePartner.ts"
import { type PartnerId } from "../../src/values/ids.ts"
import { auditEntriesOf, callerOf, expectRefusal, permit, runInMemory, start, storeTwoTrees } from "../fixtures.ts"

const stale = () => false
const wrong = { partner: { name: "" } }

describe("updatePartner", () => {
  it.effect("AUDIT-02 patches a partner and audits the masked states and the changed fields", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin, aa } = yield* storeTwoTrees
      const caller = yield* callerOf(aAdmin)
      const allowed = yield* permit(caller, "partners:write")
      const updated = yield* updatePartner(allowed, aa.partner_id, { partner: { name: "Outra Ltda" } })
      assert.deepStrictEqual(updated, { ...aa, name: "Outra Ltda" })
      assert.deepStrictEqual(yield* getPartner(yield* permit(caller, "partners:read"), aa.partner_id), updated)
      const [entry, ...more] = yield* auditEntriesOf(aa.partner_id)
      assert.deepStrictEqual(more, [])
      assert.deepInclude(entry, {
        at: start,
        actor: aAdmin.user_id,
        action: "partner.update",
        partner_id: aa.partner_id,
        changed: ["name"]
      })
      assert.strictEqual(Reflect.get(Object(entry?.before), "name"), "P***o")
      assert.strictEqual(Reflect.get(Object(entry?.after), "name"), "O***a")
      assert.notInclude(JSON.stringify(entry), aa.document_number)
    })))

  it.effect("PATCH-01 a patch without changes returns the same record and writes nothing", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin, aa } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "partners:write")
      const { state } = yield* MemoryDatabase
      const before = yield* state
      const same = { name: ` ${aa.name} `, type: aa.person_type, parent_uuid: aa.parent_id?.toUpperCase() }
      for (const body of [{}, { partner: {} }, { address: {}, pix: {}, bank_account: {} }, { partner: same }]) {
        assert.deepStrictEqual(yield* updatePartner(allowed, aa.partner_id, body), aa)
      }
      assert.deepStrictEqual(yield* state, before)
    })))

  it.effect("PARTNER-05 a partner below is deactivated and activated; the own partner is not", () =>
    runInMemory(Effect.gen(function*() {
      const { a, aAdmin, aa } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "partners:write")
      const withStatus = (status: unknown) => ({ partner: { status } })
      for (const status of ["inactive", "active"] as const) {
        assert.deepStrictEqual(yield* updatePartner(allowed, aa.partner_id, withStatus(status)), { ...aa, status })
      }
      yield* expectRefusal(updatePartner(allowed, a.partner_id, withStatus("inactive"), stale), "OwnPartner")
      assert.deepStrictEqual(yield* updatePartner(allowed, a.partner_id, withStatus("active")), a)
      yield* expectRefusal(updatePartner(allowed, aa.partner_id, withStatus(null)), "partner.status NOT_NULLABLE")
      yield* expectRefusal(updatePartner(allowed, a.partner_id, withStatus("paused")), "partner.status UNKNOWN_VALUE")
    })))

  it.effect("HIER-02 PRE-01 checks existence, hierarchy, precondition and body in this order", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin, aa, b, root, stranger } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "partners:write")
      const unknown = aAdmin.user_id as string as PartnerId
      yield* expectRefusal(updatePartner(allowed, unknown, wrong, stale), "NotFound")
      for (const outside of [root, b, stranger]) {
        yield* expectRefusal(updatePartner(allowed, outside.partner_id, wrong, stale), "OutsideHierarchy")
      }
      yield* expectRefusal(updatePartner(allowed, aa.partner_id, wrong, stale), "PreconditionFailed")
      yield* expectRefusal(updatePartner(allowed, aa.partner_id, wrong), "partner.name TOO_SHORT")
    })))

  it.effect("PRE-01 the precondition receives the stored partner", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin, aa } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "partners:write")
      const isFirst = (current: PartnerDetail) => current.name === aa.name
      yield* updatePartner(allowed, aa.partner_id, { partner: { name: "Outra" } }, isFirst)
      yield* expectRefusal(
        updatePartner(allowed, aa.partner_id, { partner: { name: "Mais outra" } }, isFirst),
        "PreconditionFailed"
      )
      yield* expectRefusal(updatePartner(allowed, aa.partner_id, {}, isFirst), "PreconditionFailed")
    })))
})
