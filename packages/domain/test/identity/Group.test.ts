import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { authorizeGroups } from "../../src/access/Authorization.ts"
import { groupById, groupBySlug, GroupId, groupRecord, groups, groupWithId } from "../../src/access/Group.ts"
import { listGroups } from "../../src/identity/ListGroups.ts"
import { decode } from "../../src/input/decode.ts"
import { makeCaller } from "../hierarchy/callers.ts"

const table = `
admin | Administrador | partners:read partners:write users:read users:write proposals:read fgts:read fgts:write kyc:read audit:read events:read webhooks:write clients:write commissions:read commissions:write
manager | Gerente | partners:read users:read users:write proposals:read fgts:read fgts:write kyc:read events:read commissions:read
operator | Operador | partners:read proposals:read fgts:read fgts:write kyc:read
viewer | Consulta | partners:read users:read proposals:read fgts:read
`.trim()

describe("Group", () => {
  it("AUTH-02 the four groups have the permissions of the table", () => {
    const written = groups.map(({ label, permissions, slug }) => `${slug} | ${label} | ${permissions.join(" ")}`)
    assert.strictEqual(written.join("\n"), table)
  })

  it("has ids that never change", () => {
    assert.deepStrictEqual(groups.map(({ group_id }) => group_id.slice(-2)), ["01", "02", "03", "04"])
    for (const { group_id } of groups) {
      assert.match(group_id, /^01900000-0000-7000-8000-00000000000[1-4]$/)
      assert.deepStrictEqual(decode(GroupId)(group_id), Result.succeed(group_id))
    }
  })

  it("is found by slug and by id", () => {
    for (const group of groups) {
      assert.strictEqual(groupBySlug(group.slug), group)
      assert.strictEqual(groupById(group.group_id), group)
      assert.strictEqual(groupWithId(group.group_id), group)
    }
    assert.strictEqual(groupById("01900000-0000-7000-8000-000000000005"), undefined)
    for (const id of ["", "__proto__", "constructor"]) assert.strictEqual(groupById(id), undefined)
  })

  it("a user carries it without permissions; the list includes them", () => {
    assert.deepStrictEqual(Object.keys(groupRecord(groupBySlug("viewer"))).toSorted(), ["group_id", "label", "slug"])
    const allowed = Result.getOrThrow(authorizeGroups(makeCaller({ permissions: new Set() })))
    assert.strictEqual(listGroups(allowed), groups)
  })
})
