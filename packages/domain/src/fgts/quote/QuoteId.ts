import { Schema } from "effect"
import { Uuid } from "../../id/Uuid.ts"

/** The id of a quote. */
export const QuoteId = Uuid.pipe(Schema.brand("QuoteId"))
export type QuoteId = typeof QuoteId.Type
