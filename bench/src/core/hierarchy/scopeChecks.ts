import { growTree, randomness, seededIds } from "@lastro/adapters-sql/seed"
import { hierarchyOf } from "@lastro/domain"
import { Result } from "effect"
import { type Part, part } from "../Part.ts"
import { isWithinByWalking } from "./walk.ts"

/** A question: whether the second partner is within the first. */
type Question = readonly [top: string, id: string]

type Pair = readonly [id: string, parent: string | null]

/** How many questions are asked in one run. */
const count = 20_000

/** The same values in texts of their own, as they come out of a request. */
const freshly = <A>(value: A): A => JSON.parse(JSON.stringify(value))

const treeOf = (partners: number, seed: number): ReadonlyArray<Pair> => {
  const parents = growTree(partners, randomness(seed, "core partners"))
  const idOf = seededIds(seed, "core partners")
  const ids = freshly(Array.from(parents, (_, index) => idOf(index, Date.UTC(2026, 0) + index)))
  return ids.map((id, index) => [id, ids[parents[index] ?? -1] ?? null] as const)
}

/** Half of them ask about a partner and one above it, half about any two. */
const questionsOf = (pairs: ReadonlyArray<Pair>, seed: number): ReadonlyArray<Question> => {
  const random = randomness(seed, "core questions")
  const parents = new Map(pairs)
  const any = (): string => pairs[random.below(pairs.length)]?.[0] ?? ""
  const above = (id: string): string => {
    let at = id
    while (random.chance(0.7)) at = parents.get(at) ?? at
    return at
  }
  return Array.from({ length: count }, (_, index) => {
    const id = any()
    return [index % 2 === 0 ? above(id) : any(), id] as const
  })
}

/** Scope checks in a hierarchy of so many partners, and how many milliseconds making that took. */
export const scopeChecks = (
  partners: number,
  seed: number
): { readonly parts: ReadonlyArray<Part>; readonly made: number } => {
  const pairs = treeOf(partners, seed)
  const start = performance.now()
  const hierarchy = Result.getOrThrow(hierarchyOf(pairs))
  const made = performance.now() - start
  const walk = isWithinByWalking(new Map(pairs))
  const checks = (name: string, questions: ReadonlyArray<Question>) =>
    part(name, questions, {
      ours: ([top, id]) => hierarchy.isWithin(top, id),
      byHand: ([top, id]) => walk(top, id),
      comparable: (answer) => answer
    })
  const questions = questionsOf(pairs, seed)
  return {
    parts: [checks("scope check", questions), checks("scope check, ids as they arrive", freshly(questions))],
    made
  }
}
