import { layerDomainCopy } from "@lastro/domain/hierarchy"
import {
  AccessClaims,
  accessTokenSeconds,
  clockSkewSeconds,
  isIssuedLifetime,
  type SigningKeyRepository,
  TokenSigner,
  Unauthenticated
} from "@lastro/domain/identity"
import { IdGenerator } from "@lastro/domain/ports"
import { LruCache } from "@lastro/domain/values"
import { Clock, Context, Effect, Layer, Option, Result, Schema } from "effect"
import { compactVerify, SignJWT } from "jose"
import { type ImportedKey, KeyRing, layerKeyRing } from "./KeyRing.ts"
import { type OptionRefused, parseIssuer } from "./parseIssuer.ts"

/**
 * The only accepted token header: the fields of RFC 9068 §2.1 and a key id. A header with a field that could reference
 * another key is rejected.
 */
const Header = Schema.Struct({
  alg: Schema.Literal("ES256"),
  typ: Schema.Literal("at+jwt"),
  kid: Schema.String
})

const decodeHeader = Schema.decodeUnknownResult(Schema.fromJsonString(Header), { onExcessProperty: "error" })

/** Length of an ES256 signature in bytes. */
const signatureBytes = 64

/** Decodes canonical base64url without padding. Returns undefined for any other text. */
const decodeBase64Url = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, "base64url")
  return bytes.toString("base64url") === text ? bytes : undefined
}

/** Maximum length of a token in characters. Tokens of this API have about 800. */
const maxTokenLength = 4096

/**
 * Reads the key id of a token in JWS compact serialization (RFC 7515 §7.1). Returns none if this API cannot have issued
 * the token: another algorithm or type, missing or additional header fields, padding, or a signature of another length.
 */
const keyIdOf = (token: string): Option.Option<string> => {
  const parts = token.length > maxTokenLength ? [] : token.split(".", 4)
  const [header, payload, signature] = parts.map(decodeBase64Url)
  if (parts.length !== 3 || header === undefined || payload === undefined) return Option.none()
  if (signature?.length !== signatureBytes) return Option.none()
  return Option.map(Result.getSuccess(decodeHeader(header.toString("utf8"))), ({ kid }) => kid)
}

/** The order of the base point of the curve P-256 (SEC 2 §2.4.2). */
const curveOrder = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

const isHighS = (signature: Buffer): boolean => BigInt(`0x${signature.toString("hex", 32)}`) > curveOrder / 2n

/**
 * Returns the token with the lower of the two values of `s` that make its ES256 signature valid. Only this form is
 * accepted, so nobody can make a second valid token from a token.
 */
const withLowS = (token: string): string => {
  const start = token.lastIndexOf(".") + 1
  const signature = Buffer.from(token.slice(start), "base64url")
  if (!isHighS(signature)) return token
  const low = curveOrder - BigInt(`0x${signature.toString("hex", 32)}`)
  const lowS = Buffer.from(low.toString(16).padStart(64, "0"), "hex")
  return token.slice(0, start) + Buffer.concat([signature.subarray(0, 32), lowS]).toString("base64url")
}

/** The issuer and audience of access tokens. */
interface TokenIssuer {
  /** The issuer's URL, without a trailing slash (`iss`). */
  readonly issuer: string
  /** The audience (`aud`). */
  readonly audience: string
}

/** The payload of an access token. `iat`, `nbf` and `exp` are in seconds since 1970. */
const TokenPayload = Schema.Struct({
  ...AccessClaims.fields,
  iss: Schema.String,
  aud: Schema.String,
  iat: Schema.Finite,
  nbf: Schema.optionalKey(Schema.Finite),
  exp: Schema.Finite,
  jti: Schema.String,
  /** True in every token of this version. Tokens signed by an earlier version may have the higher value of `s`. */
  low_s: Schema.optionalKey(Schema.Literal(true))
})
type TokenPayload = typeof TokenPayload.Type

const decodePayload = Schema.decodeUnknownResult(Schema.fromJsonString(TokenPayload))

const refuse = (reason: "claims" | "expired") => Result.fail(new Unauthenticated({ reason }))

/**
 * Reads the payload of a verified token. Every claim except `nbf` is required. The issuer and the audience must match.
 */
const readPayload = (
  text: string,
  { audience, issuer }: TokenIssuer
): Result.Result<TokenPayload, Unauthenticated> => {
  const payload = decodePayload(text)
  return Result.isFailure(payload) || payload.success.iss !== issuer || payload.success.aud !== audience
    ? refuse("claims")
    : Result.succeed(payload.success)
}

/** The claims that limit the lifetime of a token. */
type Lifetime = Pick<TokenPayload, "exp" | "iat" | "nbf">

/**
 * Checks that a token is valid at `nowMs`: not before `iat` and `nbf`, and before `exp` (RFC 7519 §4.1). Also checks
 * that its lifetime is not longer than that of Lastro's tokens. Allows for clock skew.
 */
