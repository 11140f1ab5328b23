import {
  AccountType,
  type Address,
  type BankAccount,
  type Cnpj,
  completeCnpj,
  completeCpf,
  type Cpf,
  type Email,
  parseEmail,
  parsePhone,
  parsePixKey,
  parseText,
  parseZipcode,
  type Phone,
  type Pix,
  type PixKey,
  PixKeyType,
  type TextBounds,
  type Uf,
  ufs,
  type Zipcode
} from "@lastro/domain"
import { Result } from "effect"
import * as fc from "fast-check"

/** What `parse` makes of the generated texts; those it refuses are not generated. */
const readBy = <A, E>(parse: (input: string) => Result.Result<A, E>, inputs: fc.Arbitrary<string>): fc.Arbitrary<A> =>
  inputs.map(parse).filter(Result.isSuccess).map(({ success }) => success)

const charactersOf = (alphabet: string, minLength: number, maxLength = minLength): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength, maxLength })

const digits = "0123456789"
const upperCase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

/** Valid CPFs. */
export const cpf: fc.Arbitrary<Cpf> = charactersOf(digits, 9)
  .filter((nine) => new Set(nine).size > 1)
  .map(completeCpf)

/** Valid CNPJs of digits only, as all are that were given before July 2026. */
export const numericCnpj: fc.Arbitrary<Cnpj> = charactersOf(digits, 12)
  .filter((twelve) => /[1-9]/.test(twelve))
  .map(completeCnpj)

/** Valid CNPJs that hold letters. */
export const alphanumericCnpj: fc.Arbitrary<Cnpj> = charactersOf(digits + upperCase, 12)
  .filter((twelve) => /[A-Z]/.test(twelve))
  .map(completeCnpj)

/** Valid CNPJs, with letters and without. */
export const cnpj: fc.Arbitrary<Cnpj> = fc.oneof(numericCnpj, alphanumericCnpj)

/** Codes of states. */
export const uf: fc.Arbitrary<Uf> = fc.constantFrom(...ufs)

/** Postal codes. */
export const zipcode: fc.Arbitrary<Zipcode> = readBy(parseZipcode, charactersOf(digits, 8))

/** Phone numbers, landlines and mobiles. */
export const phone: fc.Arbitrary<Phone> = readBy(
  parsePhone,
  fc.tuple(charactersOf("123456789", 2), fc.constantFrom("", "9"), charactersOf(digits, 8)).map((parts) =>
    parts.join("")
  )
)

const localParts: fc.Arbitrary<string> = fc.oneof(
  charactersOf("abcdefghijklmnopqrstuvwxyzABCXYZ0123456789", 1, 12),
  charactersOf("abcABC012.+-_'", 1, 20),
  charactersOf("aãÃéçßİıΣ\u0301\u{1f600}", 1, 8)
)
const domains: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom("example.com", "Exemplo.com.br", "a.io", "correio.são-paulo.example"),
  fc.array(charactersOf("abcxyz019-", 1, 10), { minLength: 1, maxLength: 3 }).map((labels) => labels.join("."))
)

/** E-mail addresses, in any letter case; some hold letters outside ASCII. */
export const email: fc.Arbitrary<Email> = readBy(
  parseEmail,
  fc.tuple(localParts, domains).map(([local, domain]) => `${local}@${domain}`)
)

const internationalPhone: fc.Arbitrary<string> = fc.tuple(charactersOf("123456789", 1), charactersOf(digits, 2, 15))
  .map(([first, rest]) => `+${first}${rest}`)

/** Valid PIX keys of one type, in the form the directory knows them by. */
export const pixKey = (type: PixKeyType): fc.Arbitrary<PixKey> => {
  const inputs: Readonly<Record<PixKeyType, fc.Arbitrary<string>>> = {
    CPF: cpf,
    CNPJ: cnpj,
    EMAIL: email,
    PHONE: fc.oneof(phone, internationalPhone),
    EVP: fc.uuid()
  }
  return readBy((input) => parsePixKey(type, input), inputs[type])
}

/** PIX keys of every type. */
export const pix: fc.Arbitrary<Pix> = fc.constantFrom(...PixKeyType.literals)
  .chain((type) => fc.record({ key: pixKey(type), type: fc.constant(type) }))

const bankCheckDigit: fc.Arbitrary<string | null> = fc.option(charactersOf(`${digits}X`, 1))

