import {
  type ApplicationRepository,
  type Contracted,
  fold,
  isContracted,
  matchesFolded,
  type PartnerDetail,
  type PartnerRepository,
  type ProposalFilters,
  proposalListItem,
  ProposalRepository,
  type ProposalSortField,
  proposalSortFields,
  ProposalStatus,
  type PublicProposalListItem,
  type SortKey,
  type Timestamp
} from "@lastro/domain"
import { Effect } from "effect"
import * as fc from "fast-check"
import { forestShape } from "../arbitraries/forests.ts"
import { contractedHistory } from "../arbitraries/histories.ts"
import { type Needle, needle, needleIn } from "../arbitraries/needles.ts"
import { sparse } from "../arbitraries/sparse.ts"
import { givenForest } from "../given/givenForest.ts"
import { givenHistory } from "./applicationsUnderTest.ts"
import { type ContractCases } from "./ContractSuite.ts"
import { forAll, propertyTimeout } from "./forAll.ts"
import { listQuestion, questionsAgree } from "./listQuestions.ts"

const keys: Readonly<Record<ProposalSortField, SortKey<PublicProposalListItem>>> = {
  created_at: (item) => item.created_at,
  updated_at: (item) => item.updated_at,
  status: (item) => item.status,
  net_amount: (item) => item.loan.net_amount
}

/** What a question filters by; contracts and partners are meant by their place, counted around. */
interface WantedFilters {
  readonly cpf?: number
  readonly customer_name?: Needle
  readonly external_id?: number
  readonly status?: ProposalStatus
  readonly partner_id?: number
  readonly created_from?: number
  readonly created_to?: number
  readonly updated_from?: number
  readonly updated_to?: number
}

const wantedFilters: fc.Arbitrary<WantedFilters> = sparse({
  cpf: fc.nat(),
  customer_name: needle,
  external_id: fc.nat(),
  status: fc.constantFrom(...ProposalStatus.literals),
  partner_id: fc.nat(),
  created_from: fc.nat(),
  created_to: fc.nat(),
  updated_from: fc.nat(),
  updated_to: fc.nat()
})

const question = listQuestion(proposalSortFields, wantedFilters)

const filtersOf = (
  { customer_name, partner_id, status, ...places }: WantedFilters,
  contracts: ReadonlyArray<Contracted>,
  partners: ReadonlyArray<PartnerDetail>
): ProposalFilters => {
  const at = (place: number | undefined) => place === undefined ? undefined : contracts[place % contracts.length]
  const given: Record<string, string | undefined> = {
    status,
    customer_name: customer_name && needleIn(contracts.map(({ proposal }) => proposal.customer.name), customer_name),
    cpf: at(places.cpf)?.customer.cpf,
    external_id: at(places.external_id)?.external_id,
    partner_id: partner_id === undefined ? undefined : partners[partner_id % partners.length]?.partner_id,
    created_from: at(places.created_from)?.proposal.created_at,
    created_to: at(places.created_to)?.proposal.created_at,
    updated_from: at(places.updated_from)?.proposal.updated_at,
    updated_to: at(places.updated_to)?.proposal.updated_at
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

const isBetween = (at: Timestamp, from: Timestamp | undefined, to: Timestamp | undefined): boolean =>
  (from === undefined || from <= at) && (to === undefined || at < to)

const passes = (filters: ProposalFilters) => ({ external_id, partner_id, proposal }: Contracted): boolean =>
  (filters.cpf === undefined || proposal.customer.cpf === filters.cpf)
  && (filters.customer_name === undefined || matchesFolded(fold(proposal.customer.name), filters.customer_name))
  && (filters.external_id === undefined || external_id === filters.external_id)
  && (filters.status === undefined || proposal.status === filters.status)
  && (filters.partner_id === undefined || partner_id === filters.partner_id)
  && isBetween(proposal.created_at, filters.created_from, filters.created_to)
  && isBetween(proposal.updated_at, filters.updated_from, filters.updated_to)

/** The contract of ProposalRepository's lists. */
export const proposalListCases: ContractCases<ApplicationRepository | PartnerRepository | ProposalRepository> = (
  it,
  { runs }
) => {
  it(
    "T02 T03 list equals brute force over the naive model, for random forests, callers, filters and sorts",
    () =>
      forAll(
        fc.record({
          shape: forestShape(6),
          rows: fc.array(fc.record({ partner: fc.nat(), history: contractedHistory }), { maxLength: 6 }),
          questions: fc.array(question, { minLength: 1, maxLength: 4 })
        }),
        runs,
        Effect.fnUntraced(function*({ questions, rows, shape }) {
          const repository = yield* ProposalRepository
          const partners = yield* givenForest<ReadonlyArray<number | null>>(shape)
          const all = yield* Effect.forEach(
            rows,
            ({ history, partner }) => givenHistory(partners[partner % partners.length] as PartnerDetail, history)
          )
          const contracts = all.filter(isContracted)
          yield* questionsAgree(questions, {
            partners,
            rows: contracts,
            filtersOf: (wanted) => filtersOf(wanted, contracts, partners),
            passes,
            shown: proposalListItem,
            keys,
            id: ({ proposal_id }) => proposal_id
          }, repository.list)
        })
      ),
    propertyTimeout
  )
}
