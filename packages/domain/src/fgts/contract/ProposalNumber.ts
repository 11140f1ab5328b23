import { type Brand, Redacted } from "effect"

/** What people call a proposal by. */
export type ProposalNumber = string & Brand.Brand<"ProposalNumber">

/** Crockford's base 32: no I, L, O or U, which people take for something else. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
const length = 10

/**
 * A proposal number is ten characters of Crockford's base 32, fifty bits of a random text: no count, no date and no order can
 * be read off it.
 *
 * Throws a RangeError for a text of fewer than ten characters of base64url, which is no randomness.
 * @rule PROP-02
 */
export const proposalNumber = (random: Redacted.Redacted | string): ProposalNumber => {
  const text = typeof random === "string" ? random : Redacted.value(random)
  const digits = Array.from(text).flatMap((character) => {
    const value = base64url.indexOf(character)
    return value < 0 ? [] : [alphabet.charAt(value % alphabet.length)]
  })
  if (digits.length < length) throw new RangeError("a proposal number is made of ten random characters")
  return digits.slice(0, length).join("") as ProposalNumber
}
