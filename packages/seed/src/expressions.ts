import { hashText } from "./Randomness.ts"

/** Largest number of partners, of users and of applications. Each person has a CPF of their own. */
export const mostSeeded = 10_000_000

/** Formats a list of texts as a SQL array. */
export const array = (texts: ReadonlyArray<string>): string => `array[${texts.map((text) => `'${text}'`).join(", ")}]`

/** Converts milliseconds since 1970 to a timestamp. */
export const instant = (millis: string): string => `timestamptz 'epoch' + (${millis}) * interval '1 millisecond'`

/** SQL expressions whose value follows from the seed, a stream name and a row number alone. */
export const draws = (seed: number) => {
  // PostgreSQL keeps its extended hash functions stable across versions: hash partitions depend on them.
  const fraction = (stream: string, row = "n"): string =>
    `((hashint8extended(${row}::bigint, ${hashText(`${seed}/${stream}`)}) >> 12 & 4503599627370495)
      / 4503599627370496::float8)`
  const below = (stream: string, limit: number | string, row = "n"): string =>
    `floor(${fraction(stream, row)} * ${limit})::int`
  return {
    fraction,
    below,
    /** An integer from 0 to `limit - 1`, small ones more often. */
    skewed: (stream: string, limit: number | string, row = "n"): string =>
      `floor(${fraction(stream, row)} * ${fraction(stream, row)} * ${limit})::bigint`,
    chance: (stream: string, probability: number, row = "n"): string => `${fraction(stream, row)} < ${probability}`,
    oneOf: (stream: string, texts: ReadonlyArray<string>, row = "n"): string =>
      `(${array(texts)})[1 + ${below(stream, texts.length, row)}]`,
    /** A number of `length` digits, the first of which is not 0. */
    digits: (stream: string, length: number, row = "n"): string =>
      `(${10 ** (length - 1)} + ${below(stream, 9 * 10 ** (length - 1), row)})::text`,
    /** A UUID of version 7. */
    uuid: (stream: string, millis: string, row = "n"): string =>
      `overlay(overlay(md5('${seed}/${stream}/' || ${row}) placing lpad(to_hex(${millis}), 12, '0') || '7' from 1)
        placing '8' from 17)::uuid`
  }
}

/** The draws of a seed. */
export type Draws = ReturnType<typeof draws>

const weightedSum = (number: string, length: number, heaviest: number, shift: number): string =>
  Array.from(
    { length },
    (_, place) => `${number} / ${10 ** place} % 10 * ${2 + (place + shift) % (heaviest - 1)}`
  ).join(" + ")

/** Appends the two check digits of CPF (heaviest weights 10, 11) or CNPJ (9, 9) to an integer of `length` digits. */
const withCheckDigits = (number: string, length: number, heaviest: readonly [number, number]): string => {
  const first = `((${weightedSum(number, length, heaviest[0], 0)}) * 10 % 11 % 10)`
  const second = `((${weightedSum(number, length, heaviest[1], 1)} + 2 * ${first}) * 10 % 11 % 10)`
  return `(lpad(${number}::text, ${length}, '0') || ${first} || ${second})`
}

/** Maps each serial number below 10^8 to an eight-digit number of its own: 3^15 and 10^8 have no common factor. */
const scramble = (serial: string): string => `((${serial}) + 1)::bigint * 14348907 % 100000000`

const firstSerial = { partner: 0, user: mostSeeded, customer: 2 * mostSeeded }

/** The CPF of a person. Its first two digits differ, so no digit is repeated nine times. */
export const cpf = (kind: keyof typeof firstSerial, row = "n"): string =>
  `(select ${withCheckDigits("nine", 9, [10, 11])} from (
    select (eight / 10000000 + 1) % 10 * 100000000 + eight as nine
    from (select ${scramble(`${row} + ${firstSerial[kind]}`)} as eight offset 0) drawn offset 0
  ) drawn)`

/** The CNPJ of a company's head office. */
export const cnpj = (row = "n"): string =>
  `(select ${withCheckDigits("twelve", 12, [9, 9])}
    from (select ${scramble(row)} * 10000 + 1 as twelve offset 0) drawn)`

/** The number of a proposal: ten characters of Crockford's base 32, its own for each row. */
export const proposalNumber = (draws: Draws): string =>
  `(select string_agg(
      substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (bits >> 5 * place & 31)::int, 1), '' order by place)
    from (
      select (n + 1)::bigint * 654435761789 + ${draws.below("number", 2 ** 30, "0")} & 1125899906842623 as bits offset 0
    ) drawn,
      generate_series(0, 9) place)`
