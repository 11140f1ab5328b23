import { type Brand, Result } from "effect"
import { problem } from "../validation/FieldProblem.ts"
import { parsed, type Parser } from "../validation/parsed.ts"
import { parseText } from "../validation/Text.ts"

/** An e-mail address in the letter case its owner wrote it; {@link emailKey} tells whether two are the same. */
export type Email = string & Brand.Brand<"Email">

const bounds = { min: 3, max: 254 }
const parseBounded = parseText(bounds)

/** Blanks, and the specials of RFC 5322 that an address may hold only inside quotes; TEXT-01 refuses what is invisible. */
const forbidden = /[\s\p{Z}"(),:;<>[\\\]]/u

const isDotted = (text: string): boolean => text.split(".").every((part) => part !== "")

const isDomain = (text: string): boolean =>
  text.split(".").every((label) => label !== "" && label.length <= 63 && !label.startsWith("-") && !label.endsWith("-"))

/**
 * An e-mail address has 3 to 254 characters after trimming and NFC: at most 64 of a local part, one `@` and a domain,
 * each of parts between dots none of which is empty, without blanks, control or invisible characters or quotes; letters
 * of any script are welcome. Whether it receives mail is not looked at.
 * @rule DOC-07
 */
export const parseEmail: Parser<Email> = (input) =>
  Result.flatMap(parseBounded(input), (address) => {
    const [local = "", domain = "", ...more] = address.split("@")
    return more.length === 0 && local.length <= 64 && isDotted(local) && isDomain(domain) && !forbidden.test(address)
      ? Result.succeed(address as Email)
      : Result.fail(problem("INVALID_FORMAT"))
  })

/** The schema of an e-mail address. */
export const Email = parsed<Email>(parseEmail, {
  description: "E-mail address, 3 to 254 characters. Letter case is kept but does not tell two addresses apart.",
  examples: ["maria.silva@example.com"],
  format: "email",
  minLength: bounds.min,
  maxLength: bounds.max
})

/**
 * Two e-mail addresses are the same when their NFC, lower-cased forms are. Any text may be asked about: whoever signs in
 * may write what is no address.
 * @rule DOC-08
 */
export const emailKey = (email: string): string => email.normalize("NFC").toLowerCase().normalize("NFC")

/**
 * A masked e-mail address shows the first letter of its local part, unless that is all there is, and its domain:
 * `j***@example.com`.
 * @rule DOC-09
 */
export const maskEmail = (email: Email): string => {
  const at = email.indexOf("@")
  const [first = "", ...rest] = email.slice(0, at)
  return `${rest.length === 0 ? "" : first}***${email.slice(at)}`
}
