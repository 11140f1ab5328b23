import { Predicate, Result } from "effect"

/** Returns the value at a path in an untrusted body, or undefined if there is none. Reads own properties only. */
export const valueAt = (body: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (value, key) => Predicate.isReadonlyObject(value) && Object.hasOwn(value, key) ? value[key] : undefined,
    body
  )

/** Returns the parsed text at a path in an untrusted body, or undefined if there is no valid one. */
export const readAt = <A>(
  body: unknown,
  path: ReadonlyArray<string>,
  parse: (input: string) => Result.Result<A, unknown>
): A | undefined => {
  const value = valueAt(body, path)
  return typeof value === "string" ? Result.getOrUndefined(parse(value)) : undefined
}
