import { type Brand, Result } from "effect"
import { problem } from "../validation/FieldProblem.ts"
import { parseText } from "../validation/Text.ts"
import { schemaOfParser, type TextParser } from "../validation/textParser.ts"

/** An e-mail address with its letter case. Compare addresses by {@link emailKey}. */
export type Email = string & Brand.Brand<"Email">

const bounds = { min: 3, max: 254 }
const parseBounded = parseText(bounds)

/** Blanks, and specials of RFC 5322 that are allowed inside quotes only. TEXT-01 refuses invisible characters. */
const forbidden = /[\s\p{Z}"(),:;<>[\\\]]/u

const isDotted = (text: string): boolean => text.split(".").every((part) => part !== "")

const isDomain = (text: string): boolean =>
  text.split(".").every((label) => label !== "" && label.length <= 63 && !label.startsWith("-") && !label.endsWith("-"))

/**
 * An e-mail address has 3 to 254 characters after trimming and NFC: a local part of at most 64, one `@` and a domain. Both have non-empty
 * parts between dots, without blanks, quotes, control or invisible characters. Letters of any script are allowed. Delivery is not
 * checked.
 * @rule DOC-07
 */
export const parseEmail: TextParser<Email> = (input) =>
  Result.flatMap(parseBounded(input), (address) => {
    const [local = "", domain = "", ...more] = address.split("@")
    return more.length === 0 && local.length <= 64 && isDotted(local) && isDomain(domain) && !forbidden.test(address)
      ? Result.succeed(address as Email)
      : Result.fail(problem("INVALID_FORMAT"))
  })

/** The schema of an e-mail address. */
export const Email = schemaOfParser<Email>(parseEmail, {
  description: "E-mail address, 3 to 254 characters. Letter case is kept but does not tell two addresses apart.",
  examples: ["maria.silva@example.com"],
  format: "email",
  minLength: bounds.min,
  maxLength: bounds.max
})

/**
 * Two e-mail addresses are equal if their lower-cased NFC forms are. Accepts any text, because a sign-in may send a malformed address.
 * @rule DOC-08
 */
export const emailKey = (email: string): string => email.normalize("NFC").toLowerCase().normalize("NFC")

/**
 * A masked e-mail address shows its domain and the first letter of a local part of two or more letters: `j***@example.com`.
 * @rule DOC-09
 */
export const maskEmail = (email: Email): string => {
  const at = email.indexOf("@")
  const [first = "", ...rest] = email.slice(0, at)
  return `${rest.length === 0 ? "" : first}***${email.slice(at)}`
}
