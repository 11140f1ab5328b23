import { type Timestamp } from "@lastro/domain"

/** When records of examples were created, unless they say otherwise. */
export const exampleInstant = "2026-01-31T12:00:00.000Z" as Timestamp
