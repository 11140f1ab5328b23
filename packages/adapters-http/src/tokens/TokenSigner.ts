import { type AccessClaims, accessTokenSeconds, IdGenerator, TokenSigner, Unauthenticated } from "@lastro/domain"
import { Clock, Context, Effect, Layer, Option } from "effect"
import { compactVerify, SignJWT } from "jose"
import { type OptionRefused } from "../options/OptionRefused.ts"
import { parseIssuer } from "../options/parseIssuer.ts"
import { keyIdOf } from "./compactToken.ts"
import { type ImportedKey } from "./importSigningKey.ts"
import { Issuer } from "./Issuer.ts"
import { KeyRing } from "./KeyRing.ts"
import { RecentlyUsed } from "./RecentlyUsed.ts"
import { judgeLifetime, readPayload, type TokenIssuer, type TokenPayload } from "./registeredClaims.ts"

/** Tokens whose signature is remembered to hold. */
const remembered = 10_000

const utf8 = new TextDecoder()

/** Whose tokens are signed, and for whom. */
export interface TokenOptions {
  /** The URL that clients reach the API below (`iss`); a slash at its end is taken off. */
  readonly issuer: string
  /** Who the tokens are meant for (`aud`); the issuer itself unless given. */
  readonly audience?: string | undefined
}

/** What a token says whose signature holds. */
interface Verified extends Pick<TokenPayload, "exp" | "iat"> {
  readonly kid: string
  readonly claims: AccessClaims
}

/**
 * Access tokens as JWTs (RFC 9068), signed with ES256. That a signature holds is remembered; whether its key is still
 * live and the token in its lifetime is judged anew each time. Fails with `OptionRefused` where the issuer cannot be one.
 */
export const layerTokenSigner = (
  options: TokenOptions
): Layer.Layer<TokenSigner | Issuer, OptionRefused, KeyRing | IdGenerator> =>
  Layer.effectContext(
    Effect.gen(function*() {
      const named = yield* Effect.fromResult(parseIssuer(options.issuer))
      const issuer: TokenIssuer = { issuer: named, audience: options.audience ?? named }
      const keys = yield* KeyRing
      const ids = yield* IdGenerator
      const verified = new RecentlyUsed<string, Verified>(remembered)

      const verifyOnce = Effect.fnUntraced(function*(token: string, { publicKey, record: { kid } }: ImportedKey) {
        const { payload } = yield* Effect.tryPromise({
          try: () => compactVerify(token, publicKey, { algorithms: ["ES256"] }),
          catch: () => new Unauthenticated({ reason: "signature" })
        })
        const { aud: _, exp, iat, iss: __, jti: ___, ...claims } = yield* Effect.fromResult(
          readPayload(utf8.decode(payload), issuer)
        )
        const good: Verified = { kid, claims, exp, iat }
        verified.set(token, good)
        return good
      })

      const liveKey = (kid: string) =>
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
          Effect.gen(function*() {
            const known = verified.get(token)
            const kid = known === undefined ? keyIdOf(token) : Option.some(known.kid)
            if (Option.isNone(kid)) return yield* new Unauthenticated({ reason: "malformed" })
            const key = yield* liveKey(kid.value)
            const { claims, ...lifetime } = known ?? (yield* verifyOnce(token, key))
            yield* Effect.fromResult(judgeLifetime(lifetime, yield* Clock.currentTimeMillis))
            return claims
          })
      })
      return Context.add(Context.make(TokenSigner, signer), Issuer, named)
    })
  )
