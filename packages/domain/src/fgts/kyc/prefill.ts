import { Predicate } from "effect"
import { type Customer } from "./Customer.ts"
import { emptyKyc, type KycValues } from "./KycValues.ts"

/**
 * Suggested KYC values come from the customer data of the application. Values that the customer data lacks come from the newest KYC
 * submitted for the same person. Disbursement data is never suggested.
 * @rule KYC-05
 */
export const prefill = (customer: Customer, known: KycValues = emptyKyc): KycValues => ({
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

/** Lists the paths of all fields that have a value, for example `name` or `address.uf`. */
export const submittedFields = (values: KycValues): ReadonlyArray<string> =>
  Object.entries(values).flatMap(([name, value]) => {
    if (value === null) return []
    return Predicate.isReadonlyObject(value)
      ? Object.entries(value).flatMap(([field, inner]) => inner === null ? [] : [`${name}.${field}`])
      : [name]
  })
