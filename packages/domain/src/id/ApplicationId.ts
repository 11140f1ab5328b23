import { Schema } from "effect"
import { Uuid } from "./Uuid.ts"

/** The id of an FGTS application. */
export const ApplicationId = Uuid.pipe(Schema.brand("ApplicationId"))
export type ApplicationId = typeof ApplicationId.Type
