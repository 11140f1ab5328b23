import { asOperator, type PartnerDetail, PartnerRepository, type Timestamp } from "@lastro/domain"
import { Effect } from "effect"
import { givenForest } from "../given/givenForest.ts"
import { judged, opened, scopeOfPartner } from "./read.ts"

/** An instant after every example was created. */
export const later = "2026-02-01T00:00:00.000Z" as Timestamp

/** The partner as the caller of its own subtree finds it now. */
export const rereadPartner = (partner: PartnerDetail) =>
  Effect.gen(function*() {
    return judged(yield* (yield* PartnerRepository).find(scopeOfPartner(partner), partner.partner_id))
  })

/** The partner found for update, by the caller of its own subtree. */
export const partnerForUpdate = (partner: PartnerDetail) =>
  Effect.gen(function*() {
    return yield* opened((yield* PartnerRepository).findForUpdate(scopeOfPartner(partner), partner.partner_id))
  })

/** Removes the partner as it is now. */
export const removePartner = (partner: PartnerDetail) =>
  Effect.gen(function*() {
    yield* (yield* PartnerRepository).remove(yield* partnerForUpdate(partner), later)
  })

/** A caller's partner, and which of the others lie inside its scope and which outside. */
interface ScopeExample {
  readonly caller: PartnerDetail
  readonly inside: ReadonlyArray<PartnerDetail>
  readonly outside: ReadonlyArray<PartnerDetail>
}

/** Adds a tree of five levels with branches, and a stranger's, with what the callers on each level of it see. */
export const givenScopes = Effect.gen(function*() {
  const partners = yield* givenForest([null, 0, 1, 2, 3, 2, 0, null])
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

/** Gives the partner another name. */
export const renamePartner = (partner: PartnerDetail, name: string) =>
  Effect.gen(function*() {
    const before = yield* partnerForUpdate(partner)
    yield* (yield* PartnerRepository).update(before, { ...before.record, name })
  })

/** Adds the root of a new tree. */
export const insertRoot = (partner: PartnerDetail) =>
  Effect.gen(function*() {
    yield* Effect.orDie((yield* PartnerRepository).insertRoot(asOperator.inScope(partner)))
  })

/** The partner's name now, or why it is not found. */
export const nameOf = (partner: PartnerDetail) =>
  Effect.map(rereadPartner(partner), (found) => typeof found === "string" ? found : found.name)

/** Whether the partner is found now. */
export const isThere = (partner: PartnerDetail) => Effect.map(rereadPartner(partner), (found) => found !== "NotFound")
