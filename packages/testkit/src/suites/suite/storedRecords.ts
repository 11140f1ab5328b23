import { type AuditEntry, AuditLog } from "@lastro/domain/audit"
import { asOperator } from "@lastro/domain/hierarchy"
import { type Application, lastExpiryOf, latestQuote } from "@lastro/domain/loan"
import { ApplicationRepository, type ContractedApplication, isContracted } from "@lastro/domain/origination"
import { type PartnerDetail, PartnerRepository } from "@lastro/domain/partner"
import { PartnerTree } from "@lastro/domain/ports"
import { type UserDetail, type UserListItem, UserRepository } from "@lastro/domain/user"
import { currentTimestamp, type ProposalId, type Timestamp } from "@lastro/domain/values"
import { Effect } from "effect"
import { type History } from "../../arbitraries/histories.ts"
import {
  acceptQuotedOffer,
  answerWithOffers,
  recordContractStatus,
  submitExampleKyc
} from "../../builders/applicationStages.ts"
import { exampleInstant, freshHistory, freshId } from "../../builders/Fresh.ts"
import {
  saveApplication,
  storeApplication,
  storeContractedApplication,
  storeForest
} from "../../builders/storedRecords.ts"
import { atomically } from "../suite/transactions.ts"
import { recordOrRefusal, requireInScope, scopeOfPartner } from "./queries.ts"

/** An instant after the creation of all example records. */
export const later = "2026-02-01T00:00:00.000Z" as Timestamp

/** Reads a partner as a caller who belongs to that partner. */
export const readPartner = (partner: PartnerDetail) =>
  Effect.map(
    PartnerRepository.use((partners) => partners.find(scopeOfPartner(partner), partner.partner_id)),
    recordOrRefusal
  )

/** Reads the name of a partner, or the reason why the partner is not found. */
export const readName = (partner: PartnerDetail) =>
  Effect.map(readPartner(partner), (found) => typeof found === "string" ? found : found.name)

/** Returns whether a partner is stored. */
export const isStored = (partner: PartnerDetail) => Effect.map(readPartner(partner), (found) => found !== "NotFound")

/** Finds a partner for update, as a caller who belongs to that partner. */
export const findPartnerForUpdate = (partner: PartnerDetail) =>
  requireInScope(
    PartnerRepository.use((partners) => partners.findForUpdate(scopeOfPartner(partner), partner.partner_id))
  )

/** Inserts the root of a new tree. */
export const insertRoot = (partner: PartnerDetail) =>
  Effect.gen(function*() {
    yield* Effect.orDie((yield* PartnerRepository).insertRoot(asOperator.inScope(partner)))
  })

/** Renames a partner. */
export const renamePartner = (partner: PartnerDetail, name: string) =>
  Effect.gen(function*() {
    const before = yield* findPartnerForUpdate(partner)
    yield* (yield* PartnerRepository).update(before, { ...before.record, name })
  })

/** Removes a partner. */
export const removePartner = (partner: PartnerDetail) =>
  Effect.gen(function*() {
    yield* (yield* PartnerRepository).remove(yield* findPartnerForUpdate(partner), later)
  })

/** The partner of a caller, with the partners inside and outside of the caller's scope. */
interface ScopeExample {
  readonly caller: PartnerDetail
  readonly inside: ReadonlyArray<PartnerDetail>
  readonly outside: ReadonlyArray<PartnerDetail>
}

/** Stores a branching tree of five levels, and a second tree. Returns the scope of one caller at each level. */
export const storeScopeExamples = Effect.gen(function*() {
  const partners = yield* storeForest([null, 0, 1, 2, 3, 2, 0, null])
  const [root, upper, middle, lower, leaf, branch, sibling, stranger] = partners
  const scopes: ReadonlyArray<ScopeExample> = [
    { caller: root, inside: [root, upper, middle, lower, leaf, branch, sibling], outside: [stranger] },
    { caller: upper, inside: [upper, middle, lower, leaf, branch], outside: [root, sibling, stranger] },
    { caller: middle, inside: [middle, lower, leaf, branch], outside: [root, upper, sibling, stranger] },
    { caller: lower, inside: [lower, leaf], outside: [root, upper, middle, branch, sibling, stranger] },
    { caller: branch, inside: [branch], outside: [root, upper, middle, lower, leaf, sibling, stranger] },
    { caller: leaf, inside: [leaf], outside: [root, upper, middle, lower, branch, sibling, stranger] }
  ]
  return { partners, scopes }
})

/** Locks the tree, and moves a partner below `parent` unless this would make a cycle. */
export const moveIfAcyclic = (root: Pick<PartnerDetail, "partner_id">, partner: PartnerDetail, parent: PartnerDetail) =>
  Effect.gen(function*() {
    const tree = yield* PartnerTree
    yield* atomically(Effect.gen(function*() {
      yield* tree.lock(root.partner_id, "exclusive")
      const newParent = asOperator.inScope(parent.partner_id)
      if (yield* tree.isWithin(asOperator.inScope(partner), newParent)) return
      yield* tree.move(asOperator.inScope(partner), newParent)
    }))
  })

