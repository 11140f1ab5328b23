import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { type ListFilter } from "./Listing.ts"
import { textParts } from "./textParts.ts"

/** A filter of a query, with the value to bind. */
export interface AppliedFilter extends Pick<ListFilter<unknown>, "column" | "match" | "type"> {
  readonly index?: ListFilter<unknown>["index"] | undefined
  /** The name of the filter, which is unique in the list. */
  readonly name: string
  readonly value: unknown
  /**
   * The searchable parts of the value of a `contains` filter, separated by spaces. Empty for other filters. {@link
   * textParts} defines the parts.
   */
  readonly parts: unknown
}

/** Returns the `like` pattern that finds a text at any position. Wildcards in the text are escaped. */
const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`

/**
 * Returns the filters of a query in the order of their definitions, so that equal combinations of filters have the same
 * statement.
 */
export const appliedFilters = <Filters>(
  definitions: { readonly [K in keyof Filters]-?: ListFilter<NonNullable<Filters[K]>> },
  filters: Filters
): ReadonlyArray<AppliedFilter> => {
  const applied: Array<AppliedFilter> = []
  for (const name in definitions) {
    const given = filters[name]
    if (given === undefined || given === null) continue
    const { toValue, ...filter } = definitions[name]
    const value = toValue === undefined ? given : toValue(given)
    // Skip the empty object, because every object includes it.
    if (filter.match === "includes" && value === "{}") continue
    applied.push(
      filter.match === "contains"
        ? { ...filter, name, value: likePattern(String(value)), parts: textParts(String(value)).join(" ") }
        : { ...filter, name, value, parts: "" }
    )
  }
  return applied
}

const operators = { contains: "like", equals: "=", includes: "@>", from: ">=", before: "<" } as const

/**
 * Returns the condition of a filter on `item`. If `isHidden` is true, a subquery hides the value from the planner. The
 * planner then makes the same plan for every value.
 */
export const conditionOf =
  (sql: SqlClient.SqlClient, isHidden: boolean) => ({ column, match, type, value }: AppliedFilter): Fragment => {
    const bound = sql`${value}::${sql.literal(type)}`
    return sql`${sql.literal(`item.${column} ${operators[match]}`)} ${isHidden ? sql`(select ${bound})` : bound}`
  }
