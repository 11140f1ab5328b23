import { type SortBy } from "@lastro/domain"
import * as fc from "fast-check"
import { sortOf } from "./paging.ts"

/** Values of the parameter `sort` with the order they ask for. */
export interface SortExample<F extends string> {
  readonly values: ReadonlyArray<string>
  readonly sort: ReadonlyArray<SortBy<F>>
}

const inSomeCase = (text: string): fc.Arbitrary<string> =>
  fc.tuple(...Array.from(text, (letter) => fc.constantFrom(letter, letter.toUpperCase())))
    .map((letters) => letters.join(""))

/** Valid values of the parameter `sort`: directions in any letter case, an ascending one left out of some. */
export const sortValues = <F extends string>(fields: readonly [F, ...Array<F>]): fc.Arbitrary<SortExample<F>> =>
  sortOf(fields).chain((sort) =>
    fc.tuple(...sort.map(({ direction, property }) => {
      const full = inSomeCase(direction).map((cased) => `${property},${cased}`)
      return direction === "asc" ? fc.oneof(full, fc.constant(property)) : full
    })).map((values) => ({ values, sort }))
  )
