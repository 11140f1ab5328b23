import { type Schema } from "effect"
import { foldText } from "../input/fold.ts"
import { type Application } from "../loan/Application.ts"

/** Values that identify one person, without letter case, accents and separators. */
export type PersonValues = ReadonlySet<string>

/** Minimum length of a value. Shorter values occur in other texts by chance. */
const minLength = 5

/** Minimum length of a value of digits only. */
const minDigits = 8

const separators = /[\s.,;:/()+_-]+/g

/** Returns the compared form of a text: without letter case, accents and separators. */
const comparable = (text: string): string => foldText(text).replace(separators, "")

/** Collects the values that identify a person, in the compared form. Null and short values are ignored. */
export const personValues = (values: Iterable<string | null | undefined>): PersonValues =>
  new Set(
    Array.from(values, (value) => comparable(value ?? "")).filter((value) =>
      Array.from(value).length >= (/^\d*$/.test(value) ? minDigits : minLength)
    )
  )

/** Returns a date in the two forms that a lender can use: year first, and day first. */
const writtenDates = (date: string | null | undefined): ReadonlyArray<string> =>
  date === null || date === undefined ? [] : [date, date.split("-").toReversed().join("-")]

/** Returns the values that identify the customer of an application. */
export const valuesOfCustomer = ({ customer, kyc, proposal }: Application): PersonValues =>
  personValues([
    customer.cpf,
    customer.name,
    customer.email,
    customer.phone,
    ...writtenDates(customer.birth_date),
    kyc?.name,
    kyc?.mother_name,
    kyc?.spouse_name,
    kyc?.address?.street,
    kyc?.email,
    kyc?.phone,
    kyc?.document?.number,
    kyc?.pix?.key,
    kyc?.bank?.account_number,
    proposal?.customer.name,
    proposal?.disbursement.pix?.key,
    proposal?.disbursement.bank?.account_number
  ])

/** Replaces a text that contains a value of an erased person. */
const erasedText = "erased"

/**
 * A text of the API consumer or the lender is erased if it contains a value of an erased person. Examples: a note with
 * a CPF, a message of the lender with a name. Letter case, accents, spaces and punctuation are ignored. Names of fewer
 * than five characters and numbers of fewer than eight digits are ignored.
 * @rule PRIV-05
 */
export const eraseText = (text: string, person: PersonValues): string => {
  const form = comparable(text)
  return Array.from(person).some((value) => form.includes(value)) ? erasedText : text
}

/** The fields with texts of the lender. All other texts in a quote or a proposal are ids, times and codes. */
const freeTexts = new Set(["message", "reason", "label", "lender_ref"])

/** Replaces each text of the lender that contains a value of the person (PRIV-05). */
export const eraseTexts = <A>(value: A, person: PersonValues): A => {
  const eraseField = (name: string, inner: Schema.Json): Schema.Json =>
    typeof inner === "string" && freeTexts.has(name) ? eraseText(inner, person) : erase(inner)
  const erase = (value: Schema.Json): Schema.Json => {
    if (Array.isArray(value)) return value.map(erase)
    if (value === null || typeof value !== "object") return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, eraseField(name, inner)]))
  }
  return erase(value as Schema.Json) as A
}
