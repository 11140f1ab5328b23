import { Schema } from "effect"
import { field } from "../validation/field.ts"
import { nullWhenAbsent } from "../validation/nullWhenAbsent.ts"
import { text } from "../validation/Text.ts"
import { Uf } from "./Uf.ts"
import { maskZipcode, Zipcode } from "./Zipcode.ts"

/** A postal address in Brazil. `district` and `complement` may be `null`. */
export const Address = Schema.Struct({
  zipcode: Zipcode,
  uf: Uf,
  city: text({ min: 1, max: 100, description: "City", examples: ["São Paulo"] }),
  district: field(
    nullWhenAbsent(text({ min: 1, max: 100, description: "District of the city", examples: ["Centro"] })),
    "District of the city; null if there is none",
    null
  ),
  neighborhood: text({ min: 1, max: 100, description: "Neighborhood (bairro)", examples: ["Bela Vista"] }),
  street: text({ min: 1, max: 200, description: "Street", examples: ["Avenida Paulista"] }),
  number: text({ min: 1, max: 20, description: "Number on the street, as text", examples: ["1578", "S/N"] }),
  complement: field(
    nullWhenAbsent(text({ min: 1, max: 100, description: "Complement", examples: ["Apto 42"] })),
    "Apartment, suite or similar; null if there is none",
    "Conjunto 42"
  )
}).annotate({ identifier: "Address", description: "A postal address in Brazil" })
export type Address = typeof Address.Type

const hidden = "***"

/** A masked address. */
export type MaskedAddress = { readonly [K in keyof Address]: string | Extract<Address[K], null> }

/**
 * A masked address shows the city, the state and the region of the CEP only.
 * @rule DOC-24
 */
export const maskAddress = ({ city, complement, district, uf, zipcode }: Address): MaskedAddress => ({
  zipcode: maskZipcode(zipcode),
  uf,
  city,
  district: district === null ? null : hidden,
  neighborhood: hidden,
  street: hidden,
  number: hidden,
  complement: complement === null ? null : hidden
})
