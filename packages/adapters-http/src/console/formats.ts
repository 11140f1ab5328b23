import { type Language } from "../errors/Language.ts"

/** Functions that write values in the usual form of a language. Times are those of São Paulo. */
export interface Formats {
  readonly money: (reais: number) => string
  readonly percent: (value: number) => string
  /** A share in percent, with four decimals. */
  readonly share: (value: number) => string
  /** A part of a whole, in whole percent. */
  readonly part: (value: number, whole: number) => string
  /** An amount in a table. Zero is shown as a dash, which is easier to read. */
  readonly amount: (reais: number) => string
  readonly integer: (value: number) => string
  /** A bound in an error: a number, a date, a time, or another text as it is. */
  readonly bound: (value: string | number) => string
  /** A calendar date, YYYY-MM-DD. */
  readonly date: (date: string) => string
  /** A month, YYYY-MM. */
  readonly month: (period: string) => string
  /** The day of a time. */
  readonly day: (at: string) => string
  /** A time with its day. */
  readonly time: (at: string) => string
  /** A recent time, without the year. */
  readonly recent: (at: string) => string
  readonly cpf: (cpf: string | null) => string
  readonly document: (number: string) => string
  readonly phone: (phone: string | null) => string
}

const cpf = (text: string): string => text.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, "$1.$2.$3-$4")

const makeFormats = (locale: string): Formats => {
  const money = new Intl.NumberFormat(locale, { style: "currency", currency: "BRL" })
  const percent = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const share = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 4 })
  const integer = new Intl.NumberFormat(locale)
  const timeZone = "America/Sao_Paulo"
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "short", timeZone })
  const time = new Intl.DateTimeFormat(locale, { dateStyle: "short", timeStyle: "short", timeZone })
  const recent = new Intl.DateTimeFormat(locale, {
    day: "2-digit",
    month: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    timeZone
  })
  const month = new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" })
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "short", timeZone: "UTC" })
  const writeDate = (text: string): string => date.format(new Date(`${text}T00:00:00Z`))
  const writeText = (text: string): string => {
    if (/^\d{4}-\d\d-\d\d$/.test(text)) return writeDate(text)
    return /^\d{4}-\d\d-\d\dT/.test(text) ? time.format(new Date(text)) : text
  }
  return {
    money: (reais) => money.format(reais),
    percent: (value) => `${percent.format(value)}%`,
    share: (value) => `${share.format(value)}%`,
    part: (value, whole) => whole === 0 ? "–" : `${integer.format(Math.round(100 * value / whole))}%`,
    amount: (reais) => reais === 0 ? "–" : money.format(reais),
    integer: (value) => integer.format(value),
    bound: (value) => typeof value === "number" ? integer.format(value) : writeText(value),
    date: writeDate,
    month: (period) => month.format(new Date(`${period}-01T00:00:00Z`)),
    day: (at) => day.format(new Date(at)),
    time: (at) => time.format(new Date(at)),
    recent: (at) => recent.format(new Date(at)),
    cpf: (text) => text === null ? "–" : cpf(text),
    document: (text) =>
      text.length === 11 ? cpf(text) : text.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, "$1.$2.$3/$4-$5"),
    phone: (text) => text === null ? "–" : text.replace(/^(\d{2})(\d{4,5})(\d{4})$/, "($1) $2-$3")
  }
}

const byLanguage: Readonly<Record<Language, Formats>> = {
  en: makeFormats("en-GB"),
  "pt-BR": makeFormats("pt-BR")
}

export const formatsOf = (language: Language): Formats => byLanguage[language]
