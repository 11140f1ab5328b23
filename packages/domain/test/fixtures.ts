import { assert } from "@effect/vitest"
import { layerMemory, layerMemoryByHand, MemoryDatabase, storeForest, storeUser } from "@lastro/testkit"
import { Effect, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { authorize, authorizeUserPatch, authorizeUserRead } from "../src/access/Authorization.ts"
import { type Caller } from "../src/access/Caller.ts"
import { groupBySlug, groupRecord, type GroupSlug } from "../src/access/Group.ts"
import { type Permission, permissions } from "../src/access/Permission.ts"
import { type AuditEntry } from "../src/audit/AuditLog.ts"
import { claimsOf, judgeClaims } from "../src/identity/AccessClaims.ts"
import { PasswordHasher } from "../src/identity/PasswordHasher.ts"
import { type Principal, PrincipalRepository } from "../src/identity/Principal.ts"
import { type ValidationFailed } from "../src/input/ValidationFailed.ts"
import { type Application } from "../src/loan/Application.ts"
import { ApplicationRepository } from "../src/origination/ApplicationRepository.ts"
import { type PartnerDetail } from "../src/partner/PartnerDetail.ts"
import { type UserListItem } from "../src/user/UserDetail.ts"
import { type UserId } from "../src/values/ids.ts"
import { millisOf, type Timestamp, timestampOf } from "../src/values/Timestamp.ts"

/** The start of every test. */
const startMillis = Date.UTC(2026, 0, 31, 12)
export const start: Timestamp = timestampOf(startMillis)

/** Runs a test over all in-memory ports with an empty database and the test clock at {@link start}. */
export const runInMemory = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.provide(Effect.andThen(TestClock.setTime(startMillis), test), layerMemory, { local: true })

/** The password of all test users. */
export const knownPassword = "correct horse battery"

/** Adds a user of a group to a partner, with {@link knownPassword}. */
export const storeMember = Effect.fnUntraced(function*(
  partner: PartnerDetail,
  slug: GroupSlug,
  fields: Partial<UserListItem> = {}
) {
  const hash = yield* (yield* PasswordHasher).hash(Redacted.make(knownPassword))
  return yield* storeUser(partner, { group: groupRecord(groupBySlug(slug)), ...fields }, hash)
})

/** The caller of a user, with the token scope narrowed to `scope`. */
export const callerOf = Effect.fnUntraced(function*(
  user: UserListItem,
  scope: ReadonlyArray<Permission> = permissions
) {
  const found: Option.Option<Principal> = yield* (yield* PrincipalRepository).find("user", user.user_id)
  const principal = yield* Effect.fromOption(found)
  return yield* Effect.fromResult(judgeClaims(claimsOf(principal, user.group.slug, new Set(scope)), found))
}, Effect.orDie)

/** The caller's proof of a permission. Dies if the permission is missing. */
export const permit = <P extends Permission>(caller: Caller, permission: P) =>
  Effect.orDie(Effect.fromResult(authorize(caller, permission)))
export const permitUserRead = (caller: Caller, user: UserId) =>
  Effect.orDie(Effect.fromResult(authorizeUserRead(caller, user)))
export const permitUserPatch = (caller: Caller, user: UserId) =>
  Effect.orDie(Effect.fromResult(authorizeUserPatch(caller, user)))

/** Stores two trees: `root` with children `a` and `b` and grandchild `aa` below `a`; and `stranger`. Three administrators. */
export const storeTwoTrees = Effect.gen(function*() {
  const [root, a, aa, b, stranger] = yield* storeForest([null, 0, 1, 0, null])
  return {
    root,
    a,
    aa,
    b,
    stranger,
    rootAdmin: yield* storeMember(root, "admin"),
    aAdmin: yield* storeMember(a, "admin"),
    strangerAdmin: yield* storeMember(stranger, "admin")
  }
})

type Refusal = { readonly _tag: string } | ValidationFailed

/** The outcome of an effect: `done`, the tag of its refusal, or its problems as `field CODE`, sorted. */
export const outcomeOf = <A, E extends Refusal, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<string, never, R> =>
  Effect.match(effect, {
    onSuccess: () => "done",
    onFailure: (refusal) =>
      "problems" in refusal
        ? refusal.problems.map(({ code, field }) => `${field} ${code}`).toSorted().join(", ")
        : refusal._tag
  })

/** Asserts that an effect is refused as expected and changes nothing. */
export const expectRefusal = Effect.fnUntraced(function*<A, E extends Refusal, R>(
  effect: Effect.Effect<A, E, R>,
  expected: string
) {
  const { state } = yield* MemoryDatabase
  const before = yield* state
  assert.strictEqual(yield* outcomeOf(effect), expected)
  assert.deepStrictEqual(yield* state, before)
})

/** The audit entries of one record, oldest first. */
export const auditEntriesOf = (subject_id: string): Effect.Effect<ReadonlyArray<AuditEntry>, never, MemoryDatabase> =>
  Effect.flatMap(
    MemoryDatabase,
    ({ state }) => Effect.map(state, ({ audit }) => audit.filter((entry) => entry.subject_id === subject_id))
  )

/** Runs a test over all in-memory ports without background jobs, with the test clock at `begins`. */
export const runWithoutWorkers = <A, E, R>(test: Effect.Effect<A, E, R>, begins: Timestamp = start) =>
  Effect.provide(Effect.andThen(TestClock.setTime(millisOf(begins)), test), layerMemoryByHand, { local: true })

/** Loads the current state of an application. */
export const loadApplication = (application: Application) =>
  Effect.gen(function*() {
    return Option.getOrThrow(yield* (yield* ApplicationRepository).ofQuote(application.quotes[0].quote_id))
  })
