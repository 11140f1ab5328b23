import { type Brand, Redacted, Result } from "effect"
import { filterOf, type FilterParser } from "../input/Filter.ts"
import { invalidFormat } from "../input/TextFormat.ts"

/** A proposal number, short enough for people to read aloud and type. */
export type ProposalNumber = string & Brand.Brand<"ProposalNumber">

/** Crockford's base 32: without I, L, O and U, which people confuse with other characters. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
const length = 10

/**
 * A proposal number has ten characters of Crockford's base 32, which encode 50 random bits. It reveals nothing about
 * the number, date or order of proposals.
 *
 * Throws a RangeError if the random text has fewer than ten base64url characters.
 * @rule PROP-02
 */
export const proposalNumber = (random: Redacted.Redacted | string): ProposalNumber => {
  const text = typeof random === "string" ? random : Redacted.value(random)
  const digits = Array.from(text).flatMap((character) => {
    const value = base64url.indexOf(character)
    return value < 0 ? [] : [alphabet.charAt(value % alphabet.length)]
  })
  if (digits.length < length) {
    throw new RangeError("a proposal number requires at least ten random base64url characters")
  }
  return digits.slice(0, length).join("") as ProposalNumber
}

const numberShape = new RegExp(`^[${alphabet}]{${length}}$`)

/**
 * A filter by proposal number must be the complete number, in upper or lower case. As in Crockford's base 32, I and L
 * are read as 1, and O as 0.
 * @rule PROP-19
 */
export const parseNumberFilter: FilterParser<ProposalNumber> = filterOf((text) => {
  const number = text.trim().toUpperCase().replaceAll(/[IL]/g, "1").replaceAll("O", "0")
  return numberShape.test(number)
    ? Result.succeed(number as ProposalNumber)
    : Result.fail(invalidFormat("10 digits and letters"))
})
