import { Schema } from "effect"
import { Uuid } from "./Uuid.ts"

/** Identifies a partner. */
export const PartnerId = Uuid.pipe(Schema.brand("PartnerId"))
export type PartnerId = typeof PartnerId.Type
