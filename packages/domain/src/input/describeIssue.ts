import { SchemaIssue } from "effect"
import { fieldPath, printablePath } from "./problemsOf.ts"

const maxLength = 300

/**
 * The description of an invalid value names the first wrong field and the expectation, and never the value. It has at
 * most 300 characters. The issue must be of a decoder without the option `reportInput`.
 * @rule INPUT-04
 */
export const describeIssue = (issue: SchemaIssue.Issue): string => {
  const [{ message, path = [] } = { message: "Expected a valid value" }] =
    SchemaIssue.makeFormatterStandardSchemaV1()(issue).issues
  const field = fieldPath(path.map((step) => typeof step === "object" ? step.key : step))
  return (field === "" ? message : `${printablePath(field)}: ${message}`).slice(0, maxLength)
}
