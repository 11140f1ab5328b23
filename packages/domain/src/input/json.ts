import { Predicate, type Schema } from "effect"

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/**
 * Returns whether an object keeps a key in the order of insertion. JavaScript moves integer keys to the front, and an
 * assignment to `__proto__` adds no key.
 */
const keepsOrder = (key: string): boolean => !isDigit(key.charCodeAt(0)) && key !== "__proto__"

/** Copies a value with object keys in code-unit order. Returns undefined if an object cannot keep this order. */
const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    const items = value.map((item) => item === undefined ? null : ordered(item))
    return items.includes(undefined) ? undefined : items
  }
  if (!Predicate.isReadonlyObject(value)) return value
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value).toSorted()) {
    const member = value[key]
    if (member === undefined) continue
    const inner = keepsOrder(key) ? ordered(member) : undefined
    if (inner === undefined) return undefined
    copy[key] = inner
  }
  return copy
}

/** Serialises like `canonicalJson`, but member by member, which is slow. */
const canonicalMembers = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalMembers).join(",")}]`
  if (!Predicate.isReadonlyObject(value)) return JSON.stringify(value) ?? "null"
  const members = Object.keys(value).filter((key) => value[key] !== undefined).toSorted().map((key) =>
    `${JSON.stringify(key)}:${canonicalMembers(value[key])}`
  )
  return `{${members.join(",")}}`
}

/** Serialises a value as JSON with object keys in code-unit order. Equal values have equal texts. */
export const canonicalJson = (value: unknown): string => {
  const copy = ordered(value)
  return copy === undefined ? canonicalMembers(value) : JSON.stringify(copy)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Returns whether a JSON value is an object: no array, and not null. */
export const isJsonObject = (value: Schema.Json): value is Schema.JsonObject => isObject(value) && !Array.isArray(value)

/**
 * Returns whether two JSON values are equal, in any order of keys. It recurses, so use it only for records, whose depth
 * their schema limits. It is faster than `Equal.equals`, which hashes both values first.
 */
export const isSame = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]))
}

/** Maximum nesting depth of a body. The deepest body of the API has four levels. */
export const maxBodyDepth = 64

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const isJsonWithin = (value: unknown, depth: number): boolean => {
  switch (typeof value) {
    case "undefined":
    case "string":
    case "boolean":
      return true
    case "number":
      return Number.isFinite(value)
    case "object":
      return value === null || (depth > 0 && (Array.isArray(value) || isPlain(value)) &&
        Object.values(value).every((inner) => isJsonWithin(inner, depth - 1)))
    default:
      return false
  }
}

/**
 * Returns whether a value can be written as JSON with at most 64 levels of nesting. Cyclic values cannot. `undefined`
 * counts as absent.
 */
export const isJson = (value: unknown): boolean => isJsonWithin(value, maxBodyDepth)
