import { Schema } from "effect"
import { Uuid } from "./Uuid.ts"

/** The id of an offer. */
export const OfferId = Uuid.pipe(Schema.brand("OfferId"))
export type OfferId = typeof OfferId.Type
