import { Predicate } from "effect"

/** The value at a path of an untrusted body; undefined where there is none. Reads own properties only. */
export const valueAt = (body: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (value, key) => Predicate.isReadonlyObject(value) && Object.hasOwn(value, key) ? value[key] : undefined,
    body
  )
