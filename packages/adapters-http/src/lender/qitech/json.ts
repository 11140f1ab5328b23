/** Returns the value at a path of a JSON value. Undefined if there is none. */
export const at = (value: unknown, ...path: ReadonlyArray<string>): unknown => {
  let inner = value
  for (const name of path) {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, name)) return undefined
    inner = Reflect.get(inner, name)
  }
  return inner
}

/** Returns the non-empty text at a path. Null if there is none. */
export const textAt = (value: unknown, ...path: ReadonlyArray<string>): string | null => {
  const text = at(value, ...path)
  return typeof text === "string" && text !== "" ? text : null
}

/** Returns the number at a path, also if it is written as a text. Null if there is none. */
export const numberAt = (value: unknown, ...path: ReadonlyArray<string>): number | null => {
  const stated = at(value, ...path)
  const number = typeof stated === "string" && /^-?\d+(?:\.\d+)?$/.test(stated) ? Number(stated) : stated
  return typeof number === "number" && Number.isFinite(number) ? number : null
}

/** Returns the list at a path. Empty if there is none. */
export const listAt = (value: unknown, ...path: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  const list = at(value, ...path)
  return Array.isArray(list) ? list : []
}

/** Parses JSON. Returns undefined if the text is not JSON. */
export const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
