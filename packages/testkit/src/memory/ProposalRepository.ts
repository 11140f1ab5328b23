import { sealFound } from "@lastro/domain/hierarchy"
import { codeSortKey, compareBy, type SortKey } from "@lastro/domain/input"
import {
  type ContractedApplication,
  isContracted,
  type ProposalFilters,
  proposalListItem,
  ProposalRepository,
  type ProposalSortField,
  type PublicProposalListItem
} from "@lastro/domain/origination"
import { Effect, Layer, Option } from "effect"
import { isWithin } from "../hierarchy/naiveForest.ts"
import { isBetween, matchesText, matchesValue } from "./filters.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { type MemoryState, parentsOf, withPartner } from "./MemoryState.ts"
import { readSlice } from "./readSlice.ts"

const contractsOf = (state: MemoryState): ReadonlyArray<ContractedApplication> =>
  Array.from(state.applications.values(), (stored) => withPartner(state, stored)).filter(isContracted)

const passes = (filters: ProposalFilters) => ({ external_id, partner_id, proposal }: ContractedApplication): boolean =>
  matchesValue(proposal.customer.cpf, filters.cpf)
  && matchesText(proposal.customer.name, filters.customer_name)
  && matchesValue(external_id, filters.external_id)
  && matchesValue(proposal.status, filters.status)
  && matchesValue(partner_id, filters.partner_id)
  && isBetween(proposal.created_at, filters.created_from, filters.created_to)
  && isBetween(proposal.updated_at, filters.updated_from, filters.updated_to)

const sortKeys: Readonly<Record<ProposalSortField, SortKey<PublicProposalListItem>>> = {
  created_at: ({ created_at }) => created_at,
  updated_at: ({ updated_at }) => updated_at,
  status: ({ status }) => codeSortKey(status),
  net_amount: ({ loan }) => loan.net_amount
}

const inOrder = compareBy(sortKeys, ({ proposal_id }) => proposal_id)

/** In-memory `ProposalRepository`. */
export const layer = Layer.effect(
  ProposalRepository,
  Effect.map(MemoryDatabase, ({ state }) =>
    ProposalRepository.of({
      find: (scope, id) =>
        Effect.map(state, (now) =>
          Option.map(
            Option.fromUndefinedOr(contractsOf(now).find(({ proposal }) => proposal.proposal_id === id)),
            (application) => sealFound(application, isWithin(parentsOf(now), scope.partner_id, application.partner_id))
          )),
      list: (scope, { filters, page, sort }, budget) =>
        Effect.flatMap(state, (now) => {
          const parents = parentsOf(now)
          const order = inOrder(sort)
          const slice = readSlice({
            inScope: contractsOf(now).filter(({ partner_id }) => isWithin(parents, scope.partner_id, partner_id)),
            passes: passes(filters),
            filters,
            order: (self, that) => order(proposalListItem(self), proposalListItem(that)),
            page,
            budget
          })
          return Effect.map(slice, ({ items, total }) => ({ items: items.map(proposalListItem), total }))
        })
    }))
)
