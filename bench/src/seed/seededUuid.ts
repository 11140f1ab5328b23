import { type Randomness } from "./Randomness.ts"

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0")

/** A UUID of version 7: `at`, milliseconds since 1970, and 74 bits of the stream. */
export const seededUuid = (at: number, random: Randomness): string => {
  const time = hex(at, 12)
  const variant = (8 + random.below(4)).toString(16)
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${hex(random.below(0x1000), 3)}`,
    variant + hex(random.below(0x1000), 3),
    hex(random.below(0x1_0000_0000), 8) + hex(random.below(0x1_0000), 4)
  ].join("-")
}
