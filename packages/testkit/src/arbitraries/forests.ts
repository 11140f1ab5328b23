import * as fc from "fast-check"

/** The shape of a forest: the parent of each node is one that stands before it, by its index, or `null` for a root. */
export type ForestShape = readonly [null, ...Array<number | null>]

const shaped = (rest: ReadonlyArray<number | null>): ForestShape => [null, ...rest]

/** Every node below the one before it. */
const chains = (length: fc.Arbitrary<number>): fc.Arbitrary<ForestShape> =>
  length.map((more) => shaped(Array.from({ length: more }, (_, index) => index)))

/** Every node below the first. */
const stars = (length: fc.Arbitrary<number>): fc.Arbitrary<ForestShape> =>
  length.map((more) => shaped(Array.from({ length: more }, () => 0)))

/** Every node below any before it: few deep, many shallow. */
const recursiveTrees = (length: fc.Arbitrary<number>): fc.Arbitrary<ForestShape> =>
  length.chain((more) => fc.tuple(...Array.from({ length: more }, (_, index) => fc.nat({ max: index }))).map(shaped))

/** Every node below any before it, or a root. */
const severalTrees = (length: fc.Arbitrary<number>): fc.Arbitrary<ForestShape> =>
  length.chain((more) =>
    fc.tuple(...Array.from({ length: more }, (_, index) => fc.option(fc.nat({ max: index }), { freq: 3 }))).map(shaped)
  )

/** Shapes of forests of 1 to `maxNodes` nodes: chains, stars, random recursive trees, and several trees at once. */
export const forestShape = (maxNodes = 12): fc.Arbitrary<ForestShape> => {
  const length = fc.nat({ max: maxNodes - 1 })
  return fc.oneof(
    chains(length),
    stars(length),
    { weight: 2, arbitrary: recursiveTrees(length) },
    { weight: 3, arbitrary: severalTrees(length) }
  )
}
