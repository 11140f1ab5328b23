import { Schema } from "effect"
import { Uuid } from "./Uuid.ts"

/** Identifies a user. */
export const UserId = Uuid.pipe(
  Schema.annotateEncoded({ description: "The user's id", examples: ["0197f3a2-6c2d-7e4f-9a5b-0c1d2e3f4051"] }),
  Schema.brand("UserId")
)
export type UserId = typeof UserId.Type
