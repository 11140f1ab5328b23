import { Option, Redacted, Result } from "effect"
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto"

/** A key that encrypts the secrets of endpoints, with the id that is stored with each secret. */
export interface SecretsKey {
  readonly id: string
  readonly bytes: Redacted.Redacted<Uint8Array>
}

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/** Makes a key from 32 bytes. Its id is a part of a hash, and reveals nothing about the key. */
export const secretsKeyOf = (bytes: Uint8Array): SecretsKey => ({
  id: createHash("sha256").update("lastro secrets key").update(bytes).digest("hex").slice(0, 12),
  bytes: Redacted.make(bytes)
})

const decodeKey = (text: string): Option.Option<SecretsKey> => {
  const bytes = /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, "base64") : Buffer.alloc(0)
  return bytes.length === keyBytes ? Option.some(secretsKeyOf(bytes)) : Option.none()
}

/**
 * Parses one or more keys of 32 bytes in Base64, separated by commas. The first key encrypts; all keys decrypt. The
 * failure completes a sentence that starts with the name of the setting.
 */
export const parseSecretsKeys = (text: string): Result.Result<ReadonlyArray<SecretsKey>, string> => {
  const keys = text.split(",").map((key) => decodeKey(key.trim()))
  return keys.every(Option.isSome)
    ? Result.succeed(keys.map(({ value }) => value))
    : Result.fail(
      "must be 32 bytes in Base64, or several of them separated by commas. openssl rand -base64 32 makes one"
    )
}

/**
 * The additional authenticated data of each secret. So other data encrypted with the same key is not accepted as a
 * secret.
 */
const associatedData = (id: string): Buffer => Buffer.from(`lastro webhook secret v1 ${id}`)

/** Encrypts a secret with AES-256-GCM (NIST SP 800-38D). The result is `v1.KEY_ID.DATA`. */
export const sealSecret = ({ bytes, id }: SecretsKey, secret: Uint8Array): string => {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv("aes-256-gcm", Redacted.value(bytes), nonce).setAAD(associatedData(id))
  const data = Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()])
  return `v1.${id}.${data.toString("base64url")}`
}

/** Decrypts a secret with the key that encrypted it. None if that key is missing or the text was changed. */
export const openSecret = (keys: ReadonlyArray<SecretsKey>, sealed: string): Option.Option<Uint8Array> => {
  const [version, id = "", text = ""] = sealed.split(".")
  const key = keys.find((key) => key.id === id)
  const data = Buffer.from(text, "base64url")
  if (version !== "v1" || key === undefined || data.length <= nonceBytes + tagBytes) return Option.none()
  const decipher = createDecipheriv("aes-256-gcm", Redacted.value(key.bytes), data.subarray(0, nonceBytes))
    .setAAD(associatedData(id))
    .setAuthTag(data.subarray(-tagBytes))
  try {
    return Option.some(Buffer.concat([decipher.update(data.subarray(nonceBytes, -tagBytes)), decipher.final()]))
  } catch {
    // The data does not belong to this key.
    return Option.none()
  }
}
