import { Predicate } from "effect"

/** Returns the value at a path in an untrusted body, or undefined if there is none. Reads own properties only. */
export const valueAt = (body: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (value, key) => Predicate.isReadonlyObject(value) && Object.hasOwn(value, key) ? value[key] : undefined,
    body
  )
