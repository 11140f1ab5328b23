import { completeCnpj, completeCpf, type Cpf } from "@lastro/domain"

/** How many records of one kind there may be: each has documents of its own. */
export const mostSeeded = 10_000_000

/** Whose CPF it is: people of different kinds never share one. A customer has eight to choose from. */
const firstSerial = { partner: 0, user: mostSeeded, customer: 2 * mostSeeded }

/** Spreads serial numbers over eight digits, each number to digits of its own (3^15 has no factor in common with 10^8). */
const eightDigits = (serial: number): string => String((serial + 1) * 14_348_907 % 100_000_000).padStart(8, "0")

/** A CPF of its own for each person. Its first digit differs from the second: no digit is repeated nine times. */
export const cpfOf = (kind: keyof typeof firstSerial, serial: number): Cpf => {
  const eight = eightDigits(firstSerial[kind] + serial)
  return completeCpf(`${(Number(eight[0]) + 1) % 10}${eight}`)
}

/** The CNPJ of a head office, of its own for each partner. */
export const cnpjOf = (serial: number): string => completeCnpj(`${eightDigits(serial)}0001`)
