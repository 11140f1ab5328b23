import { Effect } from "effect"
import { isDeepStrictEqual } from "node:util"
import { type Variant } from "../measure/interleave.ts"

/** Something that the domain does, and the same as one would write it without Effect. */
export interface Part {
  readonly name: string
  /** How many cases one run goes through. */
  readonly cases: number
  /** In how many cases the two answer differently. */
  readonly differing: number
  readonly byHand: Variant
  readonly ours: Variant
}

/** Where answers go, so that no work is left out because nobody looks at what comes of it. */
const seen: { answer: unknown } = { answer: undefined }

/** Goes through all cases in one run. */
const through = <C>(name: string, cases: ReadonlyArray<C>, f: (one: C) => unknown): Variant => ({
  name,
  run: Effect.sync(() => {
    for (const one of cases) seen.answer = f(one)
  })
})

/** Plain values: the fields of errors, and nothing of their classes. */
const plain = (value: unknown): unknown => {
  const text = JSON.stringify(value)
  return text === undefined ? undefined : JSON.parse(text)
}

/** A part over its cases, in each of which both are asked. `comparable` brings our answer to the shape of the other. */
export const part = <C, A>(name: string, cases: ReadonlyArray<C>, { byHand, comparable, ours }: {
  readonly ours: (one: C) => A
  readonly byHand: (one: C) => unknown
  readonly comparable: (answer: A) => unknown
}): Part => ({
  name,
  cases: cases.length,
  differing: cases.filter((one) => !isDeepStrictEqual(plain(comparable(ours(one))), plain(byHand(one)))).length,
  byHand: through("by hand", cases, byHand),
  ours: through(name, cases, ours)
})
