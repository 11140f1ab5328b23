import { assert, describe, it } from "@effect/vitest"
import { storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { RequestId } from "../../src/audit/AuditLog.ts"
import { getPartner } from "../../src/partner/GetPartner.ts"
import { type PartnerDetail } from "../../src/partner/PartnerDetail.ts"
import { createPartner } from "../commands.ts"
import { auditEntriesOf, callerOf, expectRefusal, permit, runInMemory, storeTwoTrees } from "../fixtures.ts"

const partner = {
  type: "pj",
  name: "Nova Ltda",
  email: "nova@example.com",
  phone: "1133334444",
  document_number: "11222333000181"
}
const below = ({ partner_id }: PartnerDetail) => ({ partner: { ...partner, parent_uuid: partner_id } })

describe("createPartner", () => {
  it.effect("adds an active partner below the caller's own", () =>
    runInMemory(Effect.gen(function*() {
      const { a, aAdmin } = yield* storeTwoTrees
      const caller = yield* callerOf(aAdmin)
      yield* TestClock.adjust(1_234)
      const created = yield* createPartner(yield* permit(caller, "partners:write"), {
        partner: { ...partner, document_number: "11.222.333/0001-81" },
        address: null,
        pix: { type: "EMAIL", key: "Nova@Example.com" }
      })
      assert.deepStrictEqual<unknown>(created, {
        partner_id: created.partner_id,
        name: "Nova Ltda",
        status: "active",
        email: "nova@example.com",
        phone: "1133334444",
        pix: { type: "EMAIL", key: "nova@example.com" },
        address: null,
        document_number: "11222333000181",
        person_type: "pj",
        created_at: "2026-01-31T12:00:01.234Z",
        parent_id: a.partner_id,
        bank_account: null,
        metadata: {}
      })
      assert.deepStrictEqual(yield* getPartner(yield* permit(caller, "partners:read"), created.partner_id), created)
    })))

  it.effect("AUDIT-01 writes an audit entry with masked personal data", () =>
    runInMemory(Effect.gen(function*() {
      const { a, aAdmin } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "partners:write")
      const created = yield* Effect.provideService(createPartner(allowed, { partner }), RequestId, "req-1")
      const [entry, ...more] = yield* auditEntriesOf(created.partner_id)
      assert.deepStrictEqual(more, [])
      assert.deepStrictEqual<unknown>(entry, {
        id: entry?.id,
        at: created.created_at,
        actor: aAdmin.user_id,
        action: "partner.create",
        subject_id: created.partner_id,
        partner_id: created.partner_id,
        before: null,
        changed: [],
        after: {
          partner_id: created.partner_id,
          name: "N***a",
          status: "active",
          email: "n***m",
          phone: "1***4",
          pix: null,
          address: null,
          document_number: "***",
          person_type: "pj",
          created_at: created.created_at,
          parent_id: a.partner_id,
          bank_account: null,
          metadata: {}
        },
        request_id: "req-1"
      })
    })))

  it.effect("T13 HIER-03 the parent must exist in the caller's subtree", () =>
    runInMemory(Effect.gen(function*() {
      const { a, aAdmin, aa, b, root, stranger } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "partners:write")
      for (const outside of [root, b, stranger]) {
        yield* expectRefusal(createPartner(allowed, below(outside)), "partner.parent_uuid OUTSIDE_HIERARCHY")
      }
      const unknown = { partner: { ...partner, parent_uuid: aAdmin.user_id } }
      yield* expectRefusal(createPartner(allowed, unknown), "partner.parent_uuid NOT_FOUND")
      assert.strictEqual((yield* createPartner(allowed, below(aa))).parent_id, aa.partner_id)
      const upperCase = { ...partner, document_number: "11444777000161", parent_uuid: a.partner_id.toUpperCase() }
      assert.strictEqual((yield* createPartner(allowed, { partner: upperCase })).parent_id, a.partner_id)
    })))

  it.effect("HIER-03 an invalid parent is reported together with all other problems", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin, b } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "partners:write")
      yield* expectRefusal(
        createPartner(allowed, { partner: { ...below(b).partner, name: "" }, zzz: 1 }),
        "partner.name TOO_SHORT, partner.parent_uuid OUTSIDE_HIERARCHY, zzz UNKNOWN_FIELD"
      )
      yield* expectRefusal(
        createPartner(allowed, { partner: { ...partner, parent_uuid: "x" } }),
        "partner.parent_uuid INVALID_FORMAT"
      )
      yield* expectRefusal(createPartner(allowed, null), " NOT_NULLABLE")
    })))

  it.effect("T35 a document is unique under one root and free under another", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin, b, rootAdmin, strangerAdmin } = yield* storeTwoTrees
      yield* createPartner(yield* permit(yield* callerOf(rootAdmin), "partners:write"), below(b))
      yield* expectRefusal(
        createPartner(yield* permit(yield* callerOf(aAdmin), "partners:write"), { partner }),
        "DocumentTaken"
      )
      yield* createPartner(yield* permit(yield* callerOf(strangerAdmin), "partners:write"), { partner })
      yield* storeRootPartner({ document_number: partner.document_number })
    })))
})
