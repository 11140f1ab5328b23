/**
 * The columns that count the applications of a subtree by status. `QUOTED` and `EXPIRED` are as of the last run of
 * `foldCounts`, because offers expire without a write.
 */
export const applicationCounts = [
  "applications_quoting",
  "applications_rejected",
  "applications_quote_failed",
  "applications_quoted",
  "applications_expired",
  "applications_contracting",
  "applications_contracted",
  "applications_refunding",
  "applications_cancelled"
] as const

/** The name of a column that counts the applications with one status. */
export type ApplicationCount = typeof applicationCounts[number]

/** The columns with the counts of a subtree, in `subtree_count` and in `subtree_count_delta`. */
export const countColumns = ["partners", "users", "proposals", "applications", ...applicationCounts] as const

/** The name of a column that counts records of a subtree. */
export type CountColumn = typeof countColumns[number]

/** Returns SQL expressions, one for each count column, separated by commas. */
export const eachCount = (expression: (column: CountColumn) => string): string =>
  countColumns.map(expression).join(", ")

/**
 * SQL expressions for the change of each count when offers expire. They use the column `applications` of the table
 * `application_expiry`.
 */
export const changeAtExpiry: Partial<Record<CountColumn, string>> = {
  applications_quoted: "-applications",
  applications_expired: "applications"
}
