import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"
import * as fc from "fast-check"
import { authorize, authorizeGroups, authorizeUserPatch } from "../../src/access/Authorization.ts"
import { judgeCycle, judgeReference } from "../../src/hierarchy/judgeParent.ts"
import { asOperator, judgeFound, parseRecordId, scopeOf, sealFound } from "../../src/hierarchy/Scope.ts"
import { idOrUnknown } from "../../src/values/Uuid.ts"
import { makeCaller, otherPartner, otherUser, ownPartner } from "./callers.ts"

describe("SubtreeScope", () => {
  it("HIER-01 a caller's scope is the subtree of its own partner, whatever its permissions and root", () => {
    const caller = makeCaller({ root_id: otherPartner })
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
      Result.map(judgeFound(Option.some(sealFound(record, true))), (one) => one.record),
      Result.succeed(record)
    )
    const tag = (judged: ReturnType<typeof judgeFound>) =>
      Result.match(judged, { onSuccess: () => "record", onFailure: (e) => e._tag })
    assert.strictEqual(tag(judgeFound(Option.none())), "NotFound")
    assert.strictEqual(tag(judgeFound(Option.some(sealFound(record, false)))), "OutsideHierarchy")
  })

  it("T04 HIER-02 neither a sealed record nor a refusal reveals the record", () => {
    const record = { name: "Ana Sigilosa" }
    const sealed = sealFound(record, false)
    assert.deepStrictEqual(Object.keys(sealed), [])
    assert.notInclude(JSON.stringify(sealed), "Sigilosa")
    const refusal = Result.getOrThrow(Result.flip(judgeFound(Option.some(sealed))))
    assert.deepStrictEqual(Object.entries(refusal).filter(([, value]) => value === record), [])
    assert.notInclude(`${refusal.message} ${JSON.stringify(refusal)}`, "Sigilosa")
  })

  it("HIER-01 the operator's scope is the partner it specifies", () => {
    assert.strictEqual(asOperator.scope(otherPartner).partner_id, otherPartner)
    assert.strictEqual(asOperator.inScope(otherPartner).record, otherPartner)
  })
})

describe("judgeReference", () => {
  it("HIER-03 a referenced partner must exist inside the scope; otherwise its field is invalid", () => {
    const refused = (code: "NOT_FOUND" | "OUTSIDE_HIERARCHY") => Result.fail({ field: "a.b", code })
    assert.deepStrictEqual(judgeReference("a.b", Option.none()), refused("NOT_FOUND"))
    assert.deepStrictEqual(
      judgeReference("a.b", Option.some(sealFound(otherPartner, false))),
      refused("OUTSIDE_HIERARCHY")
    )
    const inside = judgeReference("a.b", Option.some(sealFound(otherPartner, true)))
    assert.deepStrictEqual(Result.map(inside, ({ record }) => record), Result.succeed(otherPartner))
  })
})

describe("judgeCycle", () => {
  it("HIER-04 a parent within the partner's own subtree is a CYCLE", () => {
    assert.deepStrictEqual(judgeCycle("a.b", true), Result.fail({ field: "a.b", code: "CYCLE" }))
    assert.deepStrictEqual(judgeCycle("a.b", false), Result.void)
  })
})

const outcome = (text: string): string =>
  Result.match(parseRecordId<string>(text), { onSuccess: (id) => id, onFailure: ({ _tag }) => _tag })

describe("parseRecordId", () => {
  it("ID-02 a UUID in either letter case is an id, converted to lower case", () => {
    fc.assert(fc.property(fc.uuid(), (id) => {
      assert.strictEqual(outcome(id), id)
      assert.strictEqual(outcome(id.toUpperCase()), id)
      assert.strictEqual(idOrUnknown(id.toUpperCase()), id)
    }))
  })

  it("ID-02 a malformed id is NOT_FOUND", () => {
    const uuid = "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40"
    for (
      const text of ["", "me", ` ${uuid}`, `{${uuid}}`, uuid.replaceAll("-", ""), `${uuid}0`, uuid.replace("f", "g")]
    ) {
      assert.strictEqual(outcome(text), "NotFound", text)
      // A database that stores ids as UUID must be able to search for it.
      assert.strictEqual(idOrUnknown(text), "00000000-0000-0000-0000-000000000000")
    }
  })
})
