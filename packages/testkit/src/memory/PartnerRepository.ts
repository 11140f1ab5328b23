import { sealFound, type SubtreeScope } from "@lastro/domain/hierarchy"
import { compareBy, type SortKey } from "@lastro/domain/input"
import { isUnfinished } from "@lastro/domain/loan"
import {
  DocumentTaken,
  type PartnerDetail,
  type PartnerFilters,
  partnerListItem,
  PartnerRepository,
  type PartnerSortField
} from "@lastro/domain/partner"
import { type PartnerId } from "@lastro/domain/values"
import { Effect, Layer, Option, Result } from "effect"
import { isWithin, rootOf } from "../hierarchy/naiveForest.ts"
import { matchesMetadata, matchesText, matchesValue } from "./filters.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { type MemoryState, parentsOf, withEntry } from "./MemoryState.ts"
import { readSlice } from "./readSlice.ts"

const livePartners = ({ partners }: MemoryState): ReadonlyArray<PartnerDetail> =>
  Array.from(partners.values()).filter(({ deleted_at }) => deleted_at === null).map(({ partner }) => partner)

const passes = (filters: PartnerFilters) => (partner: PartnerDetail): boolean =>
  matchesText(partner.name, filters.name)
  && matchesText(partner.email, filters.email)
  && (filters.document_number === undefined || partner.document_number.includes(filters.document_number))
  && matchesValue(partner.person_type, filters.person_type)
  && matchesValue(partner.status, filters.status)
  && matchesValue(partner.parent_id, filters.parent_id)
  && matchesMetadata(partner.metadata, filters.metadata)

const sortKeys: Readonly<Record<PartnerSortField, SortKey<PartnerDetail>>> = {
  created_at: ({ created_at }) => created_at,
  name: ({ name }) => name,
  document_number: ({ document_number }) => document_number,
  email: ({ email }) => email,
  status: ({ status }) => status
}

const inOrder = compareBy(sortKeys, ({ partner_id }) => partner_id)

const insertBelow = (partner: PartnerDetail, parent: PartnerId | null) => (state: MemoryState) => {
  const parents = parentsOf(state)
  const root = parent === null ? partner.partner_id : rootOf(parents, parent)
  const taken = livePartners(state).some((other) =>
    other.document_number === partner.document_number && rootOf(parents, other.partner_id) === root
  )
  return taken
    ? Result.fail(new DocumentTaken())
    : Result.succeed({
      ...state,
      partners: withEntry(state.partners, partner.partner_id, {
        partner: { ...partner, parent_id: parent },
        deleted_at: null
      })
    })
}

/** In-memory `PartnerRepository`. */
export const layer = Layer.effect(
  PartnerRepository,
  Effect.map(MemoryDatabase, ({ change, state }) => {
    const find = (scope: SubtreeScope, id: PartnerId) =>
      Effect.map(state, (now) => {
        const stored = now.partners.get(id)
        return stored === undefined || stored.deleted_at !== null
          ? Option.none()
          : Option.some(sealFound(stored.partner, isWithin(parentsOf(now), scope.partner_id, id)))
      })
    const replace = (id: PartnerId, f: (stored: PartnerDetail) => PartnerDetail) =>
      change((now) => {
        const stored = now.partners.get(id)
        return Result.succeed(
          stored === undefined
            ? now
            : { ...now, partners: withEntry(now.partners, id, { ...stored, partner: f(stored.partner) }) }
        )
      })
    return PartnerRepository.of({
      find,
      findForUpdate: find,
      list: (scope, { filters, page, sort }, budget) =>
        Effect.flatMap(state, (now) => {
          const parents = parentsOf(now)
          const slice = readSlice({
            inScope: livePartners(now).filter(({ partner_id }) => isWithin(parents, scope.partner_id, partner_id)),
            passes: passes(filters),
            filters,
            order: inOrder(sort),
            page,
            budget
          })
          return Effect.map(slice, ({ items, total }) => ({ items: items.map(partnerListItem), total }))
        }),
      insert: (parent, partner) => change(insertBelow(partner, parent.record)),
      insertRoot: ({ record }) => change(insertBelow(record, null)),
      update: (before, after) =>
        replace(
          before.record.partner_id,
          ({ created_at, document_number, parent_id, partner_id, person_type }) => ({
            ...after,
            created_at,
            document_number,
            parent_id,
            partner_id,
            person_type
          })
        ),
      remove: ({ record }, at) =>
        change((now) =>
          Result.succeed({
            ...now,
            partners: withEntry(now.partners, record.partner_id, { partner: record, deleted_at: at })
          })
        ),
      dependents: ({ record: { partner_id } }) =>
        Effect.map(state, (now) => ({
          children: livePartners(now).filter(({ parent_id }) => parent_id === partner_id).length,
          users: Array.from(now.users.values()).filter(({ deleted_at, user }) =>
            deleted_at === null && user.partner_id === partner_id
          ).length,
          applications: Array.from(now.applications.values()).filter(({ application }) =>
            application.partner_id === partner_id && isUnfinished(application)
          ).length
        }))
    })
  })
)
