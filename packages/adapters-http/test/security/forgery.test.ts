import { assert, describe, it } from "@effect/vitest"
import { groupBySlug } from "@lastro/domain/access"
import {
  type AccessClaims,
  claimsOf,
  PrincipalRepository,
  SigningKeyRepository,
  TokenSigner
} from "@lastro/domain/identity"
import { type PartnerDetail } from "@lastro/domain/partner"
import { type UserListItem } from "@lastro/domain/user"
import { storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { createHmac, createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject, sign } from "node:crypto"
import { codeOf } from "../client.ts"
import { givenCaller, givenClient } from "../given.ts"
import { Server, withServer } from "../harness.ts"
import { es256, type Forged, payloadOf, strangerKeys, withSignature } from "./forge.ts"

interface Arranged {
  readonly genuine: Forged
  readonly kid: string
  readonly key: KeyObject
  readonly root: PartnerDetail
  readonly user: UserListItem
  readonly claims: AccessClaims
}

/** The parts of a genuine token, and its signing key. */
const arrange = Effect.gen(function*() {
  const root = yield* storeRootPartner()
  const { token, user } = yield* givenCaller(root)
  const principal = yield* Effect.fromOption(yield* (yield* PrincipalRepository).find("user", user.user_id))
  const claims = claimsOf(principal, "admin", new Set(groupBySlug("admin").permissions))
  const [stored] = yield* (yield* SigningKeyRepository).all
  const jwk = JSON.parse(stored!.private_jwk) as JsonWebKey
  const arranged: Arranged = {
    genuine: { header: { alg: "ES256", typ: "at+jwt", kid: stored!.kid }, payload: yield* payloadOf(claims) },
    kid: stored!.kid,
    key: createPrivateKey({ key: jwk, format: "jwk" }),
    root,
    user,
    claims
  }
  return { ...arranged, token }
})

const header = ({ genuine }: Arranged, more: object): Forged => ({
  ...genuine,
  header: { ...Object(genuine.header), ...more }
})

const payload = ({ genuine }: Arranged, more: object): Forged => ({
  ...genuine,
  payload: { ...Object(genuine.payload), ...more }
})

const without = (part: unknown, key: string): object => {
  const { [key]: _, ...rest } = part as Record<string, unknown>
  return rest
}

const publicPem = (key: KeyObject): string => createPublicKey(key).export({ type: "spki", format: "pem" }).toString()

const hs256 = (forged: Forged, secret: string): string => {
  const unsigned = withSignature(forged, "").slice(0, -1)
  return `${unsigned}.${createHmac("sha256", secret).update(unsigned).digest("base64url")}`
}

const stranger = strangerKeys()
const strangerJwk = stranger.publicKey.export({ format: "jwk" })

/** Forged tokens. Each must be refused. */
const forgeries: Readonly<Record<string, (given: Arranged) => string>> = {
  "no algorithm, no signature": (given) => withSignature(header(given, { alg: "none" }), ""),
  "no algorithm, with the genuine signature": (given) =>
    withSignature(header(given, { alg: "none" }), es256(given.genuine, given.key).split(".")[2]!),
  "HS256 with the public key as the secret": (given) => hs256(header(given, { alg: "HS256" }), publicPem(given.key)),
  "HS256 named ES256": (given) => hs256(given.genuine, publicPem(given.key)),
  "ES384": (given) => es256(header(given, { alg: "ES384" }), given.key),
  "another key under the genuine id": (given) => es256(given.genuine, stranger.privateKey),
  "another key under its own id": (given) => es256(header(given, { kid: "stranger" }), stranger.privateKey),
  "an embedded jwk": (given) => es256(header(given, { jwk: strangerJwk }), stranger.privateKey),
  "an embedded jwk without a kid": (given) =>
    es256({ ...given.genuine, header: { alg: "ES256", typ: "at+jwt", jwk: strangerJwk } }, stranger.privateKey),
  "a jku": (given) => es256(header(given, { jku: "https://evil.test/jwks.json" }), stranger.privateKey),
  "an x5u": (given) => es256(header(given, { x5u: "https://evil.test/cert" }), stranger.privateKey),
  "a jku beside the genuine key": (given) => es256(header(given, { jku: "https://evil.test/jwks.json" }), given.key),
  "a content type": (given) => es256(header(given, { cty: "JWT" }), given.key),
  "a kid that is a path": (given) => es256(header(given, { kid: "../../dev/null" }), stranger.privateKey),
  "a kid that is a prototype's": (given) => es256(header(given, { kid: "__proto__" }), stranger.privateKey),
  "a kid that is no text": (given) => es256(header(given, { kid: 1 }), given.key),
  "no kid": (given) => es256({ ...given.genuine, header: without(given.genuine.header, "kid") }, given.key),
  "an unknown critical header": (given) => es256(header(given, { crit: ["exp"], exp: 1 }), given.key),
  "an unencoded payload": (given) => es256(header(given, { b64: false, crit: ["b64"] }), given.key),
  "no signature": (given) => withSignature(given.genuine, ""),
  "a signature of zeros": (given) => withSignature(given.genuine, Buffer.alloc(64).toString("base64url")),
  "a signature in DER": (given) => {
    const unsigned = withSignature(given.genuine, "").slice(0, -1)
    return `${unsigned}.${sign("sha256", Buffer.from(unsigned), given.key).toString("base64url")}`
  },
  "a padded signature": (given) => `${es256(given.genuine, given.key)}==`,
  "a signature with other spare bits": (given) => {
    const token = es256(given.genuine, given.key)
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    return `${token.slice(0, -1)}${alphabet[alphabet.indexOf(token.at(-1)!) + 1]!}`
  },
  "the signature of another payload": (given) => {
    const signature = es256(given.genuine, given.key).split(".")[2]!
    return withSignature(payload(given, { scope: "partners:write" }), signature)
  },
  "JSON serialization": (given) => {
    const [protectedHeader, body, signature] = es256(given.genuine, given.key).split(".")
    return JSON.stringify({ protected: protectedHeader, payload: body, signature })
  },
  "four parts": (given) => `${es256(given.genuine, given.key)}.e30`,
  "one letter": () => "a",
  "dots": () => "..",
  "ten thousand letters": () => "a".repeat(10_000),
  "a type of another kind of token": (given) => es256(header(given, { typ: "JWT" }), given.key),
  "no type": (given) => es256({ ...given.genuine, header: without(given.genuine.header, "typ") }, given.key),
  "a payload that is no object": (given) => es256({ ...given.genuine, payload: ["sub"] }, given.key),
  "a payload that is no JSON": (given) => es256({ ...given.genuine, payload: "sub" }, given.key)
}

/** Tokens with a genuine signature and wrong content. */
const misstated: Readonly<Record<string, (given: Arranged) => string>> = {
  "another issuer": (given) => es256(payload(given, { iss: "https://evil.test" }), given.key),
  "another audience": (given) => es256(payload(given, { aud: "other" }), given.key),
  "an expiry that is no number": (given) => es256(payload(given, { exp: "2100-01-01" }), given.key),
  "no expiry at all": (given) => es256(payload(given, { exp: null }), given.key),
  "a `nbf` far ahead": (given) => es256(payload(given, { nbf: 4_000_000_000 }), given.key),
  "a `nbf` that is no number": (given) => es256(payload(given, { nbf: "1970-01-01" }), given.key),
  "a `nbf` that is null": (given) => es256(payload(given, { nbf: null }), given.key),
  "an issue far ahead": (given) => es256(payload(given, { iat: 4_000_000_000, exp: 4_000_000_900 }), given.key),
  ...Object.fromEntries(
    ["iss", "aud", "sub", "client_id", "iat", "exp", "jti", "scope", "group", "partner_snapshot_uuid"].map((claim) => [
      `no ${claim}`,
      (given: Arranged) => es256({ ...given.genuine, payload: without(given.genuine.payload, claim) }, given.key)
    ])
  )
}

const refusesAll = (tokens: Readonly<Record<string, (given: Arranged) => string>>) =>
  withServer(Effect.gen(function*() {
    const server = yield* Server
    const given = yield* arrange
    const genuine = yield* server.send("/api/v1/users/me", { token: es256(given.genuine, given.key) })
    assert.strictEqual(genuine.status, 200, "the genuine token, made the same way, is good")
    for (const [name, forge] of Object.entries(tokens)) {
      const reply = yield* server.send("/api/v1/users/me", { token: forge(given) })
      assert.strictEqual(reply.status, 401, name)
      assert.strictEqual(codeOf(reply), "UNAUTHENTICATED", name)
      assert.match(reply.headers.get("www-authenticate") ?? "", /^Bearer realm="lastro", error="invalid_token"/, name)
    }
  }))

/** Tokens with a genuine signature whose `sub` and `client_id` no principal can have. */
const foreign: Readonly<Record<string, (given: Arranged) => string>> = {
  ...Object.fromEntries(
    ["erp", "", "LASTRO", "lastro ", "\u0000", "lastro\u0000"].map((client_id) => [
      `the client_id ${JSON.stringify(client_id)}`,
      (given: Arranged) => es256(payload(given, { client_id }), given.key)
    ])
  ),
  ...Object.fromEntries(
    ["\u0000", "", "\ud800", "lastro", "erp", "null"].flatMap((sub) => [
      [
        `the sub ${JSON.stringify(sub)} of a user`,
        (given: Arranged) => es256(payload(given, { sub }), given.key)
      ],
      [
        `the sub ${JSON.stringify(sub)} of a client`,
        (given: Arranged) => es256(payload(given, { sub, client_id: sub }), given.key)
      ]
    ])
  ),
  "a user's sub with a NUL": (given) => es256(payload(given, { sub: `${given.user.user_id}\u0000` }), given.key)
}

describe("forged tokens", () => {
  it.effect("T05 refuses every forged token with 401", () => refusesAll(forgeries))

  it.effect("T07 refuses tokens with a wrong issuer, audience or lifetime, or a missing claim", () =>
    refusesAll(misstated))

  it.effect("T06 refuses tokens with a foreign `client_id` or an impossible `sub`", () => refusesAll(foreign))

  it.effect("T06 refuses a client's token that another client or a user presents as its own", () =>
    withServer(Effect.gen(function*() {
      const given = yield* arrange
      const server = yield* Server
      const { client } = yield* givenClient(given.root)
      const principal = yield* Effect.fromOption(yield* (yield* PrincipalRepository).find("client", client.client_id))
      const claims = claimsOf(principal, "admin", new Set())
      const sign = (more: object) => es256(payload(given, { ...claims, ...more }), given.key)
      const status = (token: string) => Effect.map(server.send("/api/v1/groups", { token }), (reply) => reply.status)
      assert.strictEqual(yield* status(sign({})), 200)
      for (const client_id of ["lastro", "other", `${client.client_id} `, client.client_id.toUpperCase()]) {
        assert.strictEqual(yield* status(sign({ client_id })), 401, client_id)
      }
    })))

  it.effect("T06 refuses a token with another principal's partner", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const { claims, root } = yield* arrange
      const other = yield* storeRootPartner()
      const signer = yield* TokenSigner
      const partners = [
        other.partner_id,
        "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40",
        "",
        "root",
        "' or 1=1",
        "null",
        "\u0000"
      ]
      for (const partner_snapshot_uuid of partners) {
        const reply = yield* server.send("/api/v1/partners", {
          token: yield* signer.sign({ ...claims, partner_snapshot_uuid })
        })
        assert.strictEqual(reply.status, 401, partner_snapshot_uuid)
      }
      const good = yield* server.send("/api/v1/partners", { token: yield* signer.sign(claims) })
      assert.strictEqual(good.status, 200)
      assert.include(good.text, root.partner_id)
      assert.notInclude(good.text, other.partner_id)
    })))

  it.effect("T06 a token cannot exceed the permissions of its group", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const root = yield* storeRootPartner()
      const { user } = yield* givenCaller(root, "viewer")
      const principal = yield* Effect.fromOption(yield* (yield* PrincipalRepository).find("user", user.user_id))
      const token = yield* (yield* TokenSigner).sign(
        claimsOf(principal, "admin", new Set(groupBySlug("admin").permissions))
      )
      const reply = yield* server.send("/api/v1/partners", { token, json: {} })
      assert.strictEqual(reply.status, 403)
      assert.strictEqual(codeOf(reply), "PERMISSION_DENIED")
    })))
})
