import {
  CivilStatus,
  type Customer,
  Education,
  emptyKyc,
  Gender,
  IdentityDocumentType,
  KycDocumentKind,
  kycGroups,
  type KycValues
} from "@lastro/domain/kyc"
import { AccountType, addDays, type CalendarDate, calendarDate, daysBetween } from "@lastro/domain/values"
import { Struct } from "effect"
import * as fc from "fast-check"
import { cpf, email, personName, phone, pix, problematicText, uf, zipcode } from "./documents.ts"

/** Birth dates of borrowers: 18 to 100 years ago, including leap days. */
export const birthDate: fc.Arbitrary<CalendarDate> = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: 29_900 }).map((days) => addDays(calendarDate("1926-01-01"), days)) },
  { weight: 1, arbitrary: fc.constantFrom("1980-02-29", "2000-01-01", "1999-12-31").map(calendarDate) }
)

/** Customers. Some have no data except a CPF and a birth date. */
export const customer: fc.Arbitrary<Customer> = fc.record({
  cpf,
  birth_date: birthDate,
  name: fc.option(personName.map((name) => name as NonNullable<Customer["name"]>)),
  email: fc.option(email),
  phone: fc.option(phone)
})

const hasTwoCodePoints = (text: string): boolean => Array.from(text).length >= 2

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789"), minLength, maxLength })

const checkDigit = fc.option(fc.constantFrom(..."0123456789X"))

/** The latest issue date of an identity document. */
const lastIssue = calendarDate("2026-01-01")

const identityDocument = ({ birth_date }: Customer) =>
  fc.record({
    type: fc.constantFrom(...IdentityDocumentType.literals),
    number: fc.oneof(digits(1, 14), fc.constantFrom("12.345.678-X", "MG-12.345.678")),
    issuer: fc.oneof(
      fc.constantFrom("SSP", "DETRAN", "Polícia Federal"),
      problematicText.filter((text) => Array.from(text).length <= 30)
    ),
    uf,
    issued_at: fc.nat({ max: daysBetween(birth_date, lastIssue) }).map((days) => addDays(birth_date, days))
  })

const home = fc.record({
  zipcode,
  uf,
  city: fc.oneof(fc.constantFrom("São Paulo", "Santa Bárbara d'Oeste"), problematicText),
  neighborhood: fc.oneof(fc.constantFrom("Bela Vista", "Sé"), problematicText),
  street: fc.oneof(fc.constantFrom("Avenida Paulista", "Praça da Sé"), problematicText),
  number: fc.oneof(digits(1, 6), fc.constantFrom("S/N", "10-A")),
  complement: fc.option(problematicText)
})

const bank = fc.record({
  bank_code: fc.oneof(digits(3, 3), digits(8, 8)),
  account_type: fc.constantFrom(...AccountType.literals),
  agency: digits(1, 4),
  agency_digit: checkDigit,
  account_number: digits(1, 20),
  account_digit: checkDigit
})

/** PIX keys of a customer. A key of the type CPF is the customer's own CPF. */
const ownKey = ({ cpf }: Customer) =>
  fc.oneof(fc.constant({ type: "CPF" as const, key: cpf as string }), pix.filter(({ type }) => type !== "CPF"))

/** Complete KYCs of a customer, disbursed by PIX or bank transfer. Some contain a PIX key and a bank account. */
export const completeKyc = (customer: Customer): fc.Arbitrary<KycValues> =>
  fc.record({
    name: customer.name === null ? personName : fc.constant(customer.name),
    cpf: fc.constant(customer.cpf),
    birth_date: fc.constant(customer.birth_date),
    gender: fc.constantFrom(...Gender.literals),
    civil_status: fc.constantFrom(...CivilStatus.literals),
    mother_name: personName,
    nationality: fc.oneof(fc.constantFrom("Brasileira", "Portuguesa"), problematicText),
    document: identityDocument(customer),
    email,
    phone,
    is_pep: fc.boolean(),
    address: home
  }).chain((person) =>
    fc.oneof(
      fc.record({
        disbursement_method: fc.constant("PIX" as const),
        pix: ownKey(customer),
        bank: fc.option(bank, { freq: 2 })
      }),
      fc.record({
        disbursement_method: fc.constant("BANK_TRANSFER" as const),
        pix: fc.option(ownKey(customer), { freq: 2 }),
        bank
      })
    ).map((paid) => ({ ...person, ...paid }) as KycValues)
  )

// Not `fc.webUrl`, which fills a map of a million characters.
const link = fc.tuple(
  fc.constantFrom(
    "https://files.example",
    "http://localhost:8080",
    "s3://bucket",
    "https://xn--exmplo-gua.example:8443"
  ),
  fc.string({ unit: fc.constantFrom(..."aZ09-._~/?&=#:@!$'()*+,;", "%20", "%C3%A9"), maxLength: 40 })
).map(([origin, path]) => `${origin}/${path}`)

/** Values of all additional fields that a lender can require, in canonical form. */
export const lenderKycFields = fc.record({
  profession: fc.oneof(fc.constantFrom("Professora", "Médico", "Do lar"), problematicText.filter(hasTwoCodePoints)),
  monthly_income: fc.nat({ max: 10_000_000 }).map((amount) => amount / 100),
  education: fc.constantFrom(...Education.literals),
  spouse_name: personName.map((name) => name as NonNullable<KycValues["spouse_name"]>),
  documents: fc.array(
    fc.record({
      kind: fc.constantFrom(...KycDocumentKind.literals),
      reference: fc.oneof(link, problematicText),
      sha256: fc.option(fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 64, maxLength: 64 }))
    }),
    { minLength: 1, maxLength: 4 }
  )
}) satisfies fc.Arbitrary<Partial<KycValues>>

const pick = <A extends object>(values: A, kept: ReadonlySet<string>, path: string): A =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, kept.has(`${path}${name}`) ? value : null])
  ) as A

/** KYCs of a customer with any subset of fields, including none. */
export const partialKyc = (customer: Customer): fc.Arbitrary<KycValues> =>
  completeKyc(customer).chain((kyc) => fc.subarray(pathsOf(kyc)).map((kept) => onlyOf(kyc, new Set(kept))))

const groups = Struct.keys(kycGroups)
const isGroup = (name: string): name is typeof groups[number] => groups.some((group) => group === name)

const pathsOf = (kyc: KycValues): Array<string> =>
  Object.entries(kyc).flatMap(([name, value]) =>
    isGroup(name) ? Object.keys(value ?? {}).map((field) => `${name}.${field}`) : [name]
  )

const onlyOf = (kyc: KycValues, kept: ReadonlySet<string>): KycValues => {
  const remainingGroups = groups.map((name) => {
    const values = kyc[name]
    const isPresent = values !== null && Object.keys(values).some((field) => kept.has(`${name}.${field}`))
    return [name, isPresent ? pick(values, kept, `${name}.`) : null] as const
  })
  return { ...emptyKyc, ...pick(kyc, kept, ""), ...Object.fromEntries(remainingGroups) }
}

/** KYCs of a customer, mostly complete. */
export const kyc = (customer: Customer): fc.Arbitrary<KycValues> =>
  fc.oneof({ weight: 3, arbitrary: completeKyc(customer) }, { weight: 1, arbitrary: partialKyc(customer) })

/** Builds the request body that submits a KYC, without its null fields. */
export const kycBody = (kyc: KycValues): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(kyc).filter(([, value]) => value !== null))
