// A case is an entry point: it provides the ports that are no part of the storage.
// @effect-diagnostics strictEffectProvide:off
import { issueToken, PasswordHasher } from "@lastro/domain/identity"
import { type UserListItem } from "@lastro/domain/user"
import { assert } from "chai"
import { Effect, Redacted, Ref } from "effect"
import { storeForest, storeUser } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { holdOpen, runBehind } from "../suite/transactions.ts"
import { type AccountStorage, call, callerOf, generators, memberOf } from "./accountCalls.ts"

const password = "a better password"

/** Requests tokens. Returns `done` and the refresh token, or the code of the error and an unknown token. */
const requestToken = (body: object) =>
  Effect.match(issueToken(body), {
    onSuccess: ({ refresh_token = "none" }) => ({ outcome: "done", token: refresh_token }),
    onFailure: (refused) => ({ outcome: refused._tag === "TokenRefused" ? refused.error : refused._tag, token: "none" })
  })

/** Stores a user with a known password. Returns the actions of the cases. */
const storeSignIn = Effect.gen(function*() {
  const [root] = yield* storeForest([null])
  const hasher = yield* PasswordHasher
  const user = yield* storeUser(root, {}, yield* hasher.hash(Redacted.make(password)))
  const admin = yield* callerOf(yield* memberOf(root, "admin"), root)
  return {
    /** Sets the status of the user. */
    change: (status: UserListItem["status"]) =>
      Effect.map(
        call("updateUser", admin, user.user_id, { status }),
        (outcome) => assert.strictEqual(outcome, "done")
      ),
    /** Signs the user in. Runs `meanwhile` during the verification of the password. */
    signIn: (meanwhile: Effect.Effect<void, never, AccountStorage> = Effect.void) =>
      Effect.gen(function*() {
        const ports = yield* Effect.context<AccountStorage>()
        const verify: typeof hasher.verify = (secret, hash) =>
          Effect.andThen(Effect.provide(meanwhile, ports), hasher.verify(secret, hash))
        return yield* Effect.provideService(
          requestToken({ grant_type: "password", username: user.email, password }),
          PasswordHasher,
          { ...hasher, verify }
        )
      }).pipe(Effect.provide(generators)),
    /** Exchanges a refresh token. */
    refresh: (refresh_token: string) =>
      Effect.provide(requestToken({ grant_type: "refresh_token", refresh_token }), generators)
  }
}).pipe(Effect.provide(generators))

/** Contract cases for the sign-in of users whose rights change meanwhile. */
export const signInCases: ContractCases<AccountStorage> = (it) => {
  it("USER-07 a sign-in that began before a deactivation starts no session", function*() {
    const { change, signIn } = yield* storeSignIn
    assert.strictEqual((yield* signIn(change("INACTIVE"))).outcome, "invalid_grant")
  })

  for (const first of ["sign-in", "deactivation"]) {
    it(`USER-07 no session outlives a deactivation that runs at the same time: the ${first} is first`, function*() {
      const { change, refresh, signIn } = yield* storeSignIn
      const refreshToken = yield* Ref.make("none")
      const signingIn = Effect.flatMap(signIn(), ({ token }) => Ref.set(refreshToken, token))
      const deactivation = change("INACTIVE")
      if (first === "sign-in") yield* runBehind(yield* holdOpen(signingIn), deactivation)
      else yield* runBehind(yield* holdOpen(deactivation), signingIn)
      yield* change("ACTIVE")
      assert.strictEqual((yield* refresh(yield* Ref.get(refreshToken))).outcome, "invalid_grant")
      assert.strictEqual((yield* signIn()).outcome, "done")
    })
  }
}
