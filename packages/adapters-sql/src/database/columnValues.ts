import { type Timestamp, timestampOf } from "@lastro/domain/values"
import { createHash } from "node:crypto"

export const toTimestamp = (at: Date): Timestamp => timestampOf(at.getTime())

export const toNullableTimestamp = (at: Date | null): Timestamp | null => at === null ? null : timestampOf(at.getTime())

/**
 * Computes the SHA-256 of a list of texts. The length of each text is hashed, too, so different lists never have the
 * same input.
 */
export const sha256 = (...texts: ReadonlyArray<string>): Uint8Array => {
  const hash = createHash("sha256")
  for (const text of texts) {
    const bytes = Buffer.from(text)
    hash.update(`${bytes.length}:`).update(bytes)
  }
  return hash.digest()
}

/** Encodes the value of a JSON column. Null and undefined become null. */
export const toJson = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)
