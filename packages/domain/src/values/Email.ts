import { type Brand, Result } from "effect"
import { parseText } from "../input/Text.ts"
import { invalidFormat } from "../input/TextFormat.ts"
import { schemaOfParser, type TextParser } from "../input/textParser.ts"
import { decodePunycode, encodePunycode } from "./punycode.ts"

/** An e-mail address in its original letter case. To compare two addresses, compare their {@link emailKey}. */
export type Email = string & Brand.Brand<"Email">

const bounds = { min: 3, max: 254 }
const parseBounded = parseText(bounds)
const parseLabel = parseText({ min: 1, max: 63 })

/** Blanks, and the special characters that RFC 5322 allows only in quotes. TEXT-01 refuses invisible characters. */
const forbidden = /[\s\p{Z}"(),:;<>[\\\]]/u

/** The dots between the labels of a domain (UTS 46). */
const dot = /[.\u3002]/u

const isDotted = (text: string): boolean => text.split(".").every((part) => part !== "")

const isDomain = (text: string): boolean =>
  text.split(".").every((label) => label !== "" && label.length <= 63 && !label.startsWith("-") && !label.endsWith("-"))

/**
 * The scripts that identifiers can use (UAX 31, table 5). Chinese, Japanese and Korean each combine several scripts
 * (UTS 39, table 1).
 */
const scripts = (
  "Latin Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hebrew Kannada Khmer Lao Malayalam " +
  "Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan Han+Bopomofo Han+Hiragana+Katakana Han+Hangul"
).split(" ").map((names) =>
  new RegExp(`[${names.split("+").map((name) => `\\p{Script_Extensions=${name}}`).join("")}]`, "u")
)

/** Matches letters that belong to one script. Other letters, such as the micro sign, are common to all scripts. */
const letterOfScript = /(?!\p{Script=Common}|\p{Script=Inherited})\p{L}/u

/**
 * All letters of a text must belong to the same script. Otherwise a letter could stand for one of another script that
 * looks the same (UTS 39 §5.1, single script). A letter of a script that identifiers do not use must not be beside any
 * other letter.
 * @rule DOC-27
 */
export const isSingleScript = (text: string): boolean => {
  const letters = Array.from(new Set(text)).filter((character) => letterOfScript.test(character))
  return letters.length < 2 || scripts.some((script) => letters.every((letter) => script.test(letter)))
}

/**
 * Returns whether the letters of a label of a domain belong to one script. A label in ASCII form (RFC 5890 §2.3.2.1) is
 * decoded first. The decoded text must be a valid label, and its ASCII form must be the given one.
 */
const isLabel = (label: string): boolean => {
  const form = label.toLowerCase()
  if (!form.startsWith("xn--")) return isSingleScript(label)
  const text = decodePunycode(form.slice(4)) ?? ""
  const isValid = Result.isSuccess(parseLabel(text)) && !forbidden.test(text) && !dot.test(text)
  return isValid && isSingleScript(text) && labelKey(compatible(text)) === form
}

const isAddress = (text: string): boolean => {
  const [local = "", domain = "", ...more] = text.split("@")
  return more.length === 0 && local.length <= 64 && isDotted(local) && isDomain(domain) && !forbidden.test(text) &&
    isSingleScript(local) && domain.split(dot).every(isLabel)
}

/**
 * An e-mail address has 3 to 254 characters after trimming and NFC: a local part of at most 64 characters, one `@` and
 * a domain.
 *
 * - Neither the local part nor the domain begins or ends with a dot, or contains two dots in a row.
 * - Blanks, quotes, brackets, and control and invisible characters are refused.
 * - Letters of any script are allowed, but neither the local part nor a label of the domain can mix scripts (DOC-27).
 * - A label of the domain in ASCII form (`xn--…`) is judged as the text that it stands for.
 * - The NFKC form of the address must be valid, too, because addresses are compared in this form (DOC-08).
 * - Delivery is not checked.
 * @rule DOC-07
 */
export const parseEmail: TextParser<Email> = (input) =>
  Result.flatMap(parseBounded(input), (address) =>
    isAddress(address) && isAddress(address.normalize("NFKC"))
      ? Result.succeed(address as Email)
      : Result.fail(invalidFormat("name@domain")))

/** The schema of an e-mail address. */
export const Email = /* @__PURE__ */ (() =>
  schemaOfParser<Email>(parseEmail, {
    description:
      "E-mail address, 3 to 254 characters. Letter case is kept, but ignored when two addresses are compared.",
    examples: ["maria.silva@example.com"],
    format: "idn-email",
    minLength: bounds.min,
    maxLength: bounds.max
  }))()

/** Returns whether a text is so long that its normal form is too long for an address. */
const isFarTooLong = (text: string): boolean => text.length > bounds.max * 8

/**
 * Returns an e-mail address in lower case and NFC, the form in which earlier versions of Lastro compared addresses. A
 * text that is too long for an address is not normalised (DOC-08).
 */
export const lowerCaseEmail = (email: string): string =>
  isFarTooLong(email) ? email.toLowerCase() : email.normalize("NFC").toLowerCase().normalize("NFC")

const compatible = (text: string): string => text.normalize("NFKC").toLowerCase().normalize("NFKC")

/** Returns one label of a domain in ASCII (RFC 5891 §4.4). */
const labelKey = (label: string): string => ascii.test(label) ? label : `xn--${encodePunycode(label)}`

const ascii = /^[\0-\x7f]*$/

/**
 * Two e-mail addresses are equal if their lower-case NFKC forms are equal, with the domain in ASCII (IDNA). Any text is
 * accepted, because the address in a sign-in request can be malformed. A text that is too long for an address is not
 * normalised, because normalisation takes quadratic time on long runs of marks.
 * @rule DOC-08
 */
export const emailKey = (email: string): string => {
  if (isFarTooLong(email)) return email.toLowerCase()
  const text = compatible(email)
  const at = text.lastIndexOf("@")
  return at < 0 || ascii.test(text)
    ? text
    : `${text.slice(0, at + 1)}${text.slice(at + 1).split(dot).map(labelKey).join(".")}`
}
