import * as fc from "fast-check"

/**
 * Records with none of these fields, with one, with two, or seldom with any number: filters made this way leave something
 * to be seen most of the time.
 */
export const sparse = <T extends object>(
  fields: { readonly [K in keyof T]: fc.Arbitrary<T[K]> }
): fc.Arbitrary<Partial<T>> => {
  const names = Object.keys(fields) as Array<keyof T>
  const some = (count: number) =>
    fc.subarray(names, { minLength: count, maxLength: count }).chain((chosen) =>
      fc.record(Object.fromEntries(chosen.map((name) => [name, fields[name]]))) as fc.Arbitrary<Partial<T>>
    )
  return fc.oneof(
    { weight: 3, arbitrary: some(0) },
    { weight: 3, arbitrary: some(1) },
    { weight: 3, arbitrary: some(2) },
    { weight: 1, arbitrary: fc.record(fields, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>> }
  )
}
