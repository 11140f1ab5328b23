import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto"

/** A pair of P-521 keys in PEM. */
export interface PemPair {
  readonly privateKey: string
  readonly publicKey: string
}

/** Generates a pair of P-521 keys. */
export const generatePair = (): PemPair =>
  generateKeyPairSync("ec", {
    namedCurve: "P-521",
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" }
  })

/** The claims of a token. */
export interface TokenClaims {
  readonly payload_md5: string
  readonly timestamp: string
  readonly method: string
  readonly uri: string
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value), "utf8").toString("base64url")

/** Makes an ES512 token. */
export const issueToken = (privateKey: string, claims: TokenClaims): string => {
  const signed = `${part({ alg: "ES512", typ: "JWT" })}.${part(claims)}`
  const signature = sign("sha512", Buffer.from(signed), { key: privateKey, dsaEncoding: "ieee-p1363" })
  return `${signed}.${signature.toString("base64url")}`
}

/** Reads an ES512 token. Returns undefined if its header, its signature or its claims are wrong. */
export const readToken = (publicKey: string, token: string): TokenClaims | undefined => {
  const key: KeyObject = createPublicKey(publicKey)
  const [header, payload, signature] = token.split(".")
  if (header === undefined || payload === undefined || signature === undefined) return undefined
  try {
    const { alg, typ } = JSON.parse(Buffer.from(header, "base64url").toString()) as Record<string, unknown>
    if (alg !== "ES512" || typ !== "JWT") return undefined
    const isSigned = verify(
      "sha512",
      Buffer.from(`${header}.${payload}`),
      { key, dsaEncoding: "ieee-p1363" },
      Buffer.from(signature, "base64url")
    )
    return isSigned ? JSON.parse(Buffer.from(payload, "base64url").toString()) as TokenClaims : undefined
  } catch {
    return undefined
  }
}

/** Returns the MD5 in hexadecimal. */
export const md5Of = (bytes: Uint8Array): string => createHash("md5").update(bytes).digest("hex")

/** Formats a time as in a token. */
export const tokenTime = (millis: number): string => new Date(millis).toISOString().replace("Z", "000Z")
