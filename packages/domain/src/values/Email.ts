import { type Brand, Result } from "effect"
import { parseText } from "../input/Text.ts"
import { invalidFormat } from "../input/TextFormat.ts"
import { schemaOfParser, type TextParser } from "../input/textParser.ts"
import { encodePunycode } from "./punycode.ts"

/** An e-mail address in its original letter case. To compare two addresses, compare their {@link emailKey}. */
export type Email = string & Brand.Brand<"Email">

const bounds = { min: 3, max: 254 }
const parseBounded = parseText(bounds)

/**
 * Blanks, and the special characters that RFC 5322 allows only inside quotes. Invisible characters are refused by
 * TEXT-01.
 */
const forbidden = /[\s\p{Z}"(),:;<>[\\\]]/u

/** The dots between the labels of a domain (UTS 46). */
const dot = /[.\u3002]/u

const isDotted = (text: string): boolean => text.split(".").every((part) => part !== "")

const isDomain = (text: string): boolean =>
  text.split(".").every((label) => label !== "" && label.length <= 63 && !label.startsWith("-") && !label.endsWith("-"))

/**
 * The scripts of the letters that identifiers may use (UAX 31, table 5), with the three combinations in which Chinese,
 * Japanese and Korean are written (UTS 39, table 1).
 */
const scripts = (
  "Latin Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hebrew Kannada Khmer Lao Malayalam " +
  "Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan Han+Bopomofo Han+Hiragana+Katakana Han+Hangul"
).split(" ").map((names) =>
  new RegExp(`[${names.split("+").map((name) => `\\p{Script_Extensions=${name}}`).join("")}]`, "u")
)

/** Letters that belong to one script. Others, such as the micro sign, are common to all scripts. */
const letterOfScript = /(?!\p{Script=Common}|\p{Script=Inherited})\p{L}/u

/**
 * The letters of a text may belong to one script only, so that a letter of another script cannot stand for one that
 * looks the same (UTS 39 §5.1, single script). Letters of scripts that identifiers do not use are refused beside
 * others.
 * @rule DOC-27
 */
export const isSingleScript = (text: string): boolean => {
  const letters = Array.from(new Set(text)).filter((character) => letterOfScript.test(character))
  return letters.length < 2 || scripts.some((script) => letters.every((letter) => script.test(letter)))
}

const isAddress = (text: string): boolean => {
  const [local = "", domain = "", ...more] = text.split("@")
  return more.length === 0 && local.length <= 64 && isDotted(local) && isDomain(domain) && !forbidden.test(text) &&
    [local, ...domain.split(dot)].every(isSingleScript)
}

/**
 * An e-mail address has 3 to 254 characters after trimming and NFC: a local part of at most 64 characters, one `@` and
 * a domain. Neither the local part nor the domain begins or ends with a dot, or contains two dots in a row. Blanks,
 * quotes, brackets, and control and invisible characters are refused. Letters of any script are allowed, but neither the
 * local part nor a label of the domain can mix scripts (DOC-27). The NFKC form of the address must be valid, too, because
 * addresses are compared in this form (DOC-08). Delivery is not checked.
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

/** Returns an e-mail address in lower case and NFC. Earlier versions of Lastro compared addresses in this form. */
export const lowerCaseEmail = (email: string): string => email.normalize("NFC").toLowerCase().normalize("NFC")

const compatible = (text: string): string => text.normalize("NFKC").toLowerCase().normalize("NFKC")

/** Returns a label of a domain in ASCII (RFC 5891 §4.4). */
const labelKey = (label: string): string => ascii.test(label) ? label : `xn--${encodePunycode(label)}`

const ascii = /^[\0-\x7f]*$/

/**
 * Two e-mail addresses are equal if their lower-cased NFKC forms are equal, with the domain in ASCII (IDNA). Any text
 * is accepted, because the address in a sign-in request may be malformed. A text that is too long for an address is
 * compared as it is, because normalisation takes quadratic time on long runs of marks.
 * @rule DOC-08
 */
export const emailKey = (email: string): string => {
  if (email.length > bounds.max * 8) return lowerCaseEmail(email)
  const text = compatible(email)
  const at = text.lastIndexOf("@")
  return at < 0 || ascii.test(text)
    ? text
    : `${text.slice(0, at + 1)}${text.slice(at + 1).split(dot).map(labelKey).join(".")}`
}
