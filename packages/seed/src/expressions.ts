import { familyNames, givenNames } from "./names.ts"

/** Maximum number of partners, of users, and of applications. With more, generated CPFs would repeat. */
export const mostSeeded = 10_000_000

const areaCodes = ["11", "11", "21", "31", "71", "85", "62", "92"]

/** Hashes a text to 32 bits (FNV-1a). */
const hashText = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

/** Formats a list of texts as an SQL array. */
export const array = (texts: ReadonlyArray<string>): string => `array[${texts.map((text) => `'${text}'`).join(", ")}]`

/** Returns an SQL expression that converts milliseconds since 1970 to a timestamp. */
export const instant = (millis: string): string => `timestamptz 'epoch' + (${millis}) * interval '1 millisecond'`

/**
 * Returns an SQL expression that removes letter case and accents from a name of `names.ts`, with the same result as the
 * domain's `foldText`.
 */
export const folded = (name: string): string => `lower(translate(${name}, 'ÁÂÍÚÜáâãçéêíóôõúü', 'AAIUUaaaceeiooouu'))`

/**
 * Returns SQL expressions for random values. The values depend only on the seed, the name of a stream and a row number.
 */
export const draws = (seed: number) => {
  // The extended hash functions give the same results in every PostgreSQL version, because hash partitioning depends on
  // them.
  /** A number from 0 to 1, without 1. */
  const fraction = (stream: string, row = "n"): string =>
    `((hashint8extended(${row}::bigint, ${hashText(`${seed}/${stream}`)}) >> 12 & 4503599627370495)
      / 4503599627370496::float8)`
  const below = (stream: string, limit: number | string, row = "n"): string =>
    `floor(${fraction(stream, row)} * ${limit})::bigint`
  /** An integer from 0 to `limit - 1`. Small integers are more frequent. */
  const skewed = (stream: string, limit: number | string, row = "n"): string =>
    `floor(${fraction(stream, row)} * ${fraction(stream, row)} * ${limit})::bigint`
  const chance = (stream: string, probability: number, row = "n"): string => `${fraction(stream, row)} < ${probability}`
  const oneOf = (stream: string, texts: ReadonlyArray<string>, row = "n"): string =>
    `(${array(texts)})[1 + ${below(stream, texts.length, row)}]`
  /** One of the texts. Texts near the start of the list are more frequent. */
  const frequent = (stream: string, texts: ReadonlyArray<string>, row = "n"): string =>
    `(${array(texts)})[1 + ${skewed(stream, texts.length, row)}]`
  /** A number of `length` digits. The first digit is not 0. */
  const digits = (stream: string, length: number, row = "n"): string =>
    `(${10 ** (length - 1)} + ${below(stream, 9 * 10 ** (length - 1), row)})::text`
  const phone = (stream: string, row = "n"): string =>
    `${oneOf(`${stream} area`, areaCodes, row)} || '9' || ${digits(`${stream} phone`, 8, row)}`
  const personName = (stream: string, row = "n"): string =>
    `${frequent(`${stream} given`, givenNames, row)} || ' ' || ${frequent(`${stream} family`, familyNames, row)} ||
      case when ${chance(`${stream} long`, 0.7, row)} then ' ' || ${frequent(`${stream} last`, familyNames, row)}
        else '' end`
  /** A UUID of version 7. */
  const uuid = (stream: string, millis: string, row = "n"): string =>
    `overlay(overlay(md5('${seed}/${stream}/' || ${row}) placing lpad(to_hex(${millis}), 12, '0') || '7' from 1)
      placing '8' from 17)::uuid`
  return { fraction, below, skewed, chance, oneOf, frequent, digits, phone, personName, uuid }
}

export type Draws = ReturnType<typeof draws>

/**
 * Converts a serial number below 10^8 to eight digits. Different numbers give different digits, because 3^15 and 10^8
 * have no common factor.
 */
const scramble = (serial: string): string => `((${serial}) + 1)::bigint * 14348907 % 100000000`

/**
 * Appends a check digit to the column `number` of a query, which has `length` digits. From right to left, the weights
 * rise from 2 to `heaviest`, and then start again at 2.
 */
const appendCheckDigit = (query: string, length: number, heaviest: number): string => {
  const terms = Array.from({ length }, (_, place) => `number / ${10 ** place} % 10 * ${2 + place % (heaviest - 1)}`)
  return `select number * 10 + (${terms.join(" + ")}) * 10 % 11 % 10 as number from (${query} offset 0) digits`
}

/** The serial number of row 0 of each kind. All persons have different CPFs. */
const firstSerial = { partner: 0, user: mostSeeded, customer: 2 * mostSeeded }

/**
 * Returns an SQL expression for the CPF of a person. Its first two digits differ, because a CPF with eleven equal
 * digits is invalid.
 */
export const cpf = (kind: keyof typeof firstSerial, row = "n"): string => {
  const eight = `select ${scramble(`${row} + ${firstSerial[kind]}`)} as number`
  const nine = `select (number / 10000000 + 1) % 10 * 100000000 + number as number from (${eight} offset 0) eight`
  return `(select lpad(number::text, 11, '0') from (${appendCheckDigit(appendCheckDigit(nine, 9, 10), 10, 11)}) cpf)`
}

/** Returns an SQL expression for the CNPJ of a company's head office. */
export const cnpj = (row: string): string => {
  const twelve = `select ${scramble(row)} * 10000 + 1 as number`
  return `(select lpad(number::text, 14, '0') from (${appendCheckDigit(appendCheckDigit(twelve, 12, 9), 13, 9)}) cnpj)`
}
