import { basePathOf } from "./parseIssuer.ts"

/**
 * Returns the name of the console's session cookie. The prefix `__Host-` binds a cookie to one origin and to TLS. The
 * name contains the path of the issuer, so that several consoles on one origin have separate sessions. Characters that a
 * name must not contain are replaced.
 */
export const sessionCookie = (issuer: string): string =>
  `${issuer.startsWith("https:") ? "__Host-" : ""}lastro${basePathOf(issuer).replaceAll(/[^\w.~-]/g, "|")}`

/** Returns the value of a cookie in a `Cookie` header. */
export const cookieIn = (header: string | undefined, name: string): string | undefined =>
  header?.slice(0, 16_384).split(";").map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1)

/** The two tokens in the cookie of a session. */
export interface SessionTokens {
  readonly access: string
  readonly refresh: string
}

/** Parses the value of a session cookie. Returns undefined if it does not have two parts. */
export const parseSession = (value: string | undefined): SessionTokens | undefined => {
  const [access = "", refresh = ""] = value?.split("~") ?? []
  return access !== "" && refresh !== "" ? { access, refresh } : undefined
}

/**
 * Returns the access token of the session in a cookie, as an `Authorization` header, so that admission counts a user's
 * pages like requests of the API.
 */
export const bearerOfSession = (cookies: string | undefined, cookie: string): string | undefined => {
  const session = parseSession(cookieIn(cookies, cookie))
  return session === undefined ? undefined : `Bearer ${session.access}`
}