/** Reads a user as a caller who belongs to the partner `caller`. */
export const readUser = (caller: PartnerDetail, { user_id }: UserListItem) =>
  Effect.map(UserRepository.use((users) => users.find(scopeOfPartner(caller), user_id)), recordOrRefusal)

/** Finds a user for update, as a caller who belongs to the partner `caller`. */
export const findUserForUpdate = (caller: PartnerDetail, { user_id }: UserListItem) =>
  requireInScope(UserRepository.use((users) => users.findForUpdate(scopeOfPartner(caller), user_id)))

/** Removes a user, as a caller who belongs to the partner `caller`. */
export const removeUser = (caller: PartnerDetail, user: UserListItem) =>
  Effect.gen(function*() {
    yield* (yield* UserRepository).remove(yield* findUserForUpdate(caller, user), later)
  })

/** Returns the details of a user of this partner. */
export const userDetailOf = (partner: PartnerDetail, user: UserListItem): UserDetail => ({
  ...user,
  partners: [{ partner_id: partner.partner_id, name: partner.name }]
})

/** Reads an application as a caller who belongs to the partner `caller`. */
export const readApplication = (caller: PartnerDetail, { application_id }: Application) =>
  Effect.map(
    ApplicationRepository.use((applications) => applications.find(scopeOfPartner(caller), application_id)),
    recordOrRefusal
  )

/** Finds an application for update, as a caller who belongs to the partner `caller`. */
export const findApplicationForUpdate = (caller: PartnerDetail, { application_id }: Application) =>
  requireInScope(
    ApplicationRepository.use((applications) => applications.findForUpdate(scopeOfPartner(caller), application_id))
  )

/** Stores an application of a partner, and saves its state after each step of a history. Returns the last state. */
export const storeHistory = Effect.fnUntraced(function*(partner: PartnerDetail, history: History) {
  const { opening: { _tag, partner_id: _, ...opening }, steps } = yield* freshHistory(history, partner.partner_id)
  let state = yield* storeApplication(partner, opening)
  for (const { after } of steps) state = yield* saveApplication(state, after)
  return state
})

/**
 * Increments the version of an application. Yields to other fibers between the read and the write, so that a missing
 * lock is detected.
 */
export const incrementVersion = Effect.fnUntraced(function*(caller: PartnerDetail, application: Application) {
  const before = yield* findApplicationForUpdate(caller, application)
  yield* Effect.yieldNow
  const after = { ...before.record, version: before.record.version + 1 }
  yield* (yield* ApplicationRepository).save(asOperator.inScope(before.record), after)
})

/** Narrows the type of an application that has a proposal. Throws if it has none. */
export const requireContracted = (application: Application): ContractedApplication => {
  if (!isContracted(application)) throw new Error("The application has no proposal.")
  return application
}

/** Returns the id of the proposal of an application. */
export const proposalIdOf = (application: Application): ProposalId =>
  requireContracted(application).proposal.proposal_id

/** Stores an application with a paid contract, and returns it. */
export const storePaid = Effect.fnUntraced(function*(partner: PartnerDetail) {
  const contract = yield* storeContractedApplication(partner)
  return yield* saveApplication(contract, recordContractStatus(contract, "PAID"))
})

/** Builds an audit entry about a record of a partner. `fields` overrides the defaults. */
export const anAuditEntry = Effect.fnUntraced(function*(
  { partner_id }: Pick<PartnerDetail, "partner_id">,
  fields: Partial<AuditEntry> = {}
) {
  const entry: AuditEntry = {
    id: yield* freshId,
    at: exampleInstant,
    actor: "operator",
    action: "partner.update",
    subject_id: yield* freshId,
    partner_id,
    before: { name: "A***a" },
    after: { name: "B***a" },
    changed: ["name"],
    request_id: "req-1",
    ...fields
  }
  return entry
})

/** Records an audit entry about a record of a partner. */
export const storeAuditEntry = Effect.fnUntraced(function*(
  partner: Pick<PartnerDetail, "partner_id">,
  fields: Partial<AuditEntry> = {}
) {
  const entry = yield* anAuditEntry(partner, fields)
  yield* (yield* AuditLog).record(entry)
  return entry
})

/** Stores an application whose quote has offers. Returns it, and the time at which its last offer expires. */
export const storeQuoted = Effect.fnUntraced(function*(partner: PartnerDetail) {
  const pending = yield* storeApplication(partner)
  const quoted = yield* saveApplication(pending, yield* answerWithOffers(pending))
  return { quoted, expiry: lastExpiryOf(latestQuote(quoted)) ?? exampleInstant }
})

/** Stores an application with an accepted offer. The lender of all its offers has this code. */
export const storeAcceptedAt = Effect.fnUntraced(function*(partner: PartnerDetail, lender: string) {
  const opened = yield* storeApplication(partner, { at: yield* currentTimestamp })
  const quoted = yield* answerWithOffers(opened)
  const offers = latestQuote(quoted).offers.map((offer) => ({ ...offer, lender }))
  const offered: Application = { ...quoted, quotes: [{ ...latestQuote(quoted), offers }] }
  return yield* saveApplication(opened, yield* acceptQuotedOffer(submitExampleKyc(offered)))
})
