import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Option } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { type Caller } from "../../src/access/Caller.ts"
import { groupBySlug } from "../../src/access/Group.ts"
import { claimsOf } from "../../src/identity/AccessClaims.ts"
import { type Principal, PrincipalRepository } from "../../src/identity/Principal.ts"
import { readAsLastSeen, resolveClaims } from "../../src/identity/resolveCaller.ts"
import { setPartnerStatus } from "../../src/operator/partners.ts"
import { updatePartner } from "../../src/partner/UpdatePartner.ts"
import { updateUser } from "../../src/user/UpdateUser.ts"
import { callerOf, permit, permitUserPatch, runInMemory, storeMember, storeTwoTrees } from "../fixtures.ts"

/** Stores a user with a token, and changes that affect the user's rights. */
const setUp = Effect.gen(function*() {
  const { a, aa, b, rootAdmin } = yield* storeTwoTrees
  const member = yield* storeMember(aa, "manager")
  const admin = yield* callerOf(rootAdmin)
  const mayPatch = yield* permitUserPatch(admin, member.user_id)
  const mayMove = yield* permit(admin, "partners:write")
  const patch = (body: object) => Effect.asVoid(Effect.orDie(updateUser(mayPatch, member.user_id, body)))
  const move = (parent_uuid: string) =>
    Effect.asVoid(Effect.orDie(updatePartner(mayMove, aa.partner_id, { partner: { parent_uuid } })))
  const setStatus = (status: "active" | "inactive") =>
    Effect.asVoid(Effect.orDie(setPartnerStatus(a.partner_id, status)))
  const found: Option.Option<Principal> = yield* (yield* PrincipalRepository).find("user", member.user_id)
  const claims = claimsOf(Option.getOrThrow(found), "manager", (yield* callerOf(member)).permissions)
  return {
    claims,
    changes: [
      patch({ status: "INACTIVE" }),
      patch({ status: "ACTIVE" }),
      patch({ group_id: groupBySlug("viewer").group_id }),
      patch({ group_id: groupBySlug("manager").group_id }),
      patch({ partner_id: b.partner_id }),
      patch({ partner_id: aa.partner_id }),
      patch({ name: "Another Name" }),
      setStatus("inactive"),
      setStatus("active"),
      move(a.partner_id),
      move(b.partner_id)
    ]
  }
})

/** A read whose result depends on everything that a read may depend on. */
const read = ({ group, partner_id, permissions, root_id }: Caller) =>
  permissions.has("users:read")
    ? Effect.succeed([group, partner_id, root_id, [...permissions].toSorted()])
    : Effect.fail("not permitted")

const history = fc.array(fc.record({ change: fc.nat({ max: 10 }), sees: fc.boolean() }), { maxLength: 12 })

const check = (steps: ReadonlyArray<{ readonly change: number; readonly sees: boolean }>) =>
  runInMemory(Effect.gen(function*() {
    const { changes, claims } = yield* setUp
    const readAfterwards = Effect.flatMap(resolveClaims(claims), ({ caller }) => read(caller))
    let seen = yield* resolveClaims(claims)
    for (const { change, sees } of steps) {
      yield* changes[change] ?? Effect.void
      const outcome = yield* Effect.exit(readAsLastSeen(claims, seen, read))
      const result = Exit.isSuccess(outcome) ? outcome.value.result : Exit.failCause(outcome.cause)
      assert.deepStrictEqual(result, yield* Effect.exit(readAfterwards))
      assert.deepStrictEqual(yield* Effect.exit(resolveClaims(claims, seen)), yield* Effect.exit(resolveClaims(claims)))
      if (!sees || Exit.isFailure(outcome)) continue
      seen = outcome.value.current
      assert.deepStrictEqual(seen, yield* resolveClaims(claims))
    }
  }))

describe("readAsLastSeen", () => {
  it("T08 AUTH-22 returns the same as a read after the caller was read, whenever the caller was last seen", () =>
    fc.assert(
      fc.asyncProperty(history, (steps) => Effect.runPromise(Effect.provide(check(steps), TestClock.layer()))),
      { numRuns: examples(60) }
    ))

  it.effect("reads once if the principal is unchanged, and again if it has changed", () =>
    runInMemory(Effect.gen(function*() {
      const { changes, claims } = yield* setUp
      const seen = yield* resolveClaims(claims)
      const groups: Array<string> = []
      const counted = (caller: Caller) => {
        groups.push(caller.group)
        return Effect.void
      }
      yield* readAsLastSeen(claims, seen, counted)
      yield* changes[2] ?? Effect.void
      yield* readAsLastSeen(claims, seen, counted)
      assert.deepStrictEqual(groups, ["manager", "manager", "viewer"])
    })))
})
