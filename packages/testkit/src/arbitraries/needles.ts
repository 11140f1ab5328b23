import { fold, type Folded } from "@lastro/domain"
import * as fc from "fast-check"

/** A part of one of the texts it will be searched in, by places counted around, or a text of its own. */
export type Needle = { readonly text: string } | {
  readonly row: number
  readonly from: number
  readonly length: number
}

/** What to search texts for: mostly parts of them, sometimes what a database takes for a wildcard, or nothing of theirs. */
export const needle: fc.Arbitrary<Needle> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ row: fc.nat(), from: fc.nat({ max: 20 }), length: fc.integer({ min: 1, max: 4 }) })
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("%", "_", "\\", "%%", "a%", "'", "SILVA", "é", "SS").map((text) => ({ text }))
  }
)

/** The text a needle stands for among these; undefined when folding leaves nothing of it, which no filter ever is. */
export const needleIn = (texts: ReadonlyArray<string>, wanted: Needle): Folded | undefined => {
  const characters = "text" in wanted ? [wanted.text] : Array.from(texts[wanted.row % Math.max(1, texts.length)] ?? "")
  const from = "text" in wanted ? 0 : wanted.from % Math.max(1, characters.length)
  const folded = fold(characters.slice(from, "text" in wanted ? 1 : from + wanted.length).join(""))
  return folded === "" ? undefined : folded
}
