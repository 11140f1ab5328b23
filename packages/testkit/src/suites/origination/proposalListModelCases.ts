import { codeSortKey } from "@lastro/domain/input"
import { paidAt, ProposalStatus } from "@lastro/domain/loan"
import {
  type ContractedApplication,
  isContracted,
  type ProposalFilters,
  proposalListItem,
  proposalNullsLast,
  ProposalRepository,
  proposalSortFields
} from "@lastro/domain/origination"
import { type PartnerDetail } from "@lastro/domain/partner"
import { type Timestamp, timestampOf } from "@lastro/domain/values"
import { Effect, Stream } from "effect"
import * as fc from "fast-check"
import { contractedHistory } from "../../arbitraries/histories.ts"
import { forestShape } from "../../arbitraries/partners.ts"
import { storeForest } from "../../builders/storedRecords.ts"
import {
  comparesField,
  containsText,
  equalsPartner,
  type FilterModels,
  isOneOf,
  isOneOfRows,
  listModelCases
} from "../input/listModelCases.ts"
import { storeHistory } from "../suite/storedRecords.ts"
import { proposalList } from "./proposalCases.ts"

const isEqual = <A>(value: A, filter: A): boolean => value === filter

/** Stands for the missing lender of an old proposal. No filter by lender includes it. */
const unknownLender = "unknown"
const isKnown = (lender: string, filter: string): boolean => lender === filter && lender !== unknownLender
const isFrom = (at: Timestamp, from: Timestamp): boolean => from <= at
const isBefore = (at: Timestamp, to: Timestamp): boolean => at < to

/** Stands for the payment time of a proposal that is not paid. No filter by time includes it. */
const unpaid = timestampOf(0)
const paidOrUnpaid = ({ proposal }: ContractedApplication): Timestamp => paidAt(proposal) ?? unpaid

const filterModels = {
  cpf: comparesField(({ proposal }) => proposal.customer.cpf, isEqual),
  customer_name: containsText(({ proposal }) => proposal.customer.name),
  external_id: isOneOfRows(({ external_id }) => external_id),
  status: isOneOf(({ proposal }) => proposal.status, ProposalStatus.literals),
  partner_id: equalsPartner(({ partner_id }) => partner_id),
  created_by: comparesField(({ proposal }) => proposal.created_by, isEqual),
  number: comparesField(({ proposal }) => proposal.number, isEqual),
  lender: comparesField((application) => proposalListItem(application).lender ?? unknownLender, isKnown),
  table: comparesField((application) => proposalListItem(application).table.code, isEqual),
  paid_from: comparesField(paidOrUnpaid, (at, from) => at !== unpaid && isFrom(at, from)),
  paid_to: comparesField(paidOrUnpaid, (at, to) => at !== unpaid && isBefore(at, to)),
  created_from: comparesField(({ proposal }) => proposal.created_at, isFrom),
  created_to: comparesField(({ proposal }) => proposal.created_at, isBefore),
  updated_from: comparesField(({ proposal }) => proposal.updated_at, isFrom),
  updated_to: comparesField(({ proposal }) => proposal.updated_at, isBefore)
} satisfies FilterModels<ContractedApplication, ProposalFilters>

/** Contract cases that compare the list of ProposalRepository with a brute-force model. */
export const proposalListModelCases = listModelCases({
  exportAll: (scope, query) =>
    Stream.unwrap(ProposalRepository.useSync((proposals) => proposals.exportAll(scope, query))),
  examples: fc.record({
    shape: forestShape(6),
    contracts: fc.array(fc.record({ partner: fc.nat(), history: contractedHistory }), { maxLength: 6 })
  }),
  store: Effect.fnUntraced(function*({ contracts, shape }) {
    const partners = yield* storeForest<ReadonlyArray<number | null>>(shape)
    const applications = yield* Effect.forEach(
      contracts,
      ({ history, partner }) => storeHistory(partners[partner % partners.length] as PartnerDetail, history)
    )
    return { partners, rows: applications.filter(isContracted) }
  }),
  list: proposalList.list,
  filters: filterModels,
  sortFields: proposalSortFields,
  sortKeys: {
    created_at: (item) => item.created_at,
    updated_at: (item) => item.updated_at,
    status: (item) => codeSortKey(item.status),
    net_amount: (item) => item.loan.net_amount,
    paid_at: (item) => item.paid_at
  },
  nullsLast: proposalNullsLast,
  item: proposalListItem,
  id: proposalList.id
})
