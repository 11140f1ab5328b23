/** Returns the value at a path of a JSON value. Undefined if there is none. */
export const at = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (found, name) =>
      typeof found === "object" && found !== null && Object.hasOwn(found, name)
        ? (found as Readonly<Record<string, unknown>>)[name]
        : undefined,
    value
  )

/** Returns the non-empty text at a path. Null if there is none. */
export const textAt = (value: unknown, ...path: ReadonlyArray<string>): string | null => {
  const found = at(value, ...path)
  return typeof found === "string" && found !== "" ? found : null
}

/** Returns the number at a path. It may be written as a text. Null if there is none. */
export const numberAt = (value: unknown, ...path: ReadonlyArray<string>): number | null => {
  const found = at(value, ...path)
  const number = typeof found === "string" && /^-?\d+(?:\.\d+)?$/.test(found) ? Number(found) : found
  return typeof number === "number" && Number.isFinite(number) ? number : null
}

/** Returns the list at a path. Empty if there is none. */
export const listAt = (value: unknown, ...path: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/** Parses JSON. Returns undefined if the text is not JSON. */
export const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