const checkLifetime = (
  { exp, iat, nbf = iat }: Lifetime,
  nowMs: number
): Result.Result<void, Unauthenticated> => {
  const skewMs = clockSkewSeconds * 1000
  if (!isIssuedLifetime({ exp, iat }) || Math.max(iat, nbf) * 1000 > nowMs + skewMs) return refuse("claims")
  return nowMs >= exp * 1000 + skewMs ? refuse("expired") : Result.void
}

/** Maximum number of verified tokens in the cache. */
const cacheCapacity = 10_000

/** Length of the cache key of a token, in characters. It is the end of the token, a part of the signature. */
const keyLength = 32

const utf8 = new TextDecoder()

/** The issuer of access tokens, as normalized by `parseIssuer`. The API must be served at this URL. */
export class Issuer extends Context.Service<Issuer, string>()("@lastro/adapters-http/security/TokenSigner/Issuer") {}

/** The issuer and audience of access tokens. */
export interface TokenOptions {
  /** The base URL of the API (`iss`). A trailing slash is removed. */
  readonly issuer: string
  /** The audience (`aud`). Default: the issuer. */
  readonly audience?: string | undefined
}

/** The content of a token with a valid signature. */
interface Verified {
  readonly token: string
  readonly kid: string
  readonly claims: AccessClaims
  readonly lifetime: Lifetime
}

/**
 * Signs and verifies access tokens as JWTs (RFC 9068) with ES256. Caches tokens with a valid signature. Each
 * verification checks that the key is live and the token has not expired. Fails with `OptionRefused` if the issuer is
 * invalid.
 */
export const layerTokenSigner = (
  options: TokenOptions
): Layer.Layer<TokenSigner | Issuer, OptionRefused, KeyRing | IdGenerator> =>
  Layer.effectContext(
    Effect.gen(function*() {
      const issuerUrl = yield* Effect.fromResult(parseIssuer(options.issuer))
      const issuer: TokenIssuer = { issuer: issuerUrl, audience: options.audience ?? issuerUrl }
      const keys = yield* KeyRing
      const ids = yield* IdGenerator
      /** The verified tokens, by their last characters. The key is short, because V8 hashes the whole text of a key. */
      const verified = new LruCache<string, Verified>(cacheCapacity)

      const verifySignature = Effect.fnUntraced(function*(token: string, { publicKey, record: { kid } }: ImportedKey) {
        const { payload } = yield* Effect.tryPromise({
          try: () => compactVerify(token, publicKey, { algorithms: ["ES256"] }),
          catch: () => new Unauthenticated({ reason: "signature" })
        })
        const { aud: _, exp, iat, iss: __, jti: ___, low_s, nbf, ...claims } = yield* Effect.fromResult(
          readPayload(utf8.decode(payload), issuer)
        )
        if (low_s === true && withLowS(token) !== token) return yield* new Unauthenticated({ reason: "signature" })
        const lifetime: Lifetime = nbf === undefined ? { exp, iat } : { exp, iat, nbf }
        const result: Verified = { token, kid, claims, lifetime }
        verified.set(token.slice(-keyLength), result)
        return result
      })

      const findLiveKey = (kid: string, clock: Clock.Clock) =>
        Effect.flatMapEager(keys.verifying(kid, clock), (key) =>
          Option.isSome(key) ? Effect.succeed(key.value) : Effect.fail(new Unauthenticated({ reason: "signature" })))

      const signer = TokenSigner.of({
        sign: (claims) =>
          Effect.gen(function*() {
            const { privateKey, record: { kid } } = yield* keys.signing
            const iat = Math.floor((yield* Clock.currentTimeMillis) / 1000)
            const token = new SignJWT({ ...claims, low_s: true })
              .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid })
              .setIssuer(issuer.issuer)
              .setAudience(issuer.audience)
              .setIssuedAt(iat)
              .setExpirationTime(iat + accessTokenSeconds)
              .setJti(yield* ids.next)
            return withLowS(
              yield* Effect.promise(() =>
                token.sign(privateKey)
              )
            )
          }),
        verify: (token) =>
          Effect.clockWith((clock) => {
            const judge = ({ claims, lifetime }: Verified) =>
              Effect.fromResult(Result.map(checkLifetime(lifetime, clock.currentTimeMillisUnsafe()), () => claims))
            const cached = verified.get(token.slice(-keyLength))
            if (cached?.token === token) return Effect.flatMapEager(findLiveKey(cached.kid, clock), () => judge(cached))
            const kid = keyIdOf(token)
            if (Option.isNone(kid)) return Effect.fail(new Unauthenticated({ reason: "malformed" }))
            return findLiveKey(kid.value, clock).pipe(
              Effect.flatMap((key) => verifySignature(token, key)),
              Effect.flatMap(judge)
            )
          })
      })
      return Context.add(Context.make(TokenSigner, signer), Issuer, issuerUrl)
    })
  )

/**
 * Signs and verifies access tokens with the keys of the repository. Fails with `OptionRefused` if the issuer is
 * invalid.
 */
export const layerTokens = (
  options: TokenOptions
): Layer.Layer<TokenSigner | Issuer | KeyRing, OptionRefused, SigningKeyRepository | IdGenerator> =>
  Layer.provideMerge(layerTokenSigner(options), Layer.merge(layerKeyRing, layerDomainCopy("@lastro/adapters-http")))
