import { Schema } from "effect"
import { Uuid } from "./Uuid.ts"

/** The id of an FGTS application. */
export const ApplicationId = Uuid.pipe(
  Schema.annotateEncoded({ description: "The application's id", examples: ["0197f3a2-a061-7293-8d9f-405162738495"] }),
  Schema.brand("ApplicationId")
)
export type ApplicationId = typeof ApplicationId.Type
