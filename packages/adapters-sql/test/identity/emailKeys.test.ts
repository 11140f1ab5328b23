import { assert, describe, it } from "@effect/vitest"
import { asOperator } from "@lastro/domain/hierarchy"
import { PrincipalRepository } from "@lastro/domain/identity"
import { type UserListItem, UserRepository } from "@lastro/domain/user"
import { timestampOf } from "@lastro/domain/values"
import { aUser, storeRootPartner, storeUser } from "@lastro/testkit"
import { Effect, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { storeAliases } from "../../src/migrations/0024_identity.ts"
import { pglite, postgres } from "../databases.ts"

/** Changes the address of a stored user, with the key of the version before the migration 0024. */
const storeAsBefore = Effect.fnUntraced(function*(user: UserListItem, email: string) {
  const sql = yield* SqlClient.SqlClient
  const key = email.normalize("NFC").toLowerCase()
  yield* sql`update app_user set email = ${email}, email_key = ${key}, email_alias = null where id = ${user.user_id}`
  return { ...user, email }
})

const signIn = (email: string) =>
  Effect.map(
    PrincipalRepository.use((principals) => principals.findByEmail(email)),
    Option.match({ onNone: () => null, onSome: ({ principal }): string => principal.subject })
  )

const suites = { PostgreSQL: postgres(), PGlite: pglite() }

for (const [name, layer] of Object.entries(suites)) {
  describe(`users of the version before, on ${name}`, () => {
    it.layer(layer, { excludeTestServices: true, timeout: "1 minute" })((it) => {
      it.effect("T23 DOC-08 keep signing in, and no other user gets the same address", () =>
        Effect.gen(function*() {
          const users = yield* UserRepository
          const root = yield* storeRootPartner()
          const owner = asOperator.inScope(root.partner_id)
          const change = (user: UserListItem, fields: Partial<UserListItem>) =>
            users.update(asOperator.inScope({ ...user, partners: [] }), { ...user, ...fields }, owner)
          let day = 0
          const store = (email: string) =>
            Effect.flatMap(
              storeUser(root, { created_at: timestampOf(Date.UTC(2026, 0, ++day)) }),
              (user) => storeAsBefore(user, email)
            )
          const outcome = <E extends { readonly _tag: string }, R>(effect: Effect.Effect<void, E, R>) =>
            Effect.map(
              Effect.result(effect),
              (result): string => Result.isSuccess(result) ? "done" : result.failure._tag
            )
          const idn = yield* store("Ana@fácil.example")
          const wide = yield* store("ｊｏａｏ@example.com")
          const [first, twin] = [yield* store("Maſa@example.com"), yield* store("ｍaſa@example.com")]
          const other = yield* storeUser(root)
          assert.deepStrictEqual(yield* storeAliases, [twin.user_id])
          assert.deepStrictEqual(yield* storeAliases, [twin.user_id], "repeated")
          const forms: ReadonlyArray<readonly [UserListItem, ReadonlyArray<string>]> = [
            [idn, ["Ana@fácil.example", "ana@FÁCIL.example", "ana@xn--fcil-5na.example", "ａna@fácil.example"]],
            [wide, ["ｊｏａｏ@example.com", "joao@example.com", "JOAO@EXAMPLE.COM"]],
            [first, ["Maſa@example.com", "masa@example.com"]],
            [twin, ["ｍaſa@example.com", "ＭAſA@example.com"]]
          ]
          for (const [user, emails] of forms) {
            for (const email of emails) {
              assert.strictEqual(yield* signIn(email), user.user_id, email)
              const added = yield* aUser({ email }).of(root)
              assert.strictEqual(yield* outcome(users.insert(owner, added, "hash" as never)), "EmailTaken", email)
              assert.strictEqual(yield* outcome(change(other, { email })), "EmailTaken", email)
            }
          }
          for (const user of [idn, wide, first, twin]) {
            assert.strictEqual(yield* outcome(change(user, { status: "INACTIVE" })), "done")
            assert.strictEqual(yield* outcome(change(user, { status: "ACTIVE" })), "done")
            assert.strictEqual(yield* signIn(user.email), user.user_id, "after a change of another field")
          }
          assert.strictEqual(yield* outcome(change(wide, { email: "Joao@example.com" })), "done")
          assert.strictEqual(yield* signIn("ｊｏａｏ@example.com"), wide.user_id)
          assert.strictEqual(yield* outcome(change(twin, { email: "another@example.com" })), "done")
          assert.strictEqual(yield* signIn("ｍaſa@example.com"), first.user_id)
        }))

      it.effect("T23 DOC-08 stored by an older node after the migration, have no twin with the address as it is stored", () =>
        Effect.gen(function*() {
          const root = yield* storeRootPartner()
          const { email, user_id } = yield* storeAsBefore(yield* storeUser(root), "Bia@fácil.example")
          const added = yield* aUser({ email: email.toUpperCase() }).of(root)
          const inserted = yield* Effect.result(
            (yield* UserRepository).insert(asOperator.inScope(root.partner_id), added, "hash" as never)
          )
          assert.isTrue(Result.isFailure(inserted))
          assert.strictEqual(yield* signIn(email), user_id)
        }))
    })
  })
}
