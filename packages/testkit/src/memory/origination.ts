import { codeSortKey, type SortKey } from "@lastro/domain/input"
import { isSamePerson } from "@lastro/domain/kyc"
import { paidAt } from "@lastro/domain/loan"
import {
  type ContractedApplication,
  isContracted,
  KycSuggestions,
  type ProposalFilters,
  proposalListItem,
  proposalNullsLast,
  ProposalRepository,
  type ProposalSortField
} from "@lastro/domain/origination"
import { Effect, Layer, Option, Stream } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { type MemoryState, sealWithin, treeOf, withPartner } from "./MemoryState.ts"
import { exportRows, isBetween, ListOrder, listRows, matchesAny, matchesText, matchesValue } from "./readSlice.ts"

const contractsOf = (state: MemoryState): ReadonlyArray<ContractedApplication> =>
  Array.from(state.applications.values(), (stored) => withPartner(state, stored)).filter(isContracted)

const passes = (filters: ProposalFilters) => (application: ContractedApplication): boolean => {
  const { external_id, partner_id, proposal } = application
  const { lender, paid_at, table } = proposalListItem(application)
  return matchesValue(proposal.customer.cpf, filters.cpf)
    && matchesText(proposal.customer.name, filters.customer_name)
    && matchesAny(external_id, filters.external_id)
    && matchesAny(proposal.status, filters.status)
    && matchesValue(partner_id, filters.partner_id)
    && matchesValue(proposal.created_by, filters.created_by)
    && matchesValue(proposal.number, filters.number)
    && matchesValue(lender, filters.lender)
    && matchesValue(table.code, filters.table)
    && isBetween(paid_at, filters.paid_from, filters.paid_to)
    && isBetween(proposal.created_at, filters.created_from, filters.created_to)
    && isBetween(proposal.updated_at, filters.updated_from, filters.updated_to)
}

const sortKeys: Readonly<Record<ProposalSortField, SortKey<ContractedApplication>>> = {
  created_at: ({ proposal }) => proposal.created_at,
  updated_at: ({ proposal }) => proposal.updated_at,
  status: ({ proposal }) => codeSortKey(proposal.status),
  net_amount: (application) => proposalListItem(application).loan.net_amount,
  paid_at: ({ proposal }) => paidAt(proposal)
}

const inOrder = new ListOrder(sortKeys, ({ proposal }) => proposal.proposal_id, proposalNullsLast)

/** In-memory `ProposalRepository`. */
export const layerProposalRepository = Layer.effect(
  ProposalRepository,
  Effect.map(MemoryDatabase, ({ state }) => {
    const list = listRows(state, { rows: contractsOf, passes, inOrder })
    const exportAll = exportRows(state, { rows: contractsOf, passes, inOrder })
    return ProposalRepository.of({
      find: (scope, id) =>
        Effect.map(state, (now) =>
          Option.map(
            Option.fromUndefinedOr(contractsOf(now).find(({ proposal }) => proposal.proposal_id === id)),
            (application) => sealWithin(now, scope, application.partner_id, application)
          )),
      list: (scope, query, budget) =>
        Effect.map(list(scope, query, budget), (slice) => ({ ...slice, items: slice.items.map(proposalListItem) })),
      exportAll: (scope, query) => Stream.map(exportAll(scope, query), proposalListItem)
    })
  })
)

/** In-memory `KycSuggestions`, from the stored applications. */
export const layerKycSuggestions = Layer.effect(
  KycSuggestions,
  Effect.map(MemoryDatabase, ({ state }) =>
    KycSuggestions.of({
      suggest: ({ record: { application_id, customer, partner_id } }) =>
        Effect.map(state, (now) => {
          const tree = treeOf(now)
          const submitted = Array.from(now.applications.values()).filter(({ application }) =>
            application.application_id !== application_id && isSamePerson(application.customer, customer) &&
            application.kyc !== null && tree.isWithin(partner_id, application.partner_id)
          )
          const newest = submitted.toSorted((a, b) => (a.kyc_at ?? "") < (b.kyc_at ?? "") ? 1 : -1)[0]
          return Option.fromNullishOr(newest?.application.kyc)
        })
    }))
)
