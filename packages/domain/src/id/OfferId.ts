import { Schema } from "effect"
import { Uuid } from "./Uuid.ts"

/** The id of an offer. */
export const OfferId = Uuid.pipe(
  Schema.annotateEncoded({ description: "The offer's id", examples: ["0197f3a2-c283-74b5-8fb1-6273849506b7"] }),
  Schema.brand("OfferId")
)
export type OfferId = typeof OfferId.Type
