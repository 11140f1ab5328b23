import { layerDomainCopy } from "@lastro/domain/hierarchy"
import {
  type AccessClaims,
  accessTokenSeconds,
  type SigningKeyRepository,
  TokenSigner,
  Unauthenticated
} from "@lastro/domain/identity"
import { IdGenerator } from "@lastro/domain/ports"
import { LruCache } from "@lastro/domain/values"
import { Clock, Context, Effect, Layer, Option, Result } from "effect"
import { compactVerify, SignJWT } from "jose"
import { type OptionRefused, parseIssuer } from "../options/parseIssuer.ts"
import { keyIdOf } from "./compactToken.ts"
import { KeyRing, layerKeyRing } from "./KeyRing.ts"
import { checkLifetime, type Lifetime, readPayload, type TokenIssuer } from "./registeredClaims.ts"
import { type ImportedKey } from "./signingKeys.ts"

/** Maximum number of verified tokens in the cache. */
const cacheCapacity = 10_000

const utf8 = new TextDecoder()

/** The issuer of access tokens, as `parseIssuer` normalizes it. The API must be served at this URL. */
export class Issuer extends Context.Service<Issuer, string>()("@lastro/adapters-http/tokens/TokenSigner/Issuer") {}

/** Options of access tokens. */
export interface TokenOptions {
  /** The base URL of the API (`iss`). A trailing slash is removed. */
  readonly issuer: string
  /** The audience (`aud`). Default: the issuer. */
  readonly audience?: string | undefined
}

/** The content of a token with a valid signature. */
interface Verified {
  readonly kid: string
  readonly claims: AccessClaims
  readonly lifetime: Lifetime
}

/**
 * Signs and verifies access tokens as JWTs (RFC 9068) with ES256. Caches tokens whose signature is valid. Each
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
      const verified = new LruCache<string, Verified>(cacheCapacity)

      const verifySignature = Effect.fnUntraced(function*(token: string, { publicKey, record: { kid } }: ImportedKey) {
        const { payload } = yield* Effect.tryPromise({
          try: () => compactVerify(token, publicKey, { algorithms: ["ES256"] }),
          catch: () => new Unauthenticated({ reason: "signature" })
        })
        const { aud: _, exp, iat, iss: __, jti: ___, nbf, ...claims } = yield* Effect.fromResult(
          readPayload(utf8.decode(payload), issuer)
        )
        const lifetime: Lifetime = nbf === undefined ? { exp, iat } : { exp, iat, nbf }
        const result: Verified = { kid, claims, lifetime }
        verified.set(token, result)
        return result
      })

      const findLiveKey = (kid: string) =>
        Effect.flatMap(keys.verifying(kid), (key) =>
          Option.isSome(key) ? Effect.succeed(key.value) : Effect.fail(new Unauthenticated({ reason: "signature" })))

      const signer = TokenSigner.of({
        sign: (claims) =>
          Effect.gen(function*() {
            const { privateKey, record: { kid } } = yield* keys.signing
            const iat = Math.floor((yield* Clock.currentTimeMillis) / 1000)
            const token = new SignJWT({ ...claims })
              .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid })
              .setIssuer(issuer.issuer)
              .setAudience(issuer.audience)
              .setIssuedAt(iat)
              .setExpirationTime(iat + accessTokenSeconds)
              .setJti(yield* ids.next)
            return yield* Effect.promise(() =>
              token.sign(privateKey)
            )
          }),
        verify: (token) =>
          Effect.clockWith((clock) => {
            const judge = ({ claims, lifetime }: Verified) =>
              Effect.fromResult(Result.map(checkLifetime(lifetime, clock.currentTimeMillisUnsafe()), () => claims))
            const cached = verified.get(token)
            if (cached !== undefined) return Effect.flatMap(findLiveKey(cached.kid), () => judge(cached))
            const kid = keyIdOf(token)
            if (Option.isNone(kid)) return Effect.fail(new Unauthenticated({ reason: "malformed" }))
            return findLiveKey(kid.value).pipe(
              Effect.flatMap((key) => verifySignature(token, key)),
              Effect.flatMap(judge)
            )
          })
      })
      return Context.add(Context.make(TokenSigner, signer), Issuer, issuerUrl)
    })
  )

/**
 * Signs and verifies access tokens with the keys of the repository. Fails with `OptionRefused` if the issuer is invalid.
 */
export const layerTokens = (
  options: TokenOptions
): Layer.Layer<TokenSigner | Issuer | KeyRing, OptionRefused, SigningKeyRepository | IdGenerator> =>
  Layer.provideMerge(layerTokenSigner(options), Layer.merge(layerKeyRing, layerDomainCopy("@lastro/adapters-http")))
