import { type PartnerId } from "@lastro/domain"
import { type NaiveForest } from "../hierarchy/naiveForest.ts"
import { type MemoryState } from "./MemoryState.ts"

/** The shape of the partner trees, deleted partners included. */
export const parentsOf = ({ partners }: MemoryState): NaiveForest<PartnerId> =>
  new Map(Array.from(partners, ([id, { partner }]) => [id, partner.parent_id]))
