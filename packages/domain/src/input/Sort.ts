import { type Array as Arr, Result } from "effect"
import { type FieldProblem, fieldProblem, problem } from "./FieldProblem.ts"

/** The directions of a sort: ascending and descending. */
export const sortDirections = ["asc", "desc"] as const
/** The direction of a sort: ascending or descending. */
export type SortDirection = typeof sortDirections[number]

/** A sort by one property of the list items. */
export interface SortBy<F extends string = string> {
  readonly property: F
  readonly direction: SortDirection
  /** The alias of the property in the request. Absent if the request uses the property's own name. */
  readonly alias?: string
}

/**
 * A list is sorted by time by default, newest first. The field is `created_at`, or `at` in the audit.
 * @rule PAGE-08
 */
export const sortOrDefault = <F extends string, T extends string = "created_at">(
  sort: ReadonlyArray<SortBy<F>>,
  time: T = "created_at" as T
): Arr.NonEmptyReadonlyArray<SortBy<F | T>> => {
  const [first, ...rest] = sort
  return first === undefined ? [{ property: time, direction: "desc" }] : [first, ...rest]
}

/**
 * If a request sorts by the same property twice, by its name or an alias, the first sort counts.
 * @rule PAGE-09
 */
export const firstOfEachProperty = <F extends string>(sort: Iterable<SortBy<F>>): ReadonlyArray<SortBy<F>> => {
  const byProperty = new Map<F, SortBy<F>>()
  for (const by of sort) if (!byProperty.has(by.property)) byProperty.set(by.property, by)
  return [...byProperty.values()]
}

/**
 * A direction is `asc` or `desc`, in upper or lower case. The default is `asc`.
 * @rule PAGE-10
 */
export const parseDirection = (text: string | undefined): SortDirection | undefined => {
  const lower = text?.toLowerCase() ?? "asc"
  return sortDirections.find((direction) => direction === lower)
}

/**
 * The parameter `sort` has the form `field` or `field,direction`, and can be repeated. Its values apply in the order
 * sent. Empty values are ignored. A field is an exact property name or alias, and the response shows the sent one. An
 * unknown field or direction is UNKNOWN_VALUE on `query.sort`, with the allowed values.
 *
 * Each kind of problem is reported once, so that the response does not grow with the number of wrong values.
 * @rule PAGE-11
 */
export const parseSort = <F extends string, T extends string = "created_at">(
  fields: ReadonlyArray<F>,
  aliases: Readonly<Record<string, F>> = {},
  time: T = "created_at" as T
): (
  raw: ReadonlyArray<string>
) => Result.Result<
  Arr.NonEmptyReadonlyArray<SortBy<F | T>>,
  Arr.NonEmptyReadonlyArray<FieldProblem>
> => {
  const properties = new Map<string, F>([...Object.entries(aliases), ...fields.map((field) => [field, field] as const)])
  const unknownField = fieldProblem("query.sort", problem("UNKNOWN_VALUE", { allowed: fields.join(", ") }))
  const unknownDirection = fieldProblem("query.sort", problem("UNKNOWN_VALUE", { allowed: sortDirections.join(", ") }))
  return (raw) => {
    const sorts: Array<SortBy<F>> = []
    const problems = new Set<FieldProblem>()
    for (const text of raw) {
      if (text === "") continue
      const comma = text.indexOf(",")
      const name = comma < 0 ? text : text.slice(0, comma)
      const property = properties.get(name)
      const direction = parseDirection(comma < 0 ? undefined : text.slice(comma + 1))
      if (property === undefined) problems.add(unknownField)
      if (direction === undefined) problems.add(unknownDirection)
      if (property !== undefined && direction !== undefined) {
        sorts.push(name === property ? { property, direction } : { property, direction, alias: name })
      }
    }
    const [first, ...rest] = problems
    return first === undefined
      ? Result.succeed(sortOrDefault(firstOfEachProperty(sorts), time))
      : Result.fail([first, ...rest])
  }
}
