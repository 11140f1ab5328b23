import { PersonalDataHasher } from "@lastro/domain/audit"
import {
  type AccessClaims,
  issueToken,
  revokeToken,
  TokenRefused,
  TokenSigner,
  Unauthenticated
} from "@lastro/domain/identity"
import { SecretGenerator } from "@lastro/domain/ports"
import { Effect, Option, Redacted, Result } from "effect"
import { timingSafeEqual } from "node:crypto"
import { type RateGate } from "../limits/rateGate.ts"
import { type Exchange } from "../pipeline/Exchange.ts"
import { cookieIn, parseSession, sessionCookie, type SessionTokens } from "../security/sessionCookie.ts"

/** The attributes of every cookie. */
const attributes = (isSecure: boolean): string => `; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`

/** Returns whether browsers reach the pages through TLS. Without TLS, the issuer is on this machine. */
const isSecure = ({ issuer }: ConsoleOrigin): boolean => issuer.startsWith("https:")

/** The origin of the console. */
export interface ConsoleOrigin {
  readonly issuer: string
}

/**
 * The content of the cookie: the tokens of a session, or, before the sign-in, a random text. It is a session cookie of
 * the browser.
 */
type Kept =
  | { readonly _tag: "Session" } & SessionTokens
  | { readonly _tag: "Visitor"; readonly id: string }

const visitorPrefix = "visitor~"

const keptOf = (text: string | undefined): Kept | undefined => {
  if (text === undefined) return undefined
  if (text.startsWith(visitorPrefix)) return { _tag: "Visitor", id: text.slice(visitorPrefix.length) }
  const session = parseSession(text)
  return session === undefined ? undefined : { _tag: "Session", ...session }
}

const keptBy = (exchange: Exchange, origin: ConsoleOrigin): Kept | undefined =>
  keptOf(cookieIn(exchange.request.headers["cookie"], sessionCookie(isSecure(origin))))

const keep = ({ headers }: Exchange, origin: ConsoleOrigin, value: string): void => {
  const secure = isSecure(origin)
  headers["set-cookie"] = `${sessionCookie(secure)}=${value}${attributes(secure)}`
}

/** Deletes the cookie. */
const forget = ({ headers }: Exchange, origin: ConsoleOrigin): void => {
  const secure = isSecure(origin)
  headers["set-cookie"] = `${sessionCookie(secure)}=${attributes(secure)}; Max-Age=0`
}

/** Requests tokens and stores them in the cookie. Takes nothing over from an earlier cookie. */
const startWith = Effect.fnUntraced(function*(
  exchange: Exchange,
  origin: ConsoleOrigin,
  body: Readonly<Record<string, string>>
) {
  const { access_token, refresh_token = "" } = yield* issueToken(body)
  keep(exchange, origin, `${access_token}~${refresh_token}`)
  return yield* Effect.flatMap(TokenSigner, ({ verify }) => verify(access_token))
})

/** Signs a user in. Fails with TokenRefused or TooManyAttempts, like the token operation. */
export const signIn = (exchange: Exchange, origin: ConsoleOrigin, username: string, password: string) =>
  startWith(exchange, origin, { grant_type: "password", username, password })

const signedOut = new Unauthenticated({ reason: "missing" })

/**
 * Returns the claims of the browser's session. Renews an expired access token. Two pages may do this at the same time,
 * because a repeated exchange has the same result. A renewal counts as a token request of the client address, which
 * limits attempts to guess refresh tokens. Fails with Unauthenticated if there is no session.
 */
export const sessionOf = Effect.fnUntraced(function*(exchange: Exchange, origin: ConsoleOrigin, tokenGate: RateGate) {
  const kept = keptBy(exchange, origin)
  if (kept?._tag !== "Session") return yield* signedOut
  const { verify } = yield* TokenSigner
  const verified = yield* Effect.result(verify(kept.access))
  if (Result.isSuccess(verified)) return verified.success
  yield* Effect.fromResult(tokenGate(exchange.client, {}, exchange.clock))
  return yield* Effect.catchIf(
    startWith(exchange, origin, { grant_type: "refresh_token", refresh_token: kept.refresh }),
    (error) => error instanceof TokenRefused,
    () => signedOut
  )
})

/** Ends the session of a browser. None of its tokens stays valid. */
export const signOut = Effect.fnUntraced(function*(exchange: Exchange, origin: ConsoleOrigin) {
  const kept = keptBy(exchange, origin)
  forget(exchange, origin)
  if (kept?._tag === "Session") yield* Effect.ignore(revokeToken({ token: kept.refresh }))
})

/** Returns the text that every form of a session contains. Other sites cannot compute it. */
const formToken = Effect.fnUntraced(function*(id: string) {
  return yield* (yield* PersonalDataHasher).hash(`form of the console for ${id}`)
})

/** Returns the form token of a session. */
export const sessionForm = ({ sid = "", subject }: Pick<AccessClaims, "sid"> & { readonly subject: string }) =>
  formToken(`session ${subject} ${sid}`)

/** Returns the token of the sign-in form. Stores a random text in the cookie if the browser has none. */
export const visitorForm = Effect.fnUntraced(function*(exchange: Exchange, origin: ConsoleOrigin) {
  const kept = keptBy(exchange, origin)
  if (kept?._tag === "Visitor" && kept.id !== "") return yield* formToken(`visitor ${kept.id}`)
  const id = Redacted.value(yield* (yield* SecretGenerator).next)
  keep(exchange, origin, `${visitorPrefix}${id}`)
  return yield* formToken(`visitor ${id}`)
})

/** Returns the token that this browser's sign-in form must contain. None if the browser sent no cookie. */
export const expectedVisitorForm = (exchange: Exchange, origin: ConsoleOrigin) => {
  const kept = keptBy(exchange, origin)
  return kept?._tag === "Visitor"
    ? Effect.asSome(formToken(`visitor ${kept.id}`))
    : Effect.succeed(Option.none<string>())
}

/**
 * Returns whether a page of the console sent a form: the form contains the token, and no request header shows that the
 * page is of another site.
 */
export const isOwnForm = ({ request }: Exchange, sent: string | undefined, expected: string): boolean => {
  const site = request.headers["sec-fetch-site"]
  if (site !== undefined && site !== "same-origin" && site !== "none") return false
  const [one, other] = [Buffer.from(sent ?? ""), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
