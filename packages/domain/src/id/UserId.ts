import { Schema } from "effect"
import { Uuid } from "./Uuid.ts"

/** Identifies a user. */
export const UserId = Uuid.pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type
