import { assert, describe, it } from "@effect/vitest"
import { givenChild, givenUser } from "@lastro/testkit"
import { Effect } from "effect"
import { type PartnerId } from "../../src/id/ids.ts"
import { createPartner } from "../../src/partner/CreatePartner.ts"
import { deletePartner } from "../../src/partner/DeletePartner.ts"
import { getPartner } from "../../src/partner/GetPartner.ts"
import { listPartners } from "../../src/partner/ListPartners.ts"
import { updatePartner } from "../../src/partner/UpdatePartner.ts"
import { createUser } from "../../src/user/CreateUser.ts"
import { auditOf, callerOf, givenWorld, inMemory, may, outcome, refused } from "../fixtures.ts"

describe("deletePartner", () => {
  it.effect("hides a partner from every read and keeps it in the audit", () =>
    inMemory(Effect.gen(function*() {
      const { aAdmin, aa, root, rootAdmin } = yield* givenWorld
      const caller = yield* callerOf(rootAdmin)
      const write = yield* may(caller, "partners:write")
      const read = yield* may(caller, "partners:read")
      yield* deletePartner(write, aa.partner_id)
      assert.strictEqual(yield* outcome(getPartner(read, aa.partner_id)), "NotFound")
      assert.strictEqual((yield* listPartners(read, {})).page.total_elements, 3)
      yield* refused(updatePartner(write, aa.partner_id, {}), "NotFound")
      yield* refused(deletePartner(write, aa.partner_id), "NotFound")
      const below = { partner: { parent_uuid: aa.partner_id } }
      yield* refused(updatePartner(write, aAdmin.partner_id, below), "partner.parent_uuid NOT_FOUND")
      yield* refused(
        createUser(yield* may(caller, "users:write"), { partner_id: aa.partner_id }),
        ["cpf", "email", "group_id", "name"].map((name) => `${name} REQUIRED`).join(", ")
          + ", partner_id NOT_FOUND, phone REQUIRED"
      )
      const [entry, ...more] = yield* auditOf(aa.partner_id)
      assert.deepStrictEqual(more, [])
      assert.deepInclude(entry, { action: "partner.delete", actor: rootAdmin.user_id, after: null })
      assert.strictEqual(Reflect.get(Object(entry?.before), "document_number")?.length, 5)
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
    inMemory(Effect.gen(function*() {
      const { a, aAdmin, b, root, rootAdmin, stranger } = yield* givenWorld
      const allowed = yield* may(yield* callerOf(aAdmin), "partners:write")
      yield* refused(deletePartner(allowed, aAdmin.user_id as string as PartnerId, () => false), "NotFound")
      for (const outside of [root, b, stranger]) {
        yield* refused(deletePartner(allowed, outside.partner_id, () => false), "OutsideHierarchy")
      }
      yield* refused(deletePartner(allowed, a.partner_id, () => false), "PreconditionFailed")
      yield* refused(deletePartner(allowed, a.partner_id), "SelfDelete")
      yield* refused(
        deletePartner(yield* may(yield* callerOf(rootAdmin), "partners:write"), a.partner_id),
        "PartnerHasDependents"
      )
    })))

  it.effect("T14 PARTNER-04 reports the dependents, without deleted children and users", () =>
    inMemory(Effect.gen(function*() {
      const { aa, rootAdmin } = yield* givenWorld
      const allowed = yield* may(yield* callerOf(rootAdmin), "partners:write")
      const child = yield* givenChild(aa)
      yield* givenUser(aa)
      yield* givenUser(aa)
      const hanging = yield* Effect.match(deletePartner(allowed, aa.partner_id), {
        onSuccess: () => undefined,
        onFailure: (refusal) =>
          refusal._tag === "PartnerHasDependents" ? [refusal.children, refusal.users, refusal.applications] : undefined
      })
      assert.deepStrictEqual(hanging, [1, 2, 0])
      yield* deletePartner(allowed, child.partner_id)
      yield* refused(deletePartner(allowed, aa.partner_id), "PartnerHasDependents")
    })))
})
