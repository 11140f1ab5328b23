import { type PartnerDetail } from "@lastro/domain"
import { givenForest, givenUser } from "@lastro/testkit"
import { Effect } from "effect"
import { givenCaller } from "../given.ts"

/** Where a record may lie, as seen by a caller who belongs to the partner `own`. */
export const places = ["own", "child", "grandchild", "sibling", "parent", "stranger", "unknown", "malformed"] as const
export type Place = typeof places[number]

/** The places where there is a partner. */
export const inhabited = ["own", "child", "grandchild", "sibling", "parent", "stranger"] as const
export type Inhabited = typeof inhabited[number]

/** Ids that name nothing. */
const nowhere = { unknown: "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40", malformed: "nonsense" }

/** A partner in each place, and an administrator of `own` who asks. */
export const givenPlaces = Effect.gen(function*() {
  const [parent, own, child, grandchild, sibling, stranger] = yield* givenForest([null, 0, 1, 2, 0, null])
  const partners: Readonly<Record<Inhabited, PartnerDetail>> = { parent, own, child, grandchild, sibling, stranger }
  return { partners, caller: yield* givenCaller(own) }
})

/** The id of the partner in each place. */
export const partnerIds = (partners: Readonly<Record<Inhabited, PartnerDetail>>): Readonly<Record<Place, string>> => ({
  ...nowhere,
  own: partners.own.partner_id,
  child: partners.child.partner_id,
  grandchild: partners.grandchild.partner_id,
  sibling: partners.sibling.partner_id,
  parent: partners.parent.partner_id,
  stranger: partners.stranger.partner_id
})

/** The id of a user of the partner in each place; in `own` it is the caller itself. */
export const givenUserIds = Effect.fnUntraced(function*(
  partners: Readonly<Record<Inhabited, PartnerDetail>>,
  own: string
) {
  const user = (place: Inhabited) => Effect.map(givenUser(partners[place]), ({ user_id }) => user_id as string)
  const ids: Readonly<Record<Place, string>> = {
    ...nowhere,
    own,
    child: yield* user("child"),
    grandchild: yield* user("grandchild"),
    sibling: yield* user("sibling"),
    parent: yield* user("parent"),
    stranger: yield* user("stranger")
  }
  return ids
})
