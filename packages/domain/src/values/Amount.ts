import { Schema } from "effect"

/** The schema of an amount in a response: a JSON number of reais with at most two decimals. `reaisOf` computes it. */
export const Amount = Schema.Finite.annotate({
  description: "Amount in reais (BRL), at most two decimals"
})

/** The schema of a rate in a response: a JSON number of percent. */
export const Rate = Schema.Finite.annotate({
  description: "Rate in percent: 1.8 is 1.8 %"
})
