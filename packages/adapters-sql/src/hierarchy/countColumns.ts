/** The counts of applications in a subtree by status. `QUOTED` and `EXPIRED` are those at the last fold: see `foldCounts`. */
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

/** A count of applications by status. */
export type ApplicationCount = typeof applicationCounts[number]

/** The counts of a subtree: the columns of `subtree_count` and of `subtree_count_delta`. */
export const countColumns = ["partners", "users", "proposals", "applications", ...applicationCounts] as const

/** A count of a subtree. */
export type CountColumn = typeof countColumns[number]

/** Returns a list of SQL expressions, one for each count. */
export const eachCount = (expression: (column: CountColumn) => string): string =>
  countColumns.map(expression).join(", ")

/** The changes of the counts at an expiry, by the columns of `application_expiry`. */
export const changeAtExpiry: Partial<Record<CountColumn, string>> = {
  applications_quoted: "-applications",
  applications_expired: "applications"
}
