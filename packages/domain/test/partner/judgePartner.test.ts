import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { judgePartnerDelete } from "../../src/partner/DeletePartner.ts"
import { judgeOwnMove, mentionsParent } from "../../src/partner/newParent.ts"
import { makeCaller, otherPartner, ownPartner } from "../hierarchy/callers.ts"

const tag = (judged: Result.Result<unknown, { readonly _tag: string }>): string =>
  Result.match(judged, { onSuccess: () => "allowed", onFailure: ({ _tag }) => _tag })

describe("judgeOwnMove", () => {
  it("T12 PARTNER-03 a caller cannot move its own partner", () => {
    assert.strictEqual(tag(judgeOwnMove(makeCaller(), ownPartner, otherPartner)), "PermissionDenied")
    assert.strictEqual(tag(judgeOwnMove(makeCaller(), ownPartner, ownPartner)), "PermissionDenied")
    assert.strictEqual(tag(judgeOwnMove(makeCaller(), ownPartner, undefined)), "allowed")
    assert.strictEqual(tag(judgeOwnMove(makeCaller(), otherPartner, ownPartner)), "allowed")
  })

  it("PARTNER-03 a patch that contains the parent is a move until proven otherwise", () => {
    for (const parent_uuid of [null, "", "x", ownPartner, 1, {}]) {
      assert.isTrue(mentionsParent({ partner: { parent_uuid } }))
    }
    for (const body of [null, 1, [], {}, { partner: null }, { partner: {} }, { parent_uuid: ownPartner }]) {
      assert.isFalse(mentionsParent(body))
    }
  })
})

describe("judgePartnerDelete", () => {
  it("T14 PARTNER-04 a partner can be deleted exactly if it is not the caller's own and has no dependents", () => {
    const count = fc.constantFrom(0, 0, 1, 7)
    const dependents = fc.record({
      children: count,
      users: count,
      applications: count,
      unpaid_commissions: fc.constantFrom(0, 0, -5, 5),
      open_commissions: count
    })
    fc.assert(fc.property(dependents, fc.constantFrom(ownPartner, otherPartner), (hanging, partner) => {
      const judged = judgePartnerDelete(makeCaller(), partner, hanging)
      const { open_commissions, unpaid_commissions, ...records } = hanging
      const has_commissions = open_commissions > 0 || unpaid_commissions !== 0
      const none = hanging.children + hanging.users + hanging.applications === 0 && !has_commissions
      assert.strictEqual(tag(judged), partner === ownPartner ? "SelfDelete" : none ? "allowed" : "PartnerHasDependents")
      if (tag(judged) === "PartnerHasDependents") {
        const refusal = Result.getOrThrow(Result.flip(judged)) as typeof records & { has_commissions: boolean }
        const { applications, children, users } = refusal
        assert.deepStrictEqual({ applications, children, users }, records)
        assert.strictEqual(refusal.has_commissions, has_commissions)
      }
    }))
  })
})
