import { Schema } from "effect"

/** The schema of an amount as answers show it: a JSON number of reais with at most two decimals, made by `reaisOf`. */
export const Amount = Schema.Finite.annotate({
  description: "Amount in reais (BRL), at most two decimals"
})

/** The schema of a rate as answers show it: a JSON number of percent. */
export const Rate = Schema.Finite.annotate({
  description: "Rate in percent: 1.8 is 1.8 %"
})
