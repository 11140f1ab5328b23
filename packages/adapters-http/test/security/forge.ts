import { type AccessClaims, accessTokenSeconds } from "@lastro/domain/identity"
import { Clock, Effect } from "effect"
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { issuer } from "../harness.ts"

const base64url = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url")

/** The parts of a forged token before signing. */
export interface Forged {
  readonly header: unknown
  readonly payload: unknown
}

/** Signs with ES256 and any key. */
export const es256 = ({ header, payload }: Forged, key: KeyObject): string => {
  const input = `${base64url(header)}.${base64url(payload)}`
  return `${input}.${sign("sha256", Buffer.from(input), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`
}

/** Joins the parts of a token with an arbitrary signature. */
export const withSignature = ({ header, payload }: Forged, signature: string): string =>
  `${base64url(header)}.${base64url(payload)}.${signature}`

/** Generates an untrusted key pair. */
export const strangerKeys = () => generateKeyPairSync("ec", { namedCurve: "P-256" })

/** The payload that the signer would issue for these claims. */
export const payloadOf = (claims: AccessClaims): Effect.Effect<Record<string, unknown>> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const iat = Math.floor(now / 1000)
    return {
      ...claims,
      iss: issuer.issuer,
      aud: issuer.audience,
      iat,
      exp: iat + accessTokenSeconds,
      jti: "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40"
    }
  })
