import { createLocalJWKSet, jwtVerify } from "jose"
import { Lru } from "./Lru.ts"
import { invalidToken, missingToken } from "./Refusal.ts"
import { config } from "./setUp.ts"

/** The content of a verified token. */
export interface Token {
  readonly kind: "user" | "client"
  readonly subject: string
  /**
   * The partner whose subtree the caller can access. Each statement compares it with the stored partner of the caller.
   */
  readonly partner_id: string
  readonly credentials_version: number
  readonly scope: ReadonlySet<string>
  /** The time at which the token expires, in milliseconds since 1970. Includes the tolerance for clock skew. */
  readonly expires: number
}

const clockSkewSeconds = 60

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Returns whether a text is a UUID, in any letter case. */
export const isUuid = (text: string): boolean => uuid.test(text)

const keys = createLocalJWKSet(config.keys)
// The same capacity as in Lastro.
const verified = new Lru<Token>(10_000)

const verify = async (text: string): Promise<Token> => {
  const { payload } = await jwtVerify(text, keys, {
    algorithms: ["ES256"],
    typ: "at+jwt",
    issuer: config.issuer,
    audience: config.issuer,
    clockTolerance: clockSkewSeconds
  }).catch(() => {
    throw invalidToken()
  })
  const kind = payload["client_id"] === "lastro" ? "user" : "client"
  const subject = payload.sub ?? ""
  if (kind === "user" ? !isUuid(subject) : payload["client_id"] !== subject) throw invalidToken()
  const token: Token = {
    kind,
    subject,
    partner_id: String(payload["partner_snapshot_uuid"]),
    credentials_version: Number(payload["credentials_version"]),
    scope: new Set(String(payload["scope"]).split(" ")),
    expires: ((payload.exp ?? 0) + clockSkewSeconds) * 1_000
  }
  verified.set(text, token)
  return token
}

/** Returns the token of an `Authorization` header. Verifies the signature of each token once. */
export const tokenOf = (authorization: string | undefined): Token | Promise<Token> => {
  if (authorization === undefined || authorization.slice(0, 7).toLowerCase() !== "bearer ") throw missingToken()
  const text = authorization.slice(7).trim()
  const known = verified.get(text)
  if (known === undefined) return verify(text)
  if (known.expires <= Date.now()) throw invalidToken()
  return known
}
