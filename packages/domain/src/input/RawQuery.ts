import { type FieldProblem, fieldProblem, problem } from "./FieldProblem.ts"
import { fieldPath } from "./problemsOf.ts"

/** A decoded query parameter: absent, one value, or several values in the order sent. */
export type RawValue = string | ReadonlyArray<string> | undefined

/** The query parameters of a request by name. */
export type RawQuery = Readonly<Record<string, RawValue>>

/**
 * If a parameter with one value (page, size or a filter) is repeated, its first value is used.
 * @rule PAGE-01
 */
export const firstValue = (raw: RawValue): string | undefined => typeof raw === "string" ? raw : raw?.[0]

/** Returns all values of a repeatable parameter, in the order sent. */
export const allValues = (raw: RawValue = []): ReadonlyArray<string> => typeof raw === "string" ? [raw] : raw

/**
 * An unknown parameter of a read is UNKNOWN_FIELD. Otherwise a misspelt filter would return every record. It is reported
 * with the other problems of the query. A parameter without a value or a name is ignored.
 * @rule PAGE-31
 */
export const unknownParameters = (
  raw: RawQuery,
  isKnown: (name: string) => boolean
): ReadonlyArray<FieldProblem> =>
  Object.keys(raw)
    .filter((name) => name !== "" && allValues(raw[name]).length > 0 && !isKnown(name))
    .map((name) => fieldProblem(`query.${fieldPath([name])}`, problem("UNKNOWN_FIELD")))
