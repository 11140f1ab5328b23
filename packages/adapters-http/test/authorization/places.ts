import { AuditLog } from "@lastro/domain/audit"
import {
  CommissionLedger,
  CommissionPlans,
  CommissionSettlement,
  type Period,
  type StoredPayout
} from "@lastro/domain/commission"
import { EventLog } from "@lastro/domain/event"
import { asOperator } from "@lastro/domain/hierarchy"
import { type Application, latestQuote } from "@lastro/domain/loan"
import { type PartnerDetail } from "@lastro/domain/partner"
import { type CalendarDate, centavos } from "@lastro/domain/values"
import { WebhookRepository } from "@lastro/domain/webhook"
import {
  aCommissionEntry,
  aCommissionPlan,
  answerWithOffers,
  exampleInstant,
  freshId,
  saveApplication,
  storeApplication,
  storeContractedApplication,
  storeForest,
  storeUser,
  storeWebhook,
  submitExampleKyc
} from "@lastro/testkit"
import { Effect } from "effect"
import { givenCaller, givenClient } from "../given.ts"

/** The place of a record in the hierarchy, relative to a caller of the partner `own`. */
export const places = ["own", "child", "grandchild", "sibling", "parent", "stranger", "unknown", "malformed"] as const
export type Place = typeof places[number]

/** The places that have a partner. */
export const inhabited = ["own", "child", "grandchild", "sibling", "parent", "stranger"] as const
export type Inhabited = typeof inhabited[number]

/** Ids without a record. */
const missing = { unknown: "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40", malformed: "nonsense" }

/** Arranges a partner in each place, and an administrator of `own` as the caller. */
export const givenPlaces = Effect.gen(function*() {
  const [parent, own, child, grandchild, sibling, stranger] = yield* storeForest([null, 0, 1, 2, 0, null])
  const partners: Readonly<Record<Inhabited, PartnerDetail>> = { parent, own, child, grandchild, sibling, stranger }
  return { partners, caller: yield* givenCaller(own) }
})

/** Returns the id of the partner in each place. */
export const partnerIds = (partners: Readonly<Record<Inhabited, PartnerDetail>>): Readonly<Record<Place, string>> => ({
  ...missing,
  own: partners.own.partner_id,
  child: partners.child.partner_id,
  grandchild: partners.grandchild.partner_id,
  sibling: partners.sibling.partner_id,
  parent: partners.parent.partner_id,
  stranger: partners.stranger.partner_id
})

/** Makes an id for each place from its partner. `formatMissing` makes it for places without one. */
const idsOf = Effect.fnUntraced(function*<E, R>(
  partners: Readonly<Record<Inhabited, PartnerDetail>>,
  makeId: (partner: PartnerDetail) => Effect.Effect<string, E, R>,
  formatMissing: (id: string) => string = (id) => id
) {
  const ids: Readonly<Record<Place, string>> = {
    unknown: formatMissing(missing.unknown),
    malformed: formatMissing(missing.malformed),
    own: yield* makeId(partners.own),
    child: yield* makeId(partners.child),
    grandchild: yield* makeId(partners.grandchild),
    sibling: yield* makeId(partners.sibling),
    parent: yield* makeId(partners.parent),
    stranger: yield* makeId(partners.stranger)
  }
  return ids
})

/** Arranges an application of a partner, with offers and a complete KYC. */
const givenOffered = Effect.fnUntraced(function*(partner: PartnerDetail) {
  const opened = yield* storeApplication(partner)
  const offered = yield* saveApplication(opened, yield* answerWithOffers(opened))
  return yield* saveApplication(offered, submitExampleKyc(offered))
})

/** Arranges an application with offers in each place and returns their ids. */
export const givenApplicationIds = (partners: Readonly<Record<Inhabited, PartnerDetail>>) =>
  idsOf(partners, (partner) => Effect.map(givenOffered(partner), ({ application_id }) => application_id as string))

const offerPath = (application: Application): string =>
  `${application.application_id}/offers/${latestQuote(application).offers[0]?.offer_id}`

/** Arranges an offer in each place and returns their paths below `/applications`. */
export const givenOfferPaths = (partners: Readonly<Record<Inhabited, PartnerDetail>>) =>
  idsOf(partners, (partner) => Effect.map(givenOffered(partner), offerPath), (id) => `${id}/offers/${id}`)

/** Arranges an application in each place and returns their external ids. */
export const givenReferences = (partners: Readonly<Record<Inhabited, PartnerDetail>>) =>
  idsOf(partners, (partner) => Effect.map(storeApplication(partner), ({ external_id }) => external_id))

