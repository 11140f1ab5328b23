import { Schema } from "effect"
import { Uuid } from "./Uuid.ts"

/** Identifies a partner. */
export const PartnerId = Uuid.pipe(
  Schema.annotateEncoded({ description: "The partner's id", examples: ["0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40"] }),
  Schema.brand("PartnerId")
)
export type PartnerId = typeof PartnerId.Type
