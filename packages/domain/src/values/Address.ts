import { type Brand, Result, Schema } from "effect"
import { field, nullWhenAbsent } from "../input/field.ts"
import { problem } from "../input/FieldProblem.ts"
import { textSchema } from "../input/Text.ts"
import { invalidFormat } from "../input/TextFormat.ts"
import { schemaOfParser, type TextParser } from "../input/textParser.ts"

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
 * A UF is the code of one of the 26 states or of the Federal District, in upper or lower case.
 * @rule DOC-14
 */
export const parseUf: TextParser<Uf> = (input) => {
  const trimmed = input.trim()
  const uf = /^[A-Za-z]{2}$/.test(trimmed) ? trimmed.toUpperCase() : ""
  return isUf(uf) ? Result.succeed(uf) : Result.fail(problem("UNKNOWN_VALUE", { allowed: ufs.join(", ") }))
}

/** The schema of a UF. */
export const Uf = /* @__PURE__ */ (() =>
  schemaOfParser<Uf>(parseUf, {
    description: `State or Federal District, one of ${ufs.join(", ")}. Lower case is accepted on input.`,
    examples: ["SP"],
    pattern: String.raw`^\s*[A-Za-z]{2}\s*$`
  }))()

/** A Brazilian postal code (CEP): eight digits. */
export type Zipcode = string & Brand.Brand<"Zipcode">

const shape = /^\d(?:[ .-]*\d){7}$/
const punctuation = /[ .-]/g

/**
 * A CEP has eight digits. `.`, `-` and spaces are dropped. Its existence is not checked.
 * @rule DOC-12
 */
export const parseZipcode: TextParser<Zipcode> = (input) => {
  const trimmed = input.trim()
  return shape.test(trimmed)
    ? Result.succeed(trimmed.replace(punctuation, "") as Zipcode)
    : Result.fail(invalidFormat("8 digits"))
}

/** The schema of a CEP. */
export const Zipcode = /* @__PURE__ */ (() =>
  schemaOfParser<Zipcode>(parseZipcode, {
    description: "CEP: 8 digits. The usual punctuation is accepted on input and dropped.",
    examples: ["01310100"],
    pattern: String.raw`^\s*\d(?:[ .-]*\d){7}\s*$`
  }))()

/** A postal address in Brazil. `district` and `complement` may be `null`. */
export const Address = /* @__PURE__ */ (() =>
  Schema.Struct({
    zipcode: Zipcode,
    uf: Uf,
    city: textSchema({ min: 1, max: 100, description: "City", examples: ["São Paulo"] }),
    district: field(
      nullWhenAbsent(textSchema({ min: 1, max: 100, description: "District of the city", examples: ["Centro"] })),
      "District of the city; null if there is none",
      null
    ),
    neighborhood: textSchema({ min: 1, max: 100, description: "Neighborhood (bairro)", examples: ["Bela Vista"] }),
    street: textSchema({ min: 1, max: 200, description: "Street", examples: ["Avenida Paulista"] }),
    number: textSchema({ min: 1, max: 20, description: "Number on the street, as text", examples: ["1578", "S/N"] }),
    complement: field(
      nullWhenAbsent(textSchema({ min: 1, max: 100, description: "Complement", examples: ["Apto 42"] })),
      "Apartment, suite or similar; null if there is none",
      "Conjunto 42"
    )
  }).annotate({ identifier: "Address", description: "A postal address in Brazil" }))()
export type Address = typeof Address.Type
