import { bankAccount, email, personName, phone, pix, problematicText, uf, zipcode } from "@lastro/testkit/arbitraries"
import { Result } from "effect"
import * as fc from "fast-check"
import {
  CivilStatus,
  DisbursementMethod,
  Gender,
  IdentityDocumentType,
  type KycValues
} from "../../src/kyc/KycValues.ts"
import { patchKyc } from "../../src/kyc/patchKyc.ts"
import { type Application } from "../../src/loan/Application.ts"
import { addDays, calendarDate, daysBetween } from "../../src/values/CalendarDate.ts"
import { expectProblems } from "../input/problems.ts"
import { completeKyc, customer, newApplication } from "../loan/examples.ts"

/** The current date of the examples. */
export const today = calendarDate("2026-01-31")

const line = problematicText.filter((text) => Array.from(text).length <= 30)

const maybe = <A>(values: fc.Arbitrary<A>): fc.Arbitrary<A | null> => fc.option(values, { freq: 6 })

/** A group with at least one value, or null. */
const group = <G extends object>(fields: { readonly [K in keyof G]: fc.Arbitrary<G[K]> }): fc.Arbitrary<G | null> =>
  maybe(fc.record<G>(fields).filter((values) => Object.values(values).some((value) => value !== null)))

const issued_at = fc.nat({ max: daysBetween(customer.birth_date, today) }).map((day) =>
  addDays(customer.birth_date, day)
)

/** A PIX key the customer may have. A key of type CPF is their own. */
const ownPix = pix.map((key) => key.type === "CPF" ? { ...key, key: customer.cpf } : key)

/** Complete and partial KYC values of the example's customer, in canonical form. */
export const kycValues: fc.Arbitrary<KycValues> = fc.record<KycValues>({
  name: maybe(personName),
  cpf: maybe(fc.constant(customer.cpf)),
  birth_date: maybe(fc.constant(customer.birth_date)),
  gender: maybe(fc.constantFrom(...Gender.literals)),
  civil_status: maybe(fc.constantFrom(...CivilStatus.literals)),
  mother_name: maybe(personName),
  nationality: maybe(line),
  document: group({
    type: maybe(fc.constantFrom(...IdentityDocumentType.literals)),
    number: maybe(line),
    issuer: maybe(line),
    uf: maybe(uf),
    issued_at: maybe(issued_at)
  }),
  email: maybe(email),
  phone: maybe(phone),
  is_pep: maybe(fc.boolean()),
  address: group({
    zipcode: maybe(zipcode),
    uf: maybe(uf),
    city: maybe(problematicText),
    neighborhood: maybe(problematicText),
    street: maybe(problematicText),
    number: maybe(fc.constantFrom("1", "S/N", "10-A")),
    complement: maybe(problematicText)
  }),
  disbursement_method: maybe(fc.constantFrom(...DisbursementMethod.literals)),
  pix: fc.oneof(
    { weight: 4, arbitrary: maybe(ownPix) },
    { weight: 1, arbitrary: ownPix.map(({ type }) => ({ type, key: null })) },
    { weight: 1, arbitrary: ownPix.map(({ key }) => ({ type: null, key })) }
  ),
  bank: maybe(bankAccount.map(({ type, ...account }) => ({ ...account, account_type: type })))
})

/** The example's application with a stored KYC. It has no name of the customer, so that any name can be submitted (KYC-17). */
export const withKyc = (kyc: KycValues | null): Application => {
  const application = newApplication()
  return { ...application, customer: { ...application.customer, name: null }, kyc }
}

/** The KYC after a body is submitted. */
export const submitBody = (body: unknown, stored: KycValues | null = completeKyc): KycValues =>
  Result.getOrThrow(patchKyc(withKyc(stored), body, today))

/** Asserts the problems of a submitted body. */
export const checkProblems = (
  body: unknown,
  expected: Parameters<typeof expectProblems>[1],
  stored: KycValues | null = completeKyc
): void => expectProblems(patchKyc(withKyc(stored), body, today), expected)
