/** How many levels deep a body may nest; the deepest that there is has four. */
export const deepestBody = 64

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const within = (value: unknown, depth: number): boolean => {
  switch (typeof value) {
    case "undefined":
    case "string":
    case "boolean":
      return true
    case "number":
      return Number.isFinite(value)
    case "object":
      return value === null || (depth > 0 && (Array.isArray(value) || isPlain(value)) &&
        Object.values(value).every((inner) => within(inner, depth - 1)))
    default:
      return false
  }
}

/**
 * Whether a value is what a JSON text can say, no more than 64 levels deep, which no value is that holds itself. What is undefined
 * counts as absent.
 */
export const isJson = (value: unknown): boolean => within(value, deepestBody)
