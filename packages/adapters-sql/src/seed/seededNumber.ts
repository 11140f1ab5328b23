import { type ProposalNumber, proposalNumber } from "@lastro/domain"
import { Redacted } from "effect"
import { mixedBits } from "./mixedBits.ts"
import { textHash } from "./textHash.ts"

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef"

/** The number that people call the proposal `serial`, below 2^32, by. No two of a seed are the same. */
export const seededNumber = (seed: number, serial: number): ProposalNumber => {
  const unique = mixedBits(serial ^ textHash(`${seed}/proposal numbers`))
  // Fifty bits, as many as a number has.
  const bits = (mixedBits(unique ^ 0x9e3779b9) & 0x3ffff) * 2 ** 32 + unique
  const text = Array.from({ length: 10 }, (_, index) => letters.charAt(Math.floor(bits / 32 ** index) % 32)).join("")
  return proposalNumber(Redacted.make(text))
}
