import { type SubtreeScope } from "@lastro/domain/hierarchy"
import { type SortKey } from "@lastro/domain/input"
import { isPaidOrFinal, isUnfinished } from "@lastro/domain/loan"
import {
  DocumentTaken,
  type PartnerDetail,
  type PartnerFilters,
  partnerListItem,
  PartnerRepository,
  type PartnerSortField
} from "@lastro/domain/partner"
import { PartnerTree } from "@lastro/domain/ports"
import { type PartnerId } from "@lastro/domain/values"
import { Effect, Layer, Option, Result, Stream } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { alter, type MemoryState, put, rootOf, sealWithin, treeOf } from "./MemoryState.ts"
import { exportRows, ListOrder, listRows, matchesMetadata, matchesText, matchesValue } from "./readSlice.ts"

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

const inOrder = new ListOrder(sortKeys, ({ partner_id }) => partner_id)

const insertBelow = (partner: PartnerDetail, parent: PartnerId | null) => (state: MemoryState) => {
  const root = parent === null ? partner.partner_id : rootOf(state, parent)
  const isTaken = livePartners(state).some((other) =>
    other.document_number === partner.document_number && rootOf(state, other.partner_id) === root
  )
  return isTaken
    ? Result.fail(new DocumentTaken())
    : Result.succeed(
      put(state, "partners", partner.partner_id, { partner: { ...partner, parent_id: parent }, deleted_at: null })
    )
}

const isInChain = (chain: ReadonlyArray<{ readonly partner_id: PartnerId }> | undefined, id: PartnerId): boolean =>
  chain?.some(({ partner_id }) => partner_id === id) === true

const isLive = ({ partners }: MemoryState, id: PartnerId): boolean => partners.get(id)?.deleted_at === null

/** In-memory `PartnerRepository`. */
export const layerPartnerRepository = Layer.effect(
  PartnerRepository,
  Effect.map(MemoryDatabase, ({ change, state, update }) => {
    const find = (scope: SubtreeScope, id: PartnerId) =>
      Effect.map(state, (now) =>
        Option.map(
          Option.filter(Option.fromUndefinedOr(now.partners.get(id)), ({ deleted_at }) => deleted_at === null),
          ({ partner }) => sealWithin(now, scope, id, partner)
        ))
    const list = listRows(state, { rows: livePartners, passes, inOrder })
    const exportAll = exportRows(state, { rows: livePartners, passes, inOrder })
    return PartnerRepository.of({
      find,
      findForUpdate: find,
      list: (scope, query, budget) =>
        Effect.map(list(scope, query, budget), (slice) => ({ ...slice, items: slice.items.map(partnerListItem) })),
      exportAll: (scope, query) => Stream.map(exportAll(scope, query), partnerListItem),
      insert: (parent, partner) => change(insertBelow(partner, parent.record)),
      insertRoot: ({ record }) => change(insertBelow(record, null)),
      update: ({ record: { partner_id } }, after) =>
        update((now) =>
          alter(now, "partners", partner_id, (stored) => {
            const { created_at, document_number, parent_id, person_type } = stored.partner
            const unchanged = { created_at, document_number, parent_id, partner_id, person_type }
            return { ...stored, partner: { ...after, ...unchanged } }
          })
        ),
      remove: ({ record }, at) =>
        update((now) =>
          alter(now, "partners", record.partner_id, (stored) => ({ ...stored, partner: record, deleted_at: at }))
        ),
      dependents: ({ record: { partner_id } }) =>
        Effect.map(state, (now) => {
          const applications = Array.from(now.applications.values(), ({ application }) => application)
          const openContracts = applications.filter(({ proposal }) =>
            proposal !== null && !isPaidOrFinal(proposal) && isInChain(proposal.commission?.chain, partner_id)
          )
          const openHostContracts = Array.from(now.hostContracts.values()).filter(({ frozen, status }) =>
            status === "ACCEPTED" && isInChain(frozen?.chain, partner_id)
          )
          return {
            children: livePartners(now).filter(({ parent_id }) => parent_id === partner_id).length,
            users: Array.from(now.users.values()).filter(({ deleted_at, user }) =>
              deleted_at === null && user.partner_id === partner_id
            ).length,
            applications: applications.filter((application) =>
              application.partner_id === partner_id && isUnfinished(application)
            ).length,
            unpaid_commissions: now.entries.reduce(
              (sum, entry) =>
                entry.partner_id === partner_id && entry.status !== "PAID" ? sum + entry.amount : sum,
              0
            ),
            open_commissions: openContracts.length + openHostContracts.length
          }
        })
    })
  })
)

/**
 * Returns the place of a partner: its root, and whether the partner and all its ancestors are active. Undefined for a
 * deleted or unknown partner.
 */
export const placeOf = (state: MemoryState, id: PartnerId) => {
  const path = treeOf(state).pathToRoot(id)
  const root_id = path.at(-1)
  const partners_active = path.every((id) => state.partners.get(id)?.partner.status === "active")
  return root_id === undefined || !isLive(state, id) ? undefined : { partner_id: id, root_id, partners_active }
}

/**
 * In-memory `PartnerTree`. Units of work run one at a time, so locks never wait. They are recorded, because a move dies
 * without an exclusive lock. A move also dies if it would make a cycle.
 */
export const layerPartnerTree = Layer.effect(
  PartnerTree,
  Effect.map(MemoryDatabase, ({ change, state, update }) =>
    PartnerTree.of({
      lock: (root, mode) => update((now) => now.holds.get(root) === "exclusive" ? now : put(now, "holds", root, mode)),
      find: (scope, id) =>
        Effect.map(state, (now) => isLive(now, id) ? Option.some(sealWithin(now, scope, id, id)) : Option.none()),
      findPlace: (id) => Effect.map(state, (now) => Option.fromUndefinedOr(placeOf(now, id))),
      contains: (scope, id) => Effect.map(state, (now) => treeOf(now).isWithin(scope.partner_id, id)),
      list: (scope, limit) => Effect.map(state, (now) => treeOf(now).subtree(scope.partner_id).slice(0, limit)),
      isWithin: (top, id) => Effect.map(state, (now) => treeOf(now).isWithin(top.record.partner_id, id.record)),
      move: ({ record: { partner_id } }, { record: parent_id }) =>
        Effect.orDie(change((now) => {
          const root = rootOf(now, partner_id)
          if (root === undefined || now.holds.get(root) !== "exclusive") {
            return Result.fail(new Error("PartnerTree.move: the tree must be locked exclusively"))
          }
          if (!treeOf(now).has(parent_id) || treeOf(now).isWithin(partner_id, parent_id)) {
            return Result.fail(new Error("PartnerTree.move: the parent is unknown, or the move would make a cycle"))
          }
          return Result.succeed(
            alter(now, "partners", partner_id, (stored) => ({
              ...stored,
              partner: { ...stored.partner, parent_id },
              moves: (stored.moves ?? 0) + 1
            }))
          )
        }))
    }))
)
