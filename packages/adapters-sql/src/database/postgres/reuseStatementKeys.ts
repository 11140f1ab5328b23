import { Predicate } from "effect"

/** Maximum number of statement texts whose keys are cached. */
const maxTexts = 2_000

/** The last key of each statement text, and the parameter types that the key contains. */
const keys = new Map<string, { readonly types: string; readonly key: string }>()

/** Returns the key of a statement. It is the same string object for each call with the same types. */
const keyOf = (text: string, parameterTypes: ReadonlyArray<number>): string => {
  if (parameterTypes.length === 0) return text
  const types = parameterTypes.join()
  const known = keys.get(text)
  if (known?.types === types) return known.key
  if (keys.size >= maxTexts) keys.clear()
  const key = `${text}\0${types}`
  keys.set(text, { types, key })
  return key
}

type Get = (text: string, parameterTypes: ReadonlyArray<number>) => unknown

const isGet = (value: unknown): value is Get => typeof value === "function"

/**
 * Lets a connection find its prepared statements by a key that is computed once. `@effect/sql-pg` joins text and
 * parameter types for each execution, and V8 copies and hashes the whole new text, which takes 11 µs for 4 000
 * characters. Does nothing if the connection has no such cache.
 */
export const reuseStatementKeys = (connection: object): void => {
  if (!Predicate.hasProperty(connection, "prepared")) return
  const { prepared } = connection
  if (!Predicate.hasProperty(prepared, "get") || !isGet(prepared.get)) return
  const get = prepared.get.bind(prepared)
  // Without types, the cache uses the text itself as the key.
  prepared.get = (text: string, parameterTypes: ReadonlyArray<number>) => get(keyOf(text, parameterTypes), [])
}
