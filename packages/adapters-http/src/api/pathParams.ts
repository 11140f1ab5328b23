import { Schema } from "effect"

/** The path parameter that names a record. */
export const recordId = (description: string, example: string) =>
  Schema.String.annotate({ description, format: "uuid", examples: [example] })

/** The path parameter that names an application. */
export const applicationId = { id: recordId("The application's id", "0197f3a2-a061-7293-8d9f-405162738495") }
