import { assert, describe, it } from "@effect/vitest"
import { storeChildPartner, storeUser } from "@lastro/testkit"
import { Effect } from "effect"
import { deletePartner } from "../../src/partner/DeletePartner.ts"
import { getPartner } from "../../src/partner/GetPartner.ts"
import { listPartners } from "../../src/partner/ListPartners.ts"
import { updatePartner } from "../../src/partner/UpdatePartner.ts"
import { type PartnerId } from "../../src/values/ids.ts"
import { createPartner, createUser } from "../commands.ts"
import { auditEntriesOf, callerOf, expectRefusal, outcomeOf, permit, runInMemory, storeTwoTrees } from "../fixtures.ts"

describe("deletePartner", () => {
  it.effect("hides a partner from every read and keeps it in the audit", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin, aa, root, rootAdmin } = yield* storeTwoTrees
      const caller = yield* callerOf(rootAdmin)
      const write = yield* permit(caller, "partners:write")
      const read = yield* permit(caller, "partners:read")
      yield* deletePartner(write, aa.partner_id)
      assert.strictEqual(yield* outcomeOf(getPartner(read, aa.partner_id)), "NotFound")
      assert.strictEqual((yield* listPartners(read, {})).page.total_elements, 3)
      yield* expectRefusal(updatePartner(write, aa.partner_id, {}), "NotFound")
      yield* expectRefusal(deletePartner(write, aa.partner_id), "NotFound")
      const below = { partner: { parent_uuid: aa.partner_id } }
      yield* expectRefusal(updatePartner(write, aAdmin.partner_id, below), "partner.parent_uuid NOT_FOUND")
      yield* expectRefusal(
        createUser(yield* permit(caller, "users:write"), { partner_id: aa.partner_id }),
        ["cpf", "email", "group_id", "name"].map((name) => `${name} REQUIRED`).join(", ")
          + ", partner_id NOT_FOUND, phone REQUIRED"
      )
      const [entry, ...more] = yield* auditEntriesOf(aa.partner_id)
      assert.deepStrictEqual(more, [])
      assert.deepInclude(entry, { action: "partner.delete", actor: rootAdmin.user_id, after: null })
      assert.strictEqual(Reflect.get(Object(entry?.before), "document_number"), "***")
      const again = {
        type: "pf",
        name: "De novo",
        email: "d@e.fr",
        phone: "1133334444",
        document_number: aa.document_number
      }
      assert.strictEqual((yield* createPartner(write, { partner: again })).parent_id, root.partner_id)
    })))

  it.effect("HIER-02 PRE-01 PARTNER-04 checks existence, hierarchy, precondition and dependents in this order", () =>
    runInMemory(Effect.gen(function*() {
      const { a, aAdmin, b, root, rootAdmin, stranger } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "partners:write")
      yield* expectRefusal(deletePartner(allowed, aAdmin.user_id as string as PartnerId, () => false), "NotFound")
      for (const outside of [root, b, stranger]) {
        yield* expectRefusal(deletePartner(allowed, outside.partner_id, () => false), "OutsideHierarchy")
      }
      yield* expectRefusal(deletePartner(allowed, a.partner_id, () => false), "PreconditionFailed")
      yield* expectRefusal(deletePartner(allowed, a.partner_id), "SelfDelete")
      yield* expectRefusal(
        deletePartner(yield* permit(yield* callerOf(rootAdmin), "partners:write"), a.partner_id),
        "PartnerHasDependents"
      )
    })))

  it.effect("T14 PARTNER-04 reports the dependents, without deleted children and users", () =>
    runInMemory(Effect.gen(function*() {
      const { aa, rootAdmin } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(rootAdmin), "partners:write")
      const child = yield* storeChildPartner(aa)
      yield* storeUser(aa)
      yield* storeUser(aa)
      const hanging = yield* Effect.match(deletePartner(allowed, aa.partner_id), {
        onSuccess: () => undefined,
        onFailure: (refusal) =>
          refusal._tag === "PartnerHasDependents" ? [refusal.children, refusal.users, refusal.applications] : undefined
      })
      assert.deepStrictEqual(hanging, [1, 2, 0])
      yield* deletePartner(allowed, child.partner_id)
      yield* expectRefusal(deletePartner(allowed, aa.partner_id), "PartnerHasDependents")
    })))
})
