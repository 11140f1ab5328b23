/**
 * The columns that count the applications of a subtree by status. Offers expire without a write, so `QUOTED` and
 * `EXPIRED` are as of the last run of `foldCounts`.
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

export type ApplicationCount = typeof applicationCounts[number]

/** The count columns of `subtree_count` and `subtree_count_delta`. */
export const countColumns = ["partners", "users", "proposals", "applications", ...applicationCounts] as const

export type CountColumn = typeof countColumns[number]

/** Joins one SQL expression per count column with commas. */
export const eachCount = (expression: (column: CountColumn) => string): string =>
  countColumns.map(expression).join(", ")

/**
 * SQL expressions for the change of each count when offers expire. They use the column `applications` of
 * `application_expiry`.
 */
export const changeAtExpiry: Partial<Record<CountColumn, string>> = {
  applications_quoted: "-applications",
  applications_expired: "applications"
}
