import { type PartnerDetail, type PartnerRepository } from "@lastro/domain"
import { Effect } from "effect"
import { type PartnerFields } from "./aPartner.ts"
import { givenChild, givenRoot } from "./givenPartner.ts"

/** A partner for each place of a shape. */
export type PartnersOf<S extends ReadonlyArray<number | null>> = { readonly [K in keyof S]: PartnerDetail }

/**
 * Adds partners in the given shape, as the operator: the parent of each is one that stands before it, by its index, or
 * `null` for a root. `fields` gives the fields of the partner at an index that are not the example's.
 */
export const givenForest = <const S extends ReadonlyArray<number | null>>(
  shape: S,
  fields: (index: number) => PartnerFields = () => ({})
): Effect.Effect<PartnersOf<S>, never, PartnerRepository> =>
  Effect.gen(function*() {
    const partners: Array<PartnerDetail> = []
    for (const [index, above] of shape.entries()) {
      const parent = above === null ? undefined : partners[above]
      partners.push(yield* (parent === undefined ? givenRoot(fields(index)) : givenChild(parent, fields(index))))
    }
    return partners as ReadonlyArray<PartnerDetail> as PartnersOf<S>
  })
