import { asOperator } from "@lastro/domain/hierarchy"
import { type PartnerDetail, PartnerRepository } from "@lastro/domain/partner"
import { type Timestamp } from "@lastro/domain/values"
import { Effect } from "effect"
import { recordOrRefusal, requireInScope, scopeOfPartner } from "../suite/queries.ts"

/** An instant after the creation of all example records. */
export const later = "2026-02-01T00:00:00.000Z" as Timestamp

/** Reads a partner as a caller who belongs to that partner. */
export const readPartner = (partner: PartnerDetail) =>
  Effect.gen(function*() {
    return recordOrRefusal(yield* (yield* PartnerRepository).find(scopeOfPartner(partner), partner.partner_id))
  })

/** Reads the name of a partner, or the reason why the partner is not found. */
export const readName = (partner: PartnerDetail) =>
  Effect.map(readPartner(partner), (found) => typeof found === "string" ? found : found.name)

/** Returns whether a partner is stored. */
export const isStored = (partner: PartnerDetail) => Effect.map(readPartner(partner), (found) => found !== "NotFound")

/** Finds a partner for update, as a caller who belongs to that partner. */
export const findPartnerForUpdate = (partner: PartnerDetail) =>
  Effect.gen(function*() {
    return yield* requireInScope(
      (yield* PartnerRepository).findForUpdate(scopeOfPartner(partner), partner.partner_id)
    )
  })

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
