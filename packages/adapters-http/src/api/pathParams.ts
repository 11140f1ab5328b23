import { Schema } from "effect"

/** A parameter that is the id of a record. */
export const recordId = (description: string) => Schema.String.annotate({ description, format: "uuid" })

/** The path parameter of an application. */
export const applicationId = { id: recordId("The application's id") }
