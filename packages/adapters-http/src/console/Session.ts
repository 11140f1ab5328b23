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

/** Returns whether the pages are served by TLS. Without it, the issuer is on this machine. */
const isSecure = ({ issuer }: ConsoleOrigin): boolean => issuer.startsWith("https:")

/** The origin of the console. */
export interface ConsoleOrigin {
  /** The base URL of the API. */
  readonly issuer: string
}

/**
 * The content of the cookie: the tokens of a session, or, before a user has signed in, a random text. The browser
 * deletes the cookie when it ends.
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

/** Removes the cookie. */
const forget = ({ headers }: Exchange, origin: ConsoleOrigin): void => {
  const secure = isSecure(origin)
  headers["set-cookie"] = `${sessionCookie(secure)}=${attributes(secure)}; Max-Age=0`
}

/** Requests tokens and keeps them in the cookie. A new session never takes over anything from an earlier cookie. */
const startWith = Effect.fnUntraced(function*(
  exchange: Exchange,
  origin: ConsoleOrigin,
  body: Readonly<Record<string, string>>
) {
  const { access_token, refresh_token = "" } = yield* issueToken(body)
  keep(exchange, origin, `${access_token}~${refresh_token}`)
  return yield* Effect.flatMap(TokenSigner, ({ verify }) => verify(access_token))
})

/** Signs a user in. Fails with TokenRefused, or with TooManyAttempts, as the token operation does. */
export const signIn = (exchange: Exchange, origin: ConsoleOrigin, username: string, password: string) =>
  startWith(exchange, origin, { grant_type: "password", username, password })

const signedOut = new Unauthenticated({ reason: "missing" })

/**
 * Returns the claims of the session of a browser. An access token that has expired is renewed. Two pages may do this at
 * the same time, because a repeated exchange has the same result. A renewal counts as a token request of the client address,
 * so that a browser cannot try refresh tokens without a limit. Fails with Unauthenticated if there is no session.
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

/** Ends the session of a browser: no token of it can be used again. */
export const signOut = Effect.fnUntraced(function*(exchange: Exchange, origin: ConsoleOrigin) {
  const kept = keptBy(exchange, origin)
  forget(exchange, origin)
  if (kept?._tag === "Session") yield* Effect.ignore(revokeToken({ token: kept.refresh }))
})

/** Returns the text that a form of a session contains, which no other site can know. */
const formToken = Effect.fnUntraced(function*(id: string) {
  return yield* (yield* PersonalDataHasher).hash(`form of the console for ${id}`)
})

/** Returns the token of the forms of a session. */
export const sessionForm = ({ sid = "", subject }: Pick<AccessClaims, "sid"> & { readonly subject: string }) =>
  formToken(`session ${subject} ${sid}`)

/** Returns the token of the sign-in form. Keeps a random text in the cookie of a browser that has none. */
export const visitorForm = Effect.fnUntraced(function*(exchange: Exchange, origin: ConsoleOrigin) {
  const kept = keptBy(exchange, origin)
  if (kept?._tag === "Visitor" && kept.id !== "") return yield* formToken(`visitor ${kept.id}`)
  const id = Redacted.value(yield* (yield* SecretGenerator).next)
  keep(exchange, origin, `${visitorPrefix}${id}`)
  return yield* formToken(`visitor ${id}`)
})

/** Returns the token that the sign-in form of this browser must contain; none if it has no cookie. */
export const expectedVisitorForm = (exchange: Exchange, origin: ConsoleOrigin) => {
  const kept = keptBy(exchange, origin)
  return kept?._tag === "Visitor"
    ? Effect.asSome(formToken(`visitor ${kept.id}`))
    : Effect.succeed(Option.none<string>())
}

/**
 * Returns whether a form was sent by a page of the console: it contains the token, and the browser does not say that the
 * page is of another site.
 */
export const isOwnForm = ({ request }: Exchange, sent: string | undefined, expected: string): boolean => {
  const site = request.headers["sec-fetch-site"]
  if (site !== undefined && site !== "same-origin" && site !== "none") return false
  const [one, other] = [Buffer.from(sent ?? ""), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
