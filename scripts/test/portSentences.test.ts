import { assert, describe, it } from "@effect/vitest"
import { because, findSentenceProblems, portSentences } from "../portSentences.ts"

const source = `
/** Stores things. A thing has
 * a name. */
export class Things extends Context.Service<Things, {
  /** Finds a thing. Returns null for an unknown name. */
  readonly find: (name: string) => Effect<Thing | null>
  readonly size: number
  /** Removes a thing. For the operator only. */
  readonly remove: (name: string) => Effect<void>
}>()("Things") {}
`

const sentences = portSentences("Things", source) ?? []

describe("portSentences", () => {
  it("returns each sentence of the port and of its methods", () => {
    assert.deepStrictEqual(sentences, [
      "Stores things.",
      "A thing has a name.",
      "find: Finds a thing.",
      "find: Returns null for an unknown name.",
      "remove: Removes a thing.",
      "remove: For the operator only."
    ])
  })

  it("returns null for a port that the file does not declare", () => {
    assert.isNull(portSentences("Others", source))
  })
})

describe("findSentenceProblems", () => {
  const proofs = [
    ["Stores things | find: Finds", "`find` returns"],
    ["has a name", because("a definition")],
    ["Returns null", "unknown name"],
    ["Removes", "`remove` removes"]
  ] as const
  const names = ["`find` returns a thing", "`find` returns null for an unknown name", "`remove` removes a thing"]

  it("returns nothing if each sentence has a case or a reason", () => {
    assert.deepStrictEqual(findSentenceProblems(sentences, proofs, names), [])
  })

  it("reports a sentence without a case, a proof of no sentence, and a proof that names no case", () => {
    assert.deepStrictEqual(findSentenceProblems(sentences, proofs.slice(1), names), [
      `no case proves the sentence "Stores things."`,
      `no case proves the sentence "find: Finds a thing."`
    ])
    assert.deepStrictEqual(findSentenceProblems(sentences.slice(0, 4), proofs, names), [
      `the port has no sentence with "Removes"`
    ])
    assert.deepStrictEqual(findSentenceProblems(sentences, proofs, names.slice(0, 2)), [
      `"Removes": no case has a name with "\`remove\` removes"`
    ])
  })
})
