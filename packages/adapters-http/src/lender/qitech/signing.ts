import { Option, Result } from "effect"
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto"
import { parse, textAt } from "./json.ts"

/** The claims of QI Tech's tokens. They bind a token to one request. */
export interface RequestClaims {
  /** The MD5 of the bytes of the body, in hexadecimal. */
  readonly payload_md5: string
  /** The time of the request in UTC, for example `2026-11-23T12:00:00.000000Z`. */
  readonly timestamp: string
  readonly method: string
  /** The path and query of the request. */
  readonly uri: string
}

/** Returns the MD5 of bytes in hexadecimal. QI Tech requires MD5. The signature over it is ES512. */
export const md5 = (bytes: Uint8Array): string => createHash("md5").update(bytes).digest("hex")

/** The payload whose hash is signed if a request has no body. */
export const emptyPayload: Uint8Array = new TextEncoder().encode("{}")

/** Formats an instant as in QI Tech's samples, with microseconds. */
export const claimTime = (millis: number): string => new Date(millis).toISOString().replace("Z", "000Z")

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url")

/** Signs the claims of a request as a JWT with ES512 (RFC 7518 §3.4). */
export const signClaims = (key: KeyObject, claims: RequestClaims): string => {
  const content = `${encode({ typ: "JWT", alg: "ES512" })}.${encode(claims)}`
  const signature = sign("sha512", Buffer.from(content), { key, dsaEncoding: "ieee-p1363" })
  return `${content}.${signature.toString("base64url")}`
}

/** Verifies a JWT with ES512 and returns its claims. None if the token or its signature is invalid. */
export const verifyClaims = (key: KeyObject, token: string): Option.Option<RequestClaims> => {
  const [header = "", payload = "", signature = "", ...rest] = token.split(".")
  if (rest.length > 0) return Option.none()
  if (textAt(parse(Buffer.from(header, "base64url").toString()), "alg") !== "ES512") return Option.none()
  const content = Buffer.from(`${header}.${payload}`)
  const signed = verify(
    "sha512",
    content,
    { key, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url")
  )
  if (!signed) return Option.none()
  const claims = parse(Buffer.from(payload, "base64url").toString())
  const payload_md5 = textAt(claims, "payload_md5")
  const timestamp = textAt(claims, "timestamp")
  const method = textAt(claims, "method")
  const uri = textAt(claims, "uri")
  return payload_md5 === null || timestamp === null || method === null || uri === null
    ? Option.none()
    : Option.some({ payload_md5, timestamp, method, uri })
}

const isP521 = (key: KeyObject): boolean =>
  key.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === "secp521r1"

const read = (make: (pem: string) => KeyObject) => (pem: string): Result.Result<KeyObject, void> => {
  try {
    const key = make(pem)
    return isP521(key) ? Result.succeed(key) : Result.fail(undefined)
  } catch {
    return Result.fail(undefined)
  }
}

/** Reads a private key from PEM. Fails if it is not an EC P-521 key. */
export const readPrivateKey = read(createPrivateKey)

/** Reads a public key from PEM. Fails if it is not an EC P-521 key, or if it is a private key. */
export const readPublicKey = (pem: string): Result.Result<KeyObject, void> =>
  pem.includes("PRIVATE KEY") ? Result.fail(undefined) : read(createPublicKey)(pem)
