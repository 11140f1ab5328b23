import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"
import { asOperator, found, judge, scopeOf } from "../../src/hierarchy/Scope.ts"
import { authorize, authorizeGroups, authorizeUserPatch } from "../../src/identity/Authorization.ts"
import { aCaller, otherPartner, otherUser, ownPartner } from "./callers.ts"

describe("Scope", () => {
  it("HIER-01 a caller's scope is the subtree of its own partner, whatever its permissions and root", () => {
    const caller = aCaller({ root_id: otherPartner })
    const scopes = [
      scopeOf(Result.getOrThrow(authorize(caller, "partners:read"))),
      scopeOf(Result.getOrThrow(authorizeGroups(caller))),
      scopeOf(Result.getOrThrow(authorizeUserPatch(caller, otherUser)))
    ]
    for (const scope of scopes) assert.strictEqual(scope.partner_id, ownPartner)
  })

  it("HIER-02 a missing record is NOT_FOUND, one outside is OUTSIDE_HIERARCHY, one inside is returned", () => {
    const record = { name: "Ana", cpf: "52998224725" }
    assert.deepStrictEqual(
      Result.map(judge(Option.some(found(record, true))), (one) => one.record),
      Result.succeed(record)
    )
    const tag = (judged: ReturnType<typeof judge>) =>
      Result.match(judged, { onSuccess: () => "given", onFailure: (e) => e._tag })
    assert.strictEqual(tag(judge(Option.none())), "NotFound")
    assert.strictEqual(tag(judge(Option.some(found(record, false)))), "OutsideHierarchy")
  })

  it("T04 HIER-02 neither a sealed record nor a refusal reveals the record", () => {
    const record = { name: "Ana Sigilosa" }
    const sealed = found(record, false)
    assert.deepStrictEqual(Object.keys(sealed), [])
    assert.notInclude(JSON.stringify(sealed), "Sigilosa")
    const refusal = Result.getOrThrow(Result.flip(judge(Option.some(sealed))))
    assert.deepStrictEqual(Object.entries(refusal).filter(([, value]) => value === record), [])
    assert.notInclude(`${refusal.message} ${JSON.stringify(refusal)}`, "Sigilosa")
  })

  it("HIER-01 the operator's scope is the partner it specifies", () => {
    assert.strictEqual(asOperator.scope(otherPartner).partner_id, otherPartner)
    assert.strictEqual(asOperator.inScope(otherPartner).record, otherPartner)
  })
})
