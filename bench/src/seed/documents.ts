import { completeCnpj, completeCpf } from "@lastro/domain"
import { type Randomness } from "./Randomness.ts"

/** Spreads serial numbers over eight digits, each number to digits of its own (3^15 has no factor in common with 10^8). */
const eightDigits = (serial: number): string => String(BigInt(serial + 1) * 14_348_907n % 100_000_000n).padStart(8, "0")

/** A CPF of its own for each serial number below 10^8. Its first digit differs from the second: no digit is repeated nine times. */
export const cpfOf = (serial: number): string => {
  const eight = eightDigits(serial)
  return completeCpf(`${(Number(eight[0]) + 1) % 10}${eight}`)
}

/** The CNPJ of a head office, of its own for each serial number below 10^8. */
export const cnpjOf = (serial: number): string => completeCnpj(`${eightDigits(serial)}0001`)

const areas = ["11", "11", "11", "21", "21", "31", "41", "51", "61", "71", "81", "85", "62", "92", "19"]

/** A mobile number. */
export const phoneOf = (random: Randomness): string =>
  `${areas[random.below(areas.length)]}9${String(random.below(100_000_000)).padStart(8, "0")}`
