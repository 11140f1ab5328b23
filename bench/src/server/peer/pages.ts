import { Refusal } from "./Refusal.ts"

/** The parameters of a list, as the client sent them. */
export type Query = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** A sort criterion. */
export interface Sort {
  readonly property: string
  readonly direction: "asc" | "desc"
}

export interface Page {
  readonly number: number
  readonly size: number
  readonly sort: ReadonlyArray<Sort>
}

/** Returns the first value of a parameter. Empty if the parameter is absent. */
export const first = (query: Query, name: string): string => {
  const value = query[name]
  return (typeof value === "string" ? value : value?.[0]) ?? ""
}

const refuse = (field: string, code: string, message: string, params: object): never => {
  throw new Refusal("VALIDATION_FAILED", [{ field, code, message, params }])
}

interface Bounds {
  readonly least: number
  readonly most: number
  /** The value if the parameter is absent. */
  readonly absent: number
}

const integer = (query: Query, name: string, { absent, least, most }: Bounds): number => {
  if (query[name] === undefined) return absent
  const text = first(query, name)
  return /^-?[0-9]+$/.test(text)
    ? Math.min(Math.max(Number(text), least), most)
    : refuse(`query.${name}`, "INVALID_TYPE", "The value must be of type integer.", { expected: "integer" })
}

const unknownSort = (allowed: string): never =>
  refuse("query.sort", "UNKNOWN_VALUE", `The value must be one of: ${allowed}.`, { allowed })

const sortsOf = (query: Query, columns: Readonly<Record<string, string>>): ReadonlyArray<Sort> => {
  const sorts = new Map<string, Sort>()
  for (const text of [query["sort"] ?? []].flat()) {
    if (text === "") continue
    const [name = "", way = "asc", ...more] = text.split(",")
    const property = name === "full_name" && "name" in columns ? "name" : name
    const direction = way.toLowerCase()
    if (!Object.hasOwn(columns, property)) return unknownSort(Object.keys(columns).join(", "))
    if (more.length > 0 || (direction !== "asc" && direction !== "desc")) return unknownSort("asc, desc")
    if (!sorts.has(property)) sorts.set(property, { property: name, direction })
  }
  return sorts.size === 0 ? [{ property: "created_at", direction: "desc" }] : [...sorts.values()]
}

/**
 * Reads the page number, the page size and the sort of a list request. `columns` has the sort column of each property.
 */
export const pageOf = (query: Query, columns: Readonly<Record<string, string>>): Page => ({
  number: integer(query, "page", { least: 0, most: 1_000_000_000, absent: 0 }),
  size: integer(query, "size", { least: 1, most: 100, absent: 20 }),
  sort: sortsOf(query, columns)
})

/** Returns the last fields of a list's response. */
export const pageEnd = ({ number, size, sort }: Page, total: number) => ({
  page: { number, size, total_elements: total, total_pages: Math.ceil(total / size) },
  sort
})
