import { assert, describe, it } from "@effect/vitest"
import { accessTokenSeconds, claimsOf, PrincipalRepository, SigningKeyRepository } from "@lastro/domain/identity"
import { revokeSigningKey } from "@lastro/domain/operator"
import { currentTimestamp } from "@lastro/domain/values"
import { storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { createPrivateKey, type JsonWebKey } from "node:crypto"
import { generateSigningKey } from "../../src/security/KeyRing.ts"
import { at, type Reply } from "../client.ts"
import { givenCaller, tokenFor } from "../given.ts"
import { Server, withServer } from "../harness.ts"
import { es256, payloadOf } from "./forge.ts"

const kidsOf = (reply: Reply): ReadonlyArray<string> =>
  (at(reply, "keys") as ReadonlyArray<{ readonly kid: string }>).map(({ kid }) => kid)

const kidOf = (token: string): unknown =>
  (JSON.parse(Buffer.from(token.split(".")[0]!, "base64url").toString()) as { readonly kid: unknown }).kid

describe("lifetime of tokens", () => {
  it.effect("T07 a token is valid until its expiry plus 60 seconds of clock skew", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const { token } = yield* givenCaller(yield* storeRootPartner())
      const status = Effect.map(server.send("/api/v1/users/me", { token }), (reply) => reply.status)
      yield* TestClock.adjust(`${accessTokenSeconds - 1} seconds`)
      assert.strictEqual(yield* status, 200, "a second before it expires")
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* status, 200, "when it expires")
      yield* TestClock.adjust("59999 millis")
      assert.strictEqual(yield* status, 200, "at the end of the tolerance")
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* status, 401, "after it")
      yield* TestClock.adjust("365 days")
      assert.strictEqual(yield* status, 401)
    })))

  it.effect("T07 a token with `nbf` is valid from 60 seconds of clock skew before that time", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const { user } = yield* givenCaller(yield* storeRootPartner())
      const principal = yield* Effect.fromOption(yield* (yield* PrincipalRepository).find("user", user.user_id))
      const [stored] = yield* (yield* SigningKeyRepository).all
      const payload = yield* payloadOf(claimsOf(principal, "admin", new Set()))
      const token = es256(
        {
          header: { alg: "ES256", typ: "at+jwt", kid: stored!.kid },
          payload: { ...payload, nbf: Number(payload["iat"]) + 120 }
        },
        createPrivateKey({ key: JSON.parse(stored!.private_jwk) as JsonWebKey, format: "jwk" })
      )
      const status = Effect.map(server.send("/api/v1/users/me", { token }), (reply) => reply.status)
      yield* TestClock.adjust("59999 millis")
      assert.strictEqual(yield* status, 401)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* status, 200)
    })))

  it.effect("T53 publishes a new key before it signs, and verifies with an old key until its last token expires", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const keys = yield* SigningKeyRepository
      const { token, user } = yield* givenCaller(yield* storeRootPartner())
      const published = Effect.map(server.send("/.well-known/jwks.json"), kidsOf)
      const fresh = tokenFor("user", user.user_id, "admin")
      const good = (one: string) =>
        Effect.map(server.send("/api/v1/users/me", { token: one }), ({ status }) => status === 200)
      const old = kidOf(token)
      assert.deepStrictEqual<ReadonlyArray<unknown>>(yield* published, [old])

      yield* TestClock.adjust("1 hour")
      const next = yield* generateSigningKey
      yield* keys.insert(next, { onlyIfEmpty: false })
      yield* TestClock.adjust("61 seconds")
      assert.sameMembers([...(yield* published)], [old, next.kid], "published first")
      assert.strictEqual(kidOf(yield* fresh), old, "while the old one signs")

      yield* TestClock.adjust("300 seconds")
      assert.strictEqual(kidOf(yield* fresh), next.kid, "signs after its lead")

      const last = yield* tokenFor("user", user.user_id, "admin")
      yield* keys.retire(String(old), yield* currentTimestamp)
      yield* keys.retire(next.kid, yield* currentTimestamp)
      yield* keys.insert(yield* generateSigningKey, { onlyIfEmpty: false })
      yield* TestClock.adjust(`${accessTokenSeconds - 1} seconds`)
      assert.isTrue(yield* good(last), "a retired key verifies what it signed")
      assert.include(yield* published, next.kid)

      yield* TestClock.adjust("61 seconds")
      assert.isFalse(yield* good(last))
      assert.notInclude(yield* published, next.kid, "and then goes")
      assert.isTrue(yield* good(yield* fresh))

      const leaked = createPrivateKey({ key: JSON.parse(next.private_jwk) as JsonWebKey, format: "jwk" })
      const principal = yield* Effect.fromOption(yield* (yield* PrincipalRepository).find("user", user.user_id))
      const payload = yield* payloadOf(claimsOf(principal, "admin", new Set(["users:read"])))
      const late = es256({ header: { alg: "ES256", typ: "at+jwt", kid: next.kid }, payload }, leaked)
      assert.isFalse(yield* good(late), "a key that is gone makes no token good")
    })))

  it.effect("AUTH-28 a token with a longer lifetime than Lastro issues is refused, although its signature is valid", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const { user } = yield* givenCaller(yield* storeRootPartner())
      const principal = yield* Effect.fromOption(yield* (yield* PrincipalRepository).find("user", user.user_id))
      const [stored] = yield* (yield* SigningKeyRepository).all
      const payload = yield* payloadOf(claimsOf(principal, "admin", new Set()))
      const key = createPrivateKey({ key: JSON.parse(stored!.private_jwk) as JsonWebKey, format: "jwk" })
      for (const [seconds, status] of [[900, 200], [901, 401], [365 * 86_400, 401]] as const) {
        const token = es256(
          {
            header: { alg: "ES256", typ: "at+jwt", kid: stored!.kid },
            payload: { ...payload, exp: Number(payload["iat"]) + seconds }
          },
          key
        )
        assert.strictEqual((yield* server.send("/api/v1/users/me", { token })).status, status, String(seconds))
      }
    })))

  it.effect("KEY-04 a revoked key ends within 10 seconds, although its tokens were cached", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const { token } = yield* givenCaller(yield* storeRootPartner())
      const status = Effect.map(server.send("/api/v1/users/me", { token }), (reply) => reply.status)
      assert.strictEqual(yield* status, 200)
      const kid = String(kidOf(token))
      const replacement = yield* revokeSigningKey(kid, generateSigningKey)
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(yield* status, 401)
      assert.deepStrictEqual(
        yield* Effect.map(server.send("/.well-known/jwks.json"), kidsOf),
        replacement === undefined ? [] : [replacement.kid]
      )
    })))

  it.effect("T05 the other value of `s` makes no second valid token", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const { user } = yield* givenCaller(yield* storeRootPartner())
      const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
      for (let round = 0; round < 8; round++) {
        const token = yield* tokenFor("user", user.user_id, "admin")
        const [header, payload, signature = ""] = token.split(".")
        const bytes = Buffer.from(signature, "base64url")
        const s = BigInt(`0x${bytes.toString("hex", 32)}`)
        assert.isTrue(s <= order / 2n)
        bytes.write((order - s).toString(16).padStart(64, "0"), 32, "hex")
        const malleated = `${header}.${payload}.${bytes.toString("base64url")}`
        assert.strictEqual((yield* server.send("/api/v1/users/me", { token: malleated })).status, 401)
        assert.strictEqual((yield* server.send("/api/v1/users/me", { token })).status, 200)
      }
    })))

  it.effect("T53 accepts a token of a key that another node has just generated", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const { token, user } = yield* givenCaller(yield* storeRootPartner())
      assert.strictEqual((yield* server.send("/api/v1/users/me", { token })).status, 200, "the keys are in memory now")
      yield* TestClock.adjust("10 seconds")
      const made = yield* generateSigningKey
      yield* (yield* SigningKeyRepository).insert(made, { onlyIfEmpty: false })
      const principal = yield* Effect.fromOption(yield* (yield* PrincipalRepository).find("user", user.user_id))
      const payload = yield* payloadOf(claimsOf(principal, "admin", new Set(["users:read"])))
      const key = createPrivateKey({ key: JSON.parse(made.private_jwk) as JsonWebKey, format: "jwk" })
      const theirs = es256({ header: { alg: "ES256", typ: "at+jwt", kid: made.kid }, payload }, key)
      assert.strictEqual((yield* server.send("/api/v1/users/me", { token: theirs })).status, 200)
    })))
})
