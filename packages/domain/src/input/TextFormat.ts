import { type Problem, problem } from "./FieldProblem.ts"

/** The name of a required format, as messages show it. */
export type TextFormat =
  | "+ and 3 to 16 digits"
  | "1 to 100 letters, digits and . : _ -"
  | "a duration above zero, such as `10 seconds`"
  | "1 to 255 visible ASCII characters"
  | "10 digits and letters"
  | "3 or 8 digits"
  | "8 digits"
  | "CNPJ, 14 characters"
  | "CPF, 11 digits"
  | "IPv4 or IPv6 address"
  | "SHA-256, 64 lower-case hexadecimal digits"
  | "absolute URL such as https://example.com/path, without user, password and fragment"
  | "UTF-8"
  | "UUID"
  | "UUID or slug of a group"
  | "Unicode text without NUL"
  | "YYYY-MM"
  | "YYYY-MM-DD"
  | "YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ"
  | "YYYY-MM-DDThh:mm:ssZ"
  | "`oldest`, `newest` or a sequence"
  | "a digit or X"
  | "amount such as 1234.56"
  | "area code and 8 or 9 digits"
  | "cursor of a page with the same filters and sort"
  | "digits"
  | "digits and letters"
  | "four cells, quoted by RFC 4180"
  | "name@domain"
  | "name@domain in ASCII"
  | "percent-encoded UTF-8"
  | "reference,paid_amount,commission_amount,paid_at"
  | "text in the format of the new type"
  | "text with a letter or digit"
  | "text without control characters and brackets"
  | "visible ASCII characters, no CPF"
  | "visible text"

/**
 * The problem of a text in a wrong format names the required format in `expected`, and never the text.
 * @rule INPUT-02
 */
export const invalidFormat = (expected: TextFormat): Problem => problem("INVALID_FORMAT", { expected })
