import { Schema } from "effect"
import { Uuid } from "../id/Uuid.ts"

/** Identifies a partner. */
export const PartnerId = Uuid.pipe(Schema.brand("PartnerId"))
export type PartnerId = typeof PartnerId.Type
