import { type Timestamp, timestampOf } from "@lastro/domain/values"
import { createHash } from "node:crypto"

/** Converts a `timestamptz` value of the driver. */
export const toTimestamp = (at: Date): Timestamp => timestampOf(at.getTime())

/** Converts a nullable `timestamptz` value of the driver. */
export const toNullableTimestamp = (at: Date | null): Timestamp | null => at === null ? null : timestampOf(at.getTime())

/**
 * Computes the SHA-256 of a list of texts. The hashed bytes include the length of each text, so that no two lists have
 * the same bytes.
 */
export const sha256 = (...texts: ReadonlyArray<string>): Uint8Array => {
  const hash = createHash("sha256")
  for (const text of texts) {
    const bytes = Buffer.from(text)
    hash.update(`${bytes.length}:`).update(bytes)
  }
  return hash.digest()
}

/** Returns the value of a JSON column. Returns null for null and undefined. */
export const toJson = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)
