import { Schema } from "effect"
import { Uuid } from "./Uuid.ts"

/** The id of a quote. */
export const QuoteId = Uuid.pipe(
  Schema.annotateEncoded({ description: "The quote's id", examples: ["0197f3a2-b172-73a4-8ea0-516273849506"] }),
  Schema.brand("QuoteId")
)
export type QuoteId = typeof QuoteId.Type
