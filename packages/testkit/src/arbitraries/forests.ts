import * as fc from "fast-check"

/**
 * The shape of a forest. Each element is the index of the parent, which comes earlier in the list, or `null` for a
 * root.
 */
export type ForestShape = readonly [null, ...Array<number | null>]

const shapeOf = (rest: ReadonlyArray<number | null>): ForestShape => [null, ...rest]

/** Trees in which each node is the only child of the previous node. */
const chains = (length: fc.Arbitrary<number>): fc.Arbitrary<ForestShape> =>
  length.map((more) => shapeOf(Array.from({ length: more }, (_, index) => index)))

/** Trees in which all nodes are children of the first node. */
const stars = (length: fc.Arbitrary<number>): fc.Arbitrary<ForestShape> =>
  length.map((more) => shapeOf(Array.from({ length: more }, () => 0)))

/** Trees in which each node is the child of a random earlier node. Most of these trees are shallow. */
const recursiveTrees = (length: fc.Arbitrary<number>): fc.Arbitrary<ForestShape> =>
  length.chain((more) => fc.tuple(...Array.from({ length: more }, (_, index) => fc.nat({ max: index }))).map(shapeOf))

/** Forests in which each node is a root, or the child of a random earlier node. */
const severalTrees = (length: fc.Arbitrary<number>): fc.Arbitrary<ForestShape> =>
  length.chain((more) =>
    fc.tuple(...Array.from({ length: more }, (_, index) => fc.option(fc.nat({ max: index }), { freq: 3 }))).map(shapeOf)
  )

/** Shapes of forests of 1 to `maxNodes` nodes: chains, stars, random recursive trees, and several trees. */
export const forestShape = (maxNodes = 12): fc.Arbitrary<ForestShape> => {
  const length = fc.nat({ max: maxNodes - 1 })
  return fc.oneof(
    chains(length),
    stars(length),
    { weight: 2, arbitrary: recursiveTrees(length) },
    { weight: 3, arbitrary: severalTrees(length) }
  )
}
