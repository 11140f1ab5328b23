import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createRootPartner, setPartnerStatus } from "../../src/operator/partners.ts"
import { getPartner } from "../../src/partner/GetPartner.ts"
import { updatePartner } from "../../src/partner/UpdatePartner.ts"
import { type PartnerId } from "../../src/values/ids.ts"
import {
  auditEntriesOf,
  callerOf,
  expectRefusal,
  permit,
  runInMemory,
  storeMember,
  storeTwoTrees
} from "../fixtures.ts"

const partner = {
  type: "pj",
  name: "Raiz Ltda",
  email: "raiz@example.com",
  phone: "1133334444",
  document_number: "11222333000181"
}

describe("createRootPartner", () => {
  it.effect("creates a separate tree that is invisible to others", () =>
    runInMemory(Effect.gen(function*() {
      const { rootAdmin } = yield* storeTwoTrees
      const root = yield* createRootPartner({ partner })
      assert.deepInclude(root, { parent_id: null, status: "active", name: "Raiz Ltda" })
      yield* expectRefusal(
        getPartner(yield* permit(yield* callerOf(rootAdmin), "partners:read"), root.partner_id),
        "OutsideHierarchy"
      )
      const admin = yield* callerOf(yield* storeMember(root, "admin"))
      assert.strictEqual(admin.root_id, root.partner_id)
      assert.deepStrictEqual(yield* getPartner(yield* permit(admin, "partners:read"), root.partner_id), root)
      const [entry] = yield* auditEntriesOf(root.partner_id)
      assert.deepInclude(entry, {
        action: "partner.create",
        actor: "operator",
        partner_id: root.partner_id,
        before: null
      })
    })))

  it.effect("validates its body like any other creation; a document may have several roots", () =>
    runInMemory(Effect.gen(function*() {
      yield* expectRefusal(
        createRootPartner({ partner: { ...partner, name: "" }, zzz: 1 }),
        "partner.name TOO_SHORT, zzz UNKNOWN_FIELD"
      )
      const { aa } = yield* storeTwoTrees
      const one = yield* createRootPartner({ partner: { ...partner, parent_uuid: aa.partner_id } })
      assert.isNull(one.parent_id)
      const two = yield* createRootPartner({ partner })
      assert.notStrictEqual(one.partner_id, two.partner_id)
    })))
})

describe("setPartnerStatus", () => {
  it.effect("changes only the status, once, and audits it", () =>
    runInMemory(Effect.gen(function*() {
      const { aa } = yield* storeTwoTrees
      assert.deepStrictEqual(yield* setPartnerStatus(aa.partner_id, "active"), aa)
      assert.deepStrictEqual(yield* setPartnerStatus(aa.partner_id, "inactive"), { ...aa, status: "inactive" })
      yield* setPartnerStatus(aa.partner_id, "inactive")
      assert.deepStrictEqual(yield* setPartnerStatus(aa.partner_id, "active"), aa)
      const entries = yield* auditEntriesOf(aa.partner_id)
      assert.deepStrictEqual(entries.map(({ action, actor }) => `${actor} ${action}`), [
        "operator partner.deactivate",
        "operator partner.activate"
      ])
      assert.strictEqual(Reflect.get(Object(entries[0]?.before), "status"), "active")
      assert.strictEqual(Reflect.get(Object(entries[0]?.after), "status"), "inactive")
    })))

  it.effect("a patch or a move keeps the status", () =>
    runInMemory(Effect.gen(function*() {
      const { aa, b, rootAdmin } = yield* storeTwoTrees
      yield* setPartnerStatus(aa.partner_id, "inactive")
      const allowed = yield* permit(yield* callerOf(rootAdmin), "partners:write")
      const moved = yield* updatePartner(allowed, aa.partner_id, {
        partner: { name: "Outra", parent_uuid: b.partner_id }
      })
      assert.strictEqual(moved.status, "inactive")
    })))

  it.effect("requires an existing partner", () =>
    runInMemory(Effect.gen(function*() {
      const { rootAdmin } = yield* storeTwoTrees
      yield* expectRefusal(setPartnerStatus(rootAdmin.user_id as string as PartnerId, "inactive"), "NotFound")
    })))
})
