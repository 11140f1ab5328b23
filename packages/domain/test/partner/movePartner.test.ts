import { assert, describe, it } from "@effect/vitest"
import { MemoryDatabase } from "@lastro/testkit"
import { Effect } from "effect"
import { getPartner } from "../../src/partner/GetPartner.ts"
import { type PartnerDetail } from "../../src/partner/PartnerDetail.ts"
import { updatePartner } from "../../src/partner/UpdatePartner.ts"
import { auditEntriesOf, callerOf, expectRefusal, outcomeOf, permit, runInMemory, storeTwoTrees } from "../fixtures.ts"

const to = ({ partner_id }: PartnerDetail) => ({ partner: { parent_uuid: partner_id } })

describe("moving a partner", () => {
  it.effect("T09 moves the whole subtree and the callers' view of it", () =>
    runInMemory(Effect.gen(function*() {
      const { a, aAdmin, aa, b, rootAdmin } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(rootAdmin), "partners:write")
      assert.strictEqual((yield* updatePartner(allowed, a.partner_id, to(b))).parent_id, b.partner_id)
      const ofA = yield* permit(yield* callerOf(aAdmin), "partners:read")
      assert.strictEqual((yield* getPartner(ofA, aa.partner_id)).parent_id, a.partner_id)
      assert.strictEqual(yield* outcomeOf(getPartner(ofA, b.partner_id)), "OutsideHierarchy")
      yield* updatePartner(allowed, aa.partner_id, to(b))
      assert.strictEqual(yield* outcomeOf(getPartner(ofA, aa.partner_id)), "OutsideHierarchy")
      const [entry] = yield* auditEntriesOf(a.partner_id)
      assert.strictEqual(Reflect.get(Object(entry?.before), "parent_id"), a.parent_id)
      assert.strictEqual(Reflect.get(Object(entry?.after), "parent_id"), b.partner_id)
    })))

  it.effect("T10 HIER-04 a partner cannot be moved below itself or a descendant", () =>
    runInMemory(Effect.gen(function*() {
      const { a, aa, rootAdmin } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(rootAdmin), "partners:write")
      yield* expectRefusal(updatePartner(allowed, a.partner_id, to(a)), "partner.parent_uuid CYCLE")
      yield* expectRefusal(updatePartner(allowed, a.partner_id, to(aa)), "partner.parent_uuid CYCLE")
      const upperCase = { partner: { parent_uuid: aa.partner_id.toUpperCase(), name: "" } }
      yield* expectRefusal(
        updatePartner(allowed, a.partner_id, upperCase),
        "partner.name TOO_SHORT, partner.parent_uuid CYCLE"
      )
    })))

  it.effect("T12 HIER-03 PARTNER-03 permitted moves of a caller at `a`, by node and parent", () =>
    runInMemory(Effect.gen(function*() {
      const { a, aAdmin, aa, b, root, stranger } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "partners:write")
      const parents = [root, a, aa, b, stranger]
      const outside = parents.map(() => "OutsideHierarchy")
      const table: ReadonlyArray<readonly [PartnerDetail, ReadonlyArray<string>]> = [
        [root, outside],
        [a, ["done", ...Array.from({ length: 4 }, () => "PermissionDenied")]],
        [aa, [
          "partner.parent_uuid OUTSIDE_HIERARCHY",
          "done",
          "partner.parent_uuid CYCLE",
          "partner.parent_uuid OUTSIDE_HIERARCHY",
          "partner.parent_uuid OUTSIDE_HIERARCHY"
        ]],
        [b, outside],
        [stranger, outside]
      ]
      const { state } = yield* MemoryDatabase
      const before = yield* state
      for (const [node, expected] of table) {
        for (const [index, parent] of parents.entries()) {
          assert.strictEqual(yield* outcomeOf(updatePartner(allowed, node.partner_id, to(parent))), expected[index])
        }
      }
      assert.deepStrictEqual(yield* state, before)
    })))

  it.effect("PARTNER-03 moving one's own partner is denied before the precondition and the body are checked", () =>
    runInMemory(Effect.gen(function*() {
      const { a, aAdmin, aa } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "partners:write")
      const body = { partner: { ...to(aa).partner, name: "" } }
      yield* expectRefusal(updatePartner(allowed, a.partner_id, body, () => false), "PermissionDenied")
      yield* expectRefusal(
        updatePartner(allowed, a.partner_id, { partner: { parent_uuid: aAdmin.user_id } }),
        "PermissionDenied"
      )
      yield* expectRefusal(
        updatePartner(allowed, a.partner_id, { partner: { parent_uuid: null } }),
        "partner.parent_uuid NOT_NULLABLE"
      )
      yield* expectRefusal(
        updatePartner(allowed, a.partner_id, { partner: { parent_uuid: "x" } }),
        "partner.parent_uuid INVALID_FORMAT"
      )
    })))

  it.effect("HIER-03 an unknown or malformed parent is rejected", () =>
    runInMemory(Effect.gen(function*() {
      const { aa, rootAdmin, root } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(rootAdmin), "partners:write")
      const unknown = { partner: { parent_uuid: rootAdmin.user_id } }
      yield* expectRefusal(updatePartner(allowed, aa.partner_id, unknown), "partner.parent_uuid NOT_FOUND")
      for (const parent_uuid of [1, {}, [aa.partner_id], true]) {
        yield* expectRefusal(
          updatePartner(allowed, aa.partner_id, { partner: { parent_uuid } }),
          "partner.parent_uuid INVALID_TYPE"
        )
      }
      assert.deepStrictEqual(yield* updatePartner(allowed, root.partner_id, { partner: { parent_uuid: null } }), root)
    })))
})
