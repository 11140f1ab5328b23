import { Predicate } from "effect"
import { type Customer } from "./Customer.ts"
import { type KycValues, noKyc } from "./KycValues.ts"

/**
 * A KYC is suggested from the newest one known of the same person and, before it, from what the application itself says of the
 * customer; where to pay is never suggested.
 * @rule KYC-05
 */
export const prefill = (customer: Customer, known: KycValues = noKyc): KycValues => ({
  ...known,
  cpf: customer.cpf,
  birth_date: customer.birth_date,
  name: customer.name ?? known.name,
  email: customer.email ?? known.email,
  phone: customer.phone ?? known.phone,
  disbursement_method: null,
  pix: null,
  bank: null
})

/** The paths of the fields that were told, groups field by field: `name`, `address.uf`. */
export const toldFields = (values: KycValues): ReadonlyArray<string> =>
  Object.entries(values).flatMap(([name, value]) => {
    if (value === null) return []
    return Predicate.isReadonlyObject(value)
      ? Object.entries(value).flatMap(([field, inner]) => inner === null ? [] : [`${name}.${field}`])
      : [name]
  })
