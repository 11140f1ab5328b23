import { Predicate, Struct } from "effect"
import { type Customer, emptyKyc, type KycValues } from "./KycValues.ts"

/**
 * Stored KYC is suggested only for the same person: the CPF and the birth date must both be equal. Otherwise a caller
 * with a CPF and a guessed birth date would get the name, the mother's name and the address of another person.
 * @rule KYC-12
 */
export const isSamePerson = (
  a: Pick<Customer, "birth_date" | "cpf">,
  b: Pick<Customer, "birth_date" | "cpf">
): boolean => a.cpf === b.cpf && a.birth_date === b.birth_date

/** Returns whether the CPF and the birth date of a KYC are those of the customer. A missing one counts as equal. */
export const isOwnKyc = (customer: Customer, { birth_date, cpf }: KycValues): boolean =>
  isSamePerson(customer, { cpf: cpf ?? customer.cpf, birth_date: birth_date ?? customer.birth_date })

/**
 * Suggested KYC values are those of the application's customer. Missing values come from the newest KYC that was
 * submitted for the same person. Neither disbursement data nor documents are suggested, because they belong to one
 * application.
 * @rule KYC-05
 */
export const prefill = (customer: Customer, known: KycValues = emptyKyc): KycValues => ({
  ...Struct.omit(known, ["documents"]),
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