/** Accounts at banks, with check digits and without. */
export const bankAccount: fc.Arbitrary<BankAccount> = fc.record({
  type: fc.constantFrom(...AccountType.literals),
  agency: charactersOf(digits, 1, 4),
  bank_code: fc.oneof(charactersOf(digits, 3), charactersOf(digits, 8)),
  agency_digit: bankCheckDigit,
  account_number: charactersOf(digits, 1, 20),
  account_digit: bankCheckDigit
})

/**
 * Texts that go wrong where somebody assumes too much: quotes, wildcards and markup, what reads as nothing or as a number,
 * letters whose case changes their length, marks, right-to-left text and characters outside the basic plane.
 */
const naughtySeeds = [
  "' OR 1=1 --",
  "Robert'); DROP TABLE partners;--",
  "100%_\\",
  "\\u0000",
  "<script>alert(1)</script>",
  "{{7*7}} ${7*7}",
  "null",
  "undefined",
  "NaN",
  "__proto__",
  "1e309",
  "-0",
  "00",
  "[object Object]",
  "\"quoted\", and, commas",
  "İstanbul ıIİi",
  "STRASSE straße STRAẞE",
  "ΣΊΣΥΦΟΣ",
  "Å\u212b A\u030a",
  "e\u0301\u0327\u0323",
  "ﬁ ﬃ ǆ",
  "각 \u1100\u1161\u11a8",
  "مرحبا بالعالم",
  "👩👧 👍🏽",
  "\u{1f1e7}\u{1f1f7}",
  "\u{10ffff}\uffff\ue000",
  "𝕁𝕠ã𝕠"
]

const naughtyWithin = (bounds: TextBounds): fc.Arbitrary<string> =>
  readBy(
    parseText(bounds),
    fc.oneof(
      fc.constantFrom(...naughtySeeds),
      fc.string({ unit: fc.constantFrom(...naughtySeeds.flatMap((seed) => Array.from(seed))), ...lengths(bounds) }),
      fc.string({ unit: "binary", ...lengths(bounds) })
    )
  )

const lengths = ({ max, min }: TextBounds) => ({ minLength: min, maxLength: Math.min(max, 24) })

/** Troublesome texts of 2 to 100 code points that every field for a name or a line of an address accepts as they are. */
export const naughtyText: fc.Arbitrary<string> = naughtyWithin({ min: 2, max: 100 })

const givenNames = [
  "Maria",
  "João",
  "Antônia",
  "José",
  "Ângela",
  "Luís Otávio",
  "Conceição",
  "Íris",
  "Éder",
  "Zélia",
  "João Batista",
  "Ñusta",
  "Thaís",
  "Açucena",
  "Jürgen"
]
const surnames = [
  "da Silva",
  "dos Santos",
  "de Souza e Sá",
  "Gonçalves",
  "Araújo",
  "D'Ávila",
  "Müller",
  "Brandão-Leão",
  "Assunção",
  "Nuñez",
  "Sá",
  "Yamaguchi",
  "Pereira Filho",
  "Júnior",
  "Ó"
]

/** Names of people: Brazilian ones most of the time, the others nothing but troublesome. 2 to 120 code points. */
export const personName: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(
      fc.constantFrom(...givenNames),
      fc.array(fc.constantFrom(...surnames), { minLength: 1, maxLength: 3 })
    ).map(([given, family]) => [given, ...family].join(" "))
  },
  { weight: 1, arbitrary: naughtyWithin({ min: 2, max: 120 }) }
)

/** Postal addresses, with complement and district and without. */
export const address: fc.Arbitrary<Address> = fc.record({
  zipcode,
  uf,
  city: fc.oneof(fc.constantFrom("São Paulo", "Mogi das Cruzes", "Santa Bárbara d'Oeste", "Ó"), naughtyText),
  district: fc.option(naughtyText),
  neighborhood: fc.oneof(fc.constantFrom("Bela Vista", "Sé", "Jardim São João"), naughtyText),
  street: fc.oneof(fc.constantFrom("Avenida Paulista", "Rua 1º de Março", "Praça da Sé"), naughtyText),
  number: fc.oneof(charactersOf(digits, 1, 6), fc.constantFrom("S/N", "10-A", "Km 12,5")),
  complement: fc.option(naughtyText)
})
