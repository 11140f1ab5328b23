import { type PartnerId } from "@lastro/domain"
import { type NaiveForest } from "../hierarchy/naiveForest.ts"
import { type MemoryState } from "./MemoryState.ts"

/** A state is never changed, so that its forest is made once however often it is asked for. */
const forests = new WeakMap<MemoryState["partners"], NaiveForest<PartnerId>>()

/** The shape of the partner trees, deleted partners included. */
export const parentsOf = ({ partners }: MemoryState): NaiveForest<PartnerId> => {
  const known = forests.get(partners)
  if (known !== undefined) return known
  const forest = new Map(Array.from(partners, ([id, { partner }]) => [id, partner.parent_id]))
  forests.set(partners, forest)
  return forest
}
