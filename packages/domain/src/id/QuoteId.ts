import { Schema } from "effect"
import { Uuid } from "./Uuid.ts"

/** The id of a quote. */
export const QuoteId = Uuid.pipe(Schema.brand("QuoteId"))
export type QuoteId = typeof QuoteId.Type
