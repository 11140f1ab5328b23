import * as fc from "fast-check"

/**
 * Records with none of these fields, with one, or seldom with several: filters made this way leave something to be seen
 * most of the time.
 */
export const sparse = <T extends object>(
  fields: { readonly [K in keyof T]: fc.Arbitrary<T[K]> }
): fc.Arbitrary<Partial<T>> => {
  const names = Object.keys(fields) as Array<keyof T>
  const one = fc.constantFrom(...names).chain((name) =>
    fields[name].map((value) => ({ [name]: value }) as { readonly [K in keyof T]?: T[K] })
  )
  const several = fc.record(fields, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant<Partial<T>>({}) },
    { weight: 3, arbitrary: one },
    { weight: 1, arbitrary: several }
  )
}
