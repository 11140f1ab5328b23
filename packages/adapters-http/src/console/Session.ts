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

/** The content of the cookie: the tokens of a session, or, before the sign-in, a random text. */
type Cookie =
  | { readonly _tag: "Session" } & SessionTokens
  | { readonly _tag: "Visitor"; readonly id: string }

const visitorPrefix = "visitor~"

const parseCookie = (text: string | undefined): Cookie | undefined => {
  if (text === undefined) return undefined
  if (text.startsWith(visitorPrefix)) return { _tag: "Visitor", id: text.slice(visitorPrefix.length) }
  const session = parseSession(text)
  return session === undefined ? undefined : { _tag: "Session", ...session }
}

const cookieOf = (exchange: Exchange, origin: ConsoleOrigin): Cookie | undefined =>
  parseCookie(cookieIn(exchange.request.headers["cookie"], sessionCookie(origin.issuer)))

/** Stores a value in the cookie. The browser deletes it when it closes. */
const setCookie = ({ headers }: Exchange, origin: ConsoleOrigin, value: string): void => {
  headers["set-cookie"] = `${sessionCookie(origin.issuer)}=${value}${attributes(isSecure(origin))}`
}

const deleteCookie = ({ headers }: Exchange, origin: ConsoleOrigin): void => {
  headers["set-cookie"] = `${sessionCookie(origin.issuer)}=${attributes(isSecure(origin))}; Max-Age=0`
}

/** Requests tokens and stores them in the cookie. Replaces an earlier cookie. Returns the access token's claims. */
const startWith = Effect.fnUntraced(function*(
  exchange: Exchange,
  origin: ConsoleOrigin,
  body: Readonly<Record<string, string>>
) {
  const { access_token, refresh_token = "" } = yield* issueToken(body)
  setCookie(exchange, origin, `${access_token}~${refresh_token}`)
  return yield* Effect.flatMap(TokenSigner, ({ verify }) => verify(access_token))
})

/** Signs a user in. Fails with TokenRefused or TooManyAttempts, like the token operation. */
export const signIn = (exchange: Exchange, origin: ConsoleOrigin, username: string, password: string) =>
  startWith(exchange, origin, { grant_type: "password", username, password })

const signedOut = new Unauthenticated({ reason: "missing" })

/**
 * Returns the claims of the browser's session. Renews an expired access token. Two pages may renew it at the same time,
 * because a repeated exchange of a refresh token has the same result. A renewal counts as a token request of the client
 * network, which limits attempts to guess refresh tokens. Fails with Unauthenticated if there is no session.
 */
export const sessionOf = Effect.fnUntraced(function*(exchange: Exchange, origin: ConsoleOrigin, tokenGate: RateGate) {
  const cookie = cookieOf(exchange, origin)
  if (cookie?._tag !== "Session") return yield* signedOut
  const { verify } = yield* TokenSigner
  const verified = yield* Effect.result(verify(cookie.access))
  if (Result.isSuccess(verified)) return verified.success
  yield* Effect.fromResult(tokenGate(exchange.client, {}, exchange.clock))
  return yield* Effect.catchIf(
    startWith(exchange, origin, { grant_type: "refresh_token", refresh_token: cookie.refresh }),
    (error) => error instanceof TokenRefused,
    () => signedOut
  )
})

/** Ends the session of a browser. None of its tokens stays valid. */
export const signOut = Effect.fnUntraced(function*(exchange: Exchange, origin: ConsoleOrigin) {
  const cookie = cookieOf(exchange, origin)
  deleteCookie(exchange, origin)
  if (cookie?._tag === "Session") yield* Effect.ignore(revokeToken({ token: cookie.refresh }))
})

/** Returns the token of a form: a text that other sites cannot compute. */
const formToken = Effect.fnUntraced(function*(id: string) {
  return yield* (yield* PersonalDataHasher).hash(`form of the console for ${id}`)
})

/** Returns the token that every form of a session contains. */
export const sessionForm = ({ sid = "", subject }: Pick<AccessClaims, "sid"> & { readonly subject: string }) =>
  formToken(`session ${subject} ${sid}`)

/** Returns the token of the sign-in form. Stores a random text in the cookie if the browser has none. */
export const visitorForm = Effect.fnUntraced(function*(exchange: Exchange, origin: ConsoleOrigin) {
  const cookie = cookieOf(exchange, origin)
  if (cookie?._tag === "Visitor" && cookie.id !== "") return yield* formToken(`visitor ${cookie.id}`)
  const id = Redacted.value(yield* (yield* SecretGenerator).next)
  setCookie(exchange, origin, `${visitorPrefix}${id}`)
  return yield* formToken(`visitor ${id}`)
})

/** Returns the token that this browser's sign-in form must contain. None if the browser has a session or no cookie. */
export const expectedVisitorForm = (exchange: Exchange, origin: ConsoleOrigin) => {
  const cookie = cookieOf(exchange, origin)
  return cookie?._tag === "Visitor"
    ? Effect.asSome(formToken(`visitor ${cookie.id}`))
    : Effect.succeed(Option.none<string>())
}

/**
 * Returns whether a page of the console sent a form: the form contains the token, and no request header shows that the
 * page is of another site.
 */
export const isOwnForm = ({ request }: Exchange, sent: string | undefined, expected: string): boolean => {
  const site = request.headers["sec-fetch-site"]
  if (site !== undefined && site !== "same-origin" && site !== "none") return false
  const [a, b] = [Buffer.from(sent ?? ""), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
