import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { type Allowed, authorize } from "../../src/access/Authorization.ts"
import { groupBySlug, type GroupId, GroupName, groups } from "../../src/access/Group.ts"
import { type Permission } from "../../src/access/Permission.ts"
import { decode } from "../../src/input/decode.ts"
import { fieldProblem, problem } from "../../src/input/FieldProblem.ts"
import { ValidationFailed } from "../../src/input/ValidationFailed.ts"
import { judgeGrant, judgeNamedGrant, parseGroup } from "../../src/user/judgeGroup.ts"
import { makeCaller, ownPartner } from "../hierarchy/callers.ts"

const holding = (permissions: ReadonlyArray<Permission>): Allowed<"users:write"> =>
  Result.getOrThrow(
    authorize(makeCaller({ permissions: new Set<Permission>(["users:write", ...permissions]) }), "users:write")
  )

const manager = holding(groupBySlug("manager").permissions)

describe("namedGroup", () => {
  it("USER-01 an unknown group id is NOT_FOUND", () => {
    for (const group_id of [ownPartner, "", "ADMIN", "__proto__"]) {
      assert.deepStrictEqual(parseGroup({ group_id }), Result.fail({ field: "group_id", code: "NOT_FOUND" }))
    }
  })

  it("USER-01 a group is named by its slug, or by its id in any letter case", () => {
    for (const group of groups) {
      assert.deepStrictEqual(parseGroup({ group_id: group.slug }), Result.succeed(group))
      assert.deepStrictEqual(parseGroup({ group_id: group.group_id }), Result.succeed(group))
      assert.deepStrictEqual(parseGroup({ group_id: group.group_id.toUpperCase() }), Result.succeed(group))
    }
  })

  it("USER-01 a name that is neither an id nor a slug has a wrong format, which names both", () => {
    const refused = decode(Schema.Struct({ group_id: GroupName }))({ group_id: "operatorr" })
    const expected = fieldProblem("group_id", problem("INVALID_FORMAT", { expected: "UUID or slug of a group" }))
    assert.deepStrictEqual(refused, Result.fail(new ValidationFailed({ problems: [expected] })))
  })

  it("USER-01 a body without a group id is left to its schema", () => {
    for (const body of [null, 1, [], {}, { group_id: null }, { group_id: 1 }, { group_id: {} }]) {
      assert.deepStrictEqual(parseGroup(body), Result.succeed(undefined))
    }
  })
})

describe("judgeGrant", () => {
  it("T13 USER-02 a caller cannot grant or modify a group with a permission it lacks", () => {
    const granted = groups.filter(({ group_id }) => Result.isSuccess(judgeGrant(manager, group_id)))
    assert.deepStrictEqual(granted.map(({ slug }) => slug), ["manager", "operator", "viewer"])
    const narrowed = groups.filter(({ group_id }) => Result.isSuccess(judgeGrant(holding([]), group_id)))
    assert.deepStrictEqual(narrowed, [])
  })

  it("USER-02 a body is checked by its group", () => {
    const tag = (body: unknown) =>
      Result.match(judgeNamedGrant(manager, body), { onSuccess: () => "allowed", onFailure: ({ _tag }) => _tag })
    assert.strictEqual(tag({ group_id: groupBySlug("admin").group_id.toUpperCase() }), "PermissionDenied")
    assert.strictEqual(tag({ group_id: "admin" }), "PermissionDenied")
    assert.strictEqual(tag({ group_id: groupBySlug("viewer").group_id }), "allowed")
    for (const body of [{}, { group_id: ownPartner }, { group_id: 1 }, null]) assert.strictEqual(tag(body), "allowed")
  })

  it("USER-02 an unknown group holds no permission", () => {
    assert.isTrue(Result.isSuccess(judgeGrant(manager, ownPartner as string as GroupId)))
  })
})
