const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/**
 * Whether two JSON values are equal, whatever the order of their keys. For records, which are never deeper than their schemas;
 * it takes a fraction of the time of `Equal.equals`, which hashes both of them first.
 */
export const isSame = (one: unknown, other: unknown): boolean => {
  if (one === other) return true
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return false
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
}
