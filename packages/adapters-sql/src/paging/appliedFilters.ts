import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { type ListFilter, type PlacesAt } from "./Listing.ts"

/** Maximum length of a part in characters. Such a part has three trigrams. */
const partLength = 5

/** Distance between the starts of two parts of a word, in characters. */
const partStep = 2

/** Maximum number of parts of a text. */
const maxParts = 10

/** Returns the parts that start at every second character of a word, and the part at its end. */
const partsOf = (word: string): ReadonlyArray<string> => {
  const last = Math.max(0, word.length - partLength)
  return Array.from({ length: 1 + Math.ceil(last / partStep) }, (_, index) => {
    const start = Math.min(index * partStep, last)
    return word.slice(start, start + partLength)
  })
}

/**
 * Returns parts of a searched text that a trigram index can find: at most ten, each of three to five ASCII letters or
 * digits. Returns none if the text has no such part. The index reads all records of every trigram in the searched text,
 * so a search for the rarest part is much faster than for the whole text. Only ASCII letters count: the locale of the
 * database determines which other letters a trigram can contain.
 */
export const textParts = (text: string): ReadonlyArray<string> => {
  const words = text.match(/[a-z0-9]{3,}/gi) ?? []
  const parts = [...new Set(words.flatMap(partsOf))]
  // Choose at most `maxParts` parts, evenly distributed over the text.
  const step = Math.max(1, parts.length / maxParts)
  return parts.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
}

/** A filter of a query with its value. */
export interface AppliedFilter extends Pick<ListFilter<unknown>, "column" | "match" | "type"> {
  readonly index?: ListFilter<unknown>["index"] | undefined
  readonly path?: string | undefined
  /** The name of the filter, which is unique in the list. */
  readonly name: string
  readonly value: unknown
  /**
   * A second value to bind. For `contains`: the searchable parts of the text, separated by spaces (see {@link
   * textParts}). For `placed`: the time. Otherwise empty.
   */
  readonly second: unknown
}

/** Returns the `like` pattern that finds a text at any position. Escapes wildcards in the text. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`

/**
 * Returns the filters of a query in the order of their definitions, so equal combinations of filters have the same
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
    // Skip the empty object: every object includes it.
    if (filter.match === "includes" && value === "{}") continue
    applied.push({ ...filter, name, ...boundValues(filter.match, value) })
  }
  return applied
}

const boundValues = (match: AppliedFilter["match"], value: unknown): Pick<AppliedFilter, "value" | "second"> => {
  if (match === "contains") return { value: likePattern(String(value)), second: textParts(String(value)).join(" ") }
  if (match !== "placed") return { value, second: "" }
  const { at, places } = value as PlacesAt
  return { value: places, second: at }
}

/** Returns whether a filter binds two values. */
export const hasSecond = ({ match }: Pick<AppliedFilter, "match">): boolean =>
  match === "contains" || match === "placed"

const operators = { contains: "like", equals: "=", includes: "@>", from: ">=", before: "<" } as const

/**
 * SQL expressions about the place of the application `item` at a time (FGTS-72). `isStored` is true if the stored place
 * applies at that time. `isEnded` is true if it has ended, and `isNotBegun` if it has not begun: partial indexes support
 * both. `place` is the place from the stored course.
 */
export const placeAt = (sql: SqlClient.SqlClient, at: Fragment) => ({
  isEnded: sql`item.place_until <= ${at} and item.place_until < 'infinity'`,
  isNotBegun: sql`item.place_from > ${at} and item.place_from > '-infinity'`,
  isStored: sql`item.place_from <= ${at} and item.place_until > ${at}`,
  place: sql`(
      select step ->> 'place' from json_array_elements(item.course) step
      where step ->> 'from' is null or (step ->> 'from')::timestamptz <= ${at}
      order by step ->> 'from' desc nulls last limit 1
    )`
})

const makeConditionOf =
  (sql: SqlClient.SqlClient, isHidden: boolean) =>
  ({ column, match, path, second, type, value }: AppliedFilter): Fragment => {
    const cast = (bound: Fragment, type: string) =>
      isHidden
        ? sql`(select ${bound}::${sql.literal(type)})::${sql.literal(type)}`
        : sql`${bound}::${sql.literal(type)}`
    if (match === "oneOf") return sql`${sql.literal(`item.${column}`)} = any(${cast(sql`${value}`, `${type}[]`)})`
    if (match === "placed") {
      const [places, at] = [cast(sql`${value}`, "text[]"), cast(sql`${second}`, "timestamptz")]
      const { isEnded, isNotBegun, isStored, place } = placeAt(sql, at)
      return sql`(
        item.place = any(${places}) and ${isStored} or (${isEnded} or ${isNotBegun}) and ${place} = any(${places})
      )`
    }
    const compared = path === undefined ? `item.${column}` : `(item.${column} #>> '${path}')::${type}`
    return sql`${sql.literal(`${compared} ${operators[match]}`)} ${cast(sql`${value}`, type)}`
  }

/** Returns the condition of a filter on `item`. The planner makes a plan for each value. */
export const conditionOf = (sql: SqlClient.SqlClient) => makeConditionOf(sql, false)

/** Returns the condition of a filter on `item`. A subquery hides the value, so one plan serves all values. */
export const hiddenConditionOf = (sql: SqlClient.SqlClient) => makeConditionOf(sql, true)

/** Returns the columns of `item` that the conditions of filters read. */
export const columnsOf = (filters: ReadonlyArray<AppliedFilter>): ReadonlyArray<string> =>
  filters.flatMap(({ column, match }) =>
    match === "placed" ? ["place", "place_from", "place_until", "course"] : [column]
  )
