import { type Application, latestQuote, type PartnerDetail } from "@lastro/domain"
import { givenApplication, givenContract, givenForest, givenUser, quoted, saving, withKyc } from "@lastro/testkit"
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

/** An id for each place, made for the partner that is there; where there is none, `without` makes it of an id. */
const idsOf = Effect.fnUntraced(function*<E, R>(
  partners: Readonly<Record<Inhabited, PartnerDetail>>,
  made: (partner: PartnerDetail) => Effect.Effect<string, E, R>,
  without: (id: string) => string = (id) => id
) {
  const ids: Readonly<Record<Place, string>> = {
    unknown: without(nowhere.unknown),
    malformed: without(nowhere.malformed),
    own: yield* made(partners.own),
    child: yield* made(partners.child),
    grandchild: yield* made(partners.grandchild),
    sibling: yield* made(partners.sibling),
    parent: yield* made(partners.parent),
    stranger: yield* made(partners.stranger)
  }
  return ids
})

/** An application of a partner that has offers and a complete KYC. */
const givenOffered = Effect.fnUntraced(function*(partner: PartnerDetail) {
  const opened = yield* givenApplication(partner)
  const offered = yield* saving(opened, yield* quoted(opened))
  return yield* saving(offered, withKyc(offered))
})

/** The id of an application with offers in each place. */
export const givenApplicationIds = (partners: Readonly<Record<Inhabited, PartnerDetail>>) =>
  idsOf(partners, (partner) => Effect.map(givenOffered(partner), ({ application_id }) => application_id as string))

const offerPath = (application: Application): string =>
  `${application.application_id}/offers/${latestQuote(application).offers[0]?.offer_id}`

/** The path of an offer in each place, below that of applications. */
export const givenOfferPaths = (partners: Readonly<Record<Inhabited, PartnerDetail>>) =>
  idsOf(partners, (partner) => Effect.map(givenOffered(partner), offerPath), (id) => `${id}/offers/${id}`)

/** The consumer's own reference of an application in each place. */
export const givenReferences = (partners: Readonly<Record<Inhabited, PartnerDetail>>) =>
  idsOf(partners, (partner) => Effect.map(givenApplication(partner), ({ external_id }) => external_id))

/** The id of a proposal in each place. */
export const givenProposalIds = (partners: Readonly<Record<Inhabited, PartnerDetail>>) =>
  idsOf(partners, (partner) => Effect.map(givenContract(partner), ({ proposal }) => String(proposal?.proposal_id)))

/** The id of a user of the partner in each place; in `own` it is the caller itself. */
export const givenUserIds = Effect.fnUntraced(function*(
  partners: Readonly<Record<Inhabited, PartnerDetail>>,
  own: string
) {
  const ids = yield* idsOf(partners, (partner) => Effect.map(givenUser(partner), ({ user_id }) => user_id as string))
  return { ...ids, own }
})