/** Arranges a proposal in each place and returns their ids. */
export const givenProposalIds = (partners: Readonly<Record<Inhabited, PartnerDetail>>) =>
  idsOf(
    partners,
    (partner) => Effect.map(storeContractedApplication(partner), ({ proposal }) => String(proposal?.proposal_id))
  )

/** Arranges an API client in each place and returns their ids. No client can have the malformed one. */
export const givenClientIds = (partners: Readonly<Record<Inhabited, PartnerDetail>>) =>
  idsOf(
    partners,
    (partner) => Effect.map(givenClient(partner), ({ client }) => client.client_id),
    (id) => id === missing.malformed ? "not+a+client" : id
  )

/** Arranges a webhook in each place and returns their ids, or the paths of a delivery of each. */
export const givenWebhookIds = (partners: Readonly<Record<Inhabited, PartnerDetail>>, deliveries = false) =>
  idsOf(
    partners,
    Effect.fnUntraced(function*(partner: PartnerDetail) {
      const webhook = yield* storeWebhook(partner)
      const event_id = yield* freshId
      const test = { event_id, sequence: null, type: "webhook.test", body: "{}" }
      yield* (yield* WebhookRepository).addTest(asOperator.inScope(webhook), test)
      return deliveries ? `${webhook.webhook_id}/deliveries/${event_id}` : webhook.webhook_id
    }),
    (id) => deliveries ? `${id}/deliveries/${id}` : id
  )

type Partners = Readonly<Record<Inhabited, PartnerDetail>>

/** Returns the partner in each place and those above it, the root last. */
const pathsOf = ({ child, grandchild, own, parent, sibling, stranger }: Partners): Readonly<
  Record<Inhabited, ReadonlyArray<PartnerDetail>>
> => ({
  own: [own, parent],
  child: [child, own, parent],
  grandchild: [grandchild, child, own, parent],
  sibling: [sibling, parent],
  parent: [parent],
  stranger: [stranger]
})

/** Arranges a commission plan of the partner in each place. */
export const givenCommissionPlans = Effect.fnUntraced(function*(partners: Partners) {
  const { insert } = yield* CommissionPlans
  for (const place of inhabited) {
    const partner = partners[place]
    const valid_from = "2020-01-01" as CalendarDate
    yield* insert(asOperator.inScope(partner.partner_id), yield* aCommissionPlan(partner, { valid_from }))
  }
})

const period = "2020-01" as Period

/** Arranges an open commission entry of the partner in each place. */
export const givenCommissions = Effect.fnUntraced(function*(partners: Partners) {
  const paths = pathsOf(partners)
  for (const place of inhabited) {
    const entry = yield* aCommissionEntry(paths[place], { period })
    yield* CommissionLedger.use((ledger) => ledger.append([entry]))
  }
})

/** Arranges a payout to the partner in each place, which those above it see. */
export const givenPayouts = Effect.fnUntraced(function*(partners: Partners) {
  const paths = pathsOf(partners)
  for (const place of inhabited) {
    const viewers = paths[place].map(({ partner_id }) => partner_id)
    const { partner_id } = partners[place]
    const payout: StoredPayout = {
      payout_id: (yield* freshId) as StoredPayout["payout_id"],
      partner_id,
      viewers,
      period,
      amount: centavos(100),
      withheld: [],
      net_amount: centavos(100),
      reference: "TED 1",
      paid_at: exampleInstant,
      created_at: exampleInstant
    }
    yield* CommissionSettlement.use((one) =>
      one.pay(asOperator.scope(partner_id), asOperator.inScope(partner_id), payout)
    )
  }
})

/** Arranges an audit entry and an event about the partner in each place. */
export const givenAuditEntries = Effect.fnUntraced(function*(partners: Readonly<Record<Inhabited, PartnerDetail>>) {
  for (const place of inhabited) {
    const { partner_id } = partners[place]
    yield* (yield* AuditLog).record({
      id: yield* freshId,
      at: exampleInstant,
      actor: "operator",
      action: "partner.activate",
      subject_id: partner_id,
      partner_id,
      before: null,
      after: null,
      changed: [],
      request_id: null
    })
    yield* (yield* EventLog).append([{
      event_id: yield* freshId,
      type: "partner.activated",
      occurred_at: exampleInstant,
      partner_id,
      subject: { kind: "partner", id: partner_id, version: null },
      data: { partner_id },
      request_id: null,
      actor: { kind: "operator", id: "operator" }
    }])
  }
})

/** Arranges a user in each place and returns their ids. In `own` it is the caller itself. */
export const givenUserIds = Effect.fnUntraced(function*(
  partners: Readonly<Record<Inhabited, PartnerDetail>>,
  own: string
) {
  const ids = yield* idsOf(partners, (partner) => Effect.map(storeUser(partner), ({ user_id }) => user_id as string))
  return { ...ids, own }
})
