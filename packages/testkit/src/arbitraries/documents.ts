import { parseText, type TextBounds } from "@lastro/domain/input"
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
  parseName,
  parsePhone,
  parsePixKey,
  parseZipcode,
  type Phone,
  type Pix,
  type PixKey,
  PixKeyType,
  type Uf,
  ufs,
  type Zipcode
} from "@lastro/domain/values"
import { Result } from "effect"
import * as fc from "fast-check"
import { codePoint } from "./paging.ts"

/** Parses generated texts, and discards those that `parse` rejects. */
const parsedBy = <A, E>(parse: (input: string) => Result.Result<A, E>, inputs: fc.Arbitrary<string>): fc.Arbitrary<A> =>
  inputs.map(parse).filter(Result.isSuccess).map(({ success }) => success)

const charactersOf = (alphabet: string, minLength: number, maxLength = minLength): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength, maxLength })

const digits = "0123456789"
const upperCase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

/** Valid CPFs. */
export const cpf: fc.Arbitrary<Cpf> = charactersOf(digits, 9)
  .filter((nine) => new Set(nine).size > 1)
  .map(completeCpf)

/** Valid CNPJs of digits only, the format of all CNPJs assigned before July 2026. */
export const numericCnpj: fc.Arbitrary<Cnpj> = charactersOf(digits, 12)
  .filter((twelve) => /[1-9]/.test(twelve))
  .map(completeCnpj)

/** Valid CNPJs with letters. */
export const alphanumericCnpj: fc.Arbitrary<Cnpj> = charactersOf(digits + upperCase, 12)
  .filter((twelve) => /[A-Z]/.test(twelve))
  .map(completeCnpj)

/** Valid CNPJs, with and without letters. */
export const cnpj: fc.Arbitrary<Cnpj> = fc.oneof(numericCnpj, alphanumericCnpj)

/** Codes of Brazilian states. */
export const uf: fc.Arbitrary<Uf> = fc.constantFrom(...ufs)

/** Brazilian postal codes (CEP). */
export const zipcode: fc.Arbitrary<Zipcode> = parsedBy(parseZipcode, charactersOf(digits, 8))

/** Phone numbers, landlines and mobiles. */
export const phone: fc.Arbitrary<Phone> = parsedBy(
  parsePhone,
  fc.tuple(charactersOf("123456789", 2), fc.constantFrom("", "9"), charactersOf(digits, 8)).map((parts) =>
    parts.join("")
  )
)

const localParts: fc.Arbitrary<string> = fc.oneof(
  charactersOf("abcdefghijklmnopqrstuvwxyzABCXYZ0123456789", 1, 12),
  charactersOf("abcABC012.+-_'", 1, 20),
  charactersOf("aãÃéçßİı\u0301\u{1f600}", 1, 8),
  charactersOf("Σσς1\u{1f600}", 1, 8)
)
const domains: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom("example.com", "Exemplo.com.br", "a.io", "correio.são-paulo.example"),
  fc.array(charactersOf("abcxyz019-", 1, 10), { minLength: 1, maxLength: 3 }).map((labels) => labels.join("."))
)

/** E-mail addresses in any case, some with letters outside ASCII. */
export const email: fc.Arbitrary<Email> = parsedBy(
  parseEmail,
  fc.tuple(localParts, domains).map(([local, domain]) => `${local}@${domain}`)
)

const internationalPhone: fc.Arbitrary<string> = fc.tuple(charactersOf("123456789", 1), charactersOf(digits, 2, 15))
  .map(([first, rest]) => `+${first}${rest}`)

/** Valid PIX keys of one type, in the canonical form of the directory (DICT). */
export const pixKey = (type: PixKeyType): fc.Arbitrary<PixKey> => {
  const inputs: Readonly<Record<PixKeyType, fc.Arbitrary<string>>> = {
    CPF: cpf,
    CNPJ: cnpj,
    EMAIL: email,
    PHONE: fc.oneof(phone, internationalPhone),
    EVP: fc.uuid()
  }
  return parsedBy((input) => parsePixKey(type, input), inputs[type])
}

/** PIX keys of every type. */
export const pix: fc.Arbitrary<Pix> = fc.constantFrom(...PixKeyType.literals)
  .chain((type) => fc.record({ key: pixKey(type), type: fc.constant(type) }))

const bankCheckDigit: fc.Arbitrary<string | null> = fc.option(charactersOf(`${digits}X`, 1))

/** Bank accounts, with and without check digits. */
export const bankAccount: fc.Arbitrary<BankAccount> = fc.record({
  type: fc.constantFrom(...AccountType.literals),
  agency: charactersOf(digits, 1, 4),
  bank_code: fc.oneof(charactersOf(digits, 3), charactersOf(digits, 8)),
  agency_digit: bankCheckDigit,
  account_number: charactersOf(digits, 1, 20),
  account_digit: bankCheckDigit
})

/**
 * Texts that break naive code: quotes, wildcards, markup, texts that parse as null or a number, letters whose case
 * mapping changes their length, combining marks, right-to-left text, and characters above U+FFFF.
 */
const problematicSeeds = [
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

const lengths = ({ max, min }: TextBounds) => ({ minLength: min, maxLength: Math.min(max, 24) })

const problematicWithin = (bounds: TextBounds): fc.Arbitrary<string> =>
  parsedBy(
    parseText(bounds),
    fc.oneof(
      fc.constantFrom(...problematicSeeds),
      fc.string({ unit: fc.constantFrom(...problematicSeeds.flatMap((seed) => Array.from(seed))), ...lengths(bounds) }),
      fc.string({ unit: codePoint, ...lengths(bounds) })
    )
  )

/** Problematic text of 2 to 100 code points that every name and address field accepts unchanged. */
export const problematicText: fc.Arbitrary<string> = problematicWithin({ min: 2, max: 100 })

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

/** Names of people, 2 to 120 code points: mostly Brazilian, some problematic. */
export const personName: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(
      fc.constantFrom(...givenNames),
      fc.array(fc.constantFrom(...surnames), { minLength: 1, maxLength: 3 })
    ).map(([given, family]) => [given, ...family].join(" "))
  },
  { weight: 1, arbitrary: parsedBy(parseName, problematicWithin({ min: 2, max: 120 })) }
)

/** Postal addresses, some without complement or district. */
export const address: fc.Arbitrary<Address> = fc.record({
  zipcode,
  uf,
  city: fc.oneof(fc.constantFrom("São Paulo", "Mogi das Cruzes", "Santa Bárbara d'Oeste", "Ó"), problematicText),
  district: fc.option(problematicText),
  neighborhood: fc.oneof(fc.constantFrom("Bela Vista", "Sé", "Jardim São João"), problematicText),
  street: fc.oneof(fc.constantFrom("Avenida Paulista", "Rua 1º de Março", "Praça da Sé"), problematicText),
  number: fc.oneof(charactersOf(digits, 1, 6), fc.constantFrom("S/N", "10-A", "Km 12,5")),
  complement: fc.option(problematicText)
})
