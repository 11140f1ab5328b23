import { type Brand, Result } from "effect"
import { problem } from "../input/FieldProblem.ts"
import { parseText } from "../input/Text.ts"
import { schemaOfParser, type TextParser } from "../input/textParser.ts"

/** An e-mail address in its original letter case. To compare two addresses, compare their {@link emailKey}. */
export type Email = string & Brand.Brand<"Email">

const bounds = { min: 3, max: 254 }
const parseBounded = parseText(bounds)

/** Blanks, and the special characters that RFC 5322 allows only inside quotes. Invisible characters are refused by TEXT-01. */
const forbidden = /[\s\p{Z}"(),:;<>[\\\]]/u

const isDotted = (text: string): boolean => text.split(".").every((part) => part !== "")

const isDomain = (text: string): boolean =>
  text.split(".").every((label) => label !== "" && label.length <= 63 && !label.startsWith("-") && !label.endsWith("-"))

/**
 * An e-mail address has 3 to 254 characters after trimming and NFC: a local part of at most 64 characters, one `@` and
 * a domain. Neither the local part nor the domain begins or ends with a dot, or contains two dots in a row. Blanks,
 * quotes, brackets, and control and invisible characters are refused. Letters of any script are allowed. Delivery is
 * not checked.
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
  description: "E-mail address, 3 to 254 characters. Letter case is kept, but ignored when two addresses are compared.",
  examples: ["maria.silva@example.com"],
  format: "idn-email",
  minLength: bounds.min,
  maxLength: bounds.max
})

/**
 * Two e-mail addresses are equal if their lower-cased NFC forms are equal. Any text is accepted, because the address in
 * a sign-in request may be malformed.
 * @rule DOC-08
 */
export const emailKey = (email: string): string => email.normalize("NFC").toLowerCase().normalize("NFC")

/**
 * A masked e-mail address shows its domain: `j***@example.com`. The first character of the local part is shown only if
 * the local part has two or more characters.
 * @rule DOC-09
 */
export const maskEmail = (email: Email): string => {
  const at = email.indexOf("@")
  const [first = "", ...rest] = email.slice(0, at)
  return `${rest.length === 0 ? "" : first}***${email.slice(at)}`
}
