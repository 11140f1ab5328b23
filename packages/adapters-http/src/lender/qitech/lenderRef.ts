import { type LoanFee } from "@lastro/domain/offer"
import { centavos, percent } from "@lastro/domain/values"
import { numberAt, parse, textAt } from "./json.ts"
import { type QitechTerms } from "./QitechOptions.ts"

/**
 * Encodes the terms that a submission needs. They are stored with the offer, so a later change of the tables does not
 * change the offer.
 */
export const encodeRef = ({ fee, monthly_rate }: QitechTerms): string =>
  JSON.stringify({ v: 1, rate: monthly_rate, fee })

const feeOf = (value: unknown): LoanFee | null => {
  const percentage = numberAt(value, "fee", "percent")
  const amount = numberAt(value, "fee", "amount")
  switch (textAt(value, "fee", "kind")) {
    case "none":
      return { kind: "none" }
    case "percent":
      return percentage === null || percentage < 0 ? null : { kind: "percent", percent: percent(percentage) }
    case "fixed":
      return amount === null ? null : { kind: "fixed", amount: centavos(amount) }
    default:
      return null
  }
}

/** Decodes the terms of an offer. Returns null for a text that this version of the adapter did not write. */
export const decodeRef = (text: string | null | undefined): QitechTerms | null => {
  const value = text === null || text === undefined ? undefined : parse(text)
  const rate = numberAt(value, "rate")
  const fee = feeOf(value)
  return numberAt(value, "v") !== 1 || rate === null || fee === null ? null : { monthly_rate: percent(rate), fee }
}
