import { mixedBits } from "./mixedBits.ts"
import { textHash } from "./textHash.ts"

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0")

/** Makes the id of the record `serial`, below 2^32, that came to be at `at`, milliseconds since 1970. */
export type SeededIds = (serial: number, at: number) => string

/**
 * The ids of one kind of record: UUIDs of version 7 that look random but follow from the seed and the record's serial
 * number, so that another record can name it without keeping it. No two of a kind are the same.
 */
export const seededIds = (seed: number, name: string): SeededIds => {
  const salt = textHash(`${seed}/${name} ids`)
  return (serial, at) => {
    const last = mixedBits(serial ^ salt)
    const middle = mixedBits(last ^ 0x9e3779b9)
    const first = mixedBits(middle ^ 0x7f4a7c15)
    const time = hex(at, 12)
    return [
      time.slice(0, 8),
      time.slice(8),
      `7${hex(first >>> 20, 3)}`,
      (8 + (first & 3)).toString(16) + hex((first >>> 4) & 0xfff, 3),
      hex(middle >>> 16, 4) + hex(last, 8)
    ].join("-")
  }
}
