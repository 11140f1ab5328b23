import { Result } from "effect"
import { problem } from "../validation/FieldProblem.ts"
import { parsed, type Parser } from "../validation/parsed.ts"

/** The codes of the 26 states and the Federal District. */
export const ufs = [
  "AC",
  "AL",
  "AM",
  "AP",
  "BA",
  "CE",
  "DF",
  "ES",
  "GO",
  "MA",
  "MG",
  "MS",
  "MT",
  "PA",
  "PB",
  "PE",
  "PI",
  "PR",
  "RJ",
  "RN",
  "RO",
  "RR",
  "RS",
  "SC",
  "SE",
  "SP",
  "TO"
] as const

/** The code of a Brazilian state or of the Federal District. */
export type Uf = typeof ufs[number]

const isUf = (text: string): text is Uf => (ufs as ReadonlyArray<string>).includes(text)

/**
 * A UF is one of the 27 codes, in any letter case.
 * @rule DOC-14
 */
export const parseUf: Parser<Uf> = (input) => {
  const trimmed = input.trim()
  const uf = /^[A-Za-z]{2}$/.test(trimmed) ? trimmed.toUpperCase() : ""
  return isUf(uf) ? Result.succeed(uf) : Result.fail(problem("UNKNOWN_VALUE", { allowed: ufs.join(", ") }))
}

/** The schema of a UF. */
export const Uf = parsed<Uf>(parseUf, {
  description: `State or Federal District, one of ${ufs.join(", ")}. Lower case is accepted on input.`,
  examples: ["SP"],
  pattern: String.raw`^\s*[A-Za-z]{2}\s*$`
})
