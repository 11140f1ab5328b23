import { codeSortKey, foldText } from "@lastro/domain/input"
import { ProposalStatus } from "@lastro/domain/loan"
import {
  type ApplicationRepository,
  type ContractedApplication,
  isContracted,
  type ProposalFilters,
  proposalListItem,
  ProposalRepository,
  proposalSortFields,
  type PublicProposalListItem
} from "@lastro/domain/origination"
import { type PartnerDetail, type PartnerRepository } from "@lastro/domain/partner"
import { millisOf, type Timestamp, timestampOf } from "@lastro/domain/values"
import { Effect } from "effect"
import * as fc from "fast-check"
import { forestShape } from "../../arbitraries/forests.ts"
import { contractedHistory } from "../../arbitraries/histories.ts"
import { aCustomer } from "../../builders/aCustomer.ts"
import { recordContractStatus } from "../../builders/applicationStages.ts"
import { exampleInstant } from "../../builders/Fresh.ts"
import {
  saveApplication,
  storeContractedApplication,
  storeForest,
  storeRootPartner
} from "../../builders/storedRecords.ts"
import { type ListSubject } from "../list/listCases.ts"
import {
  comparesField,
  containsText,
  equalsLiteral,
  equalsPartner,
  type FilterModels,
  listModelCases
} from "../list/listModelCases.ts"
import { proposalIdOf, storeHistory } from "./storedApplication.ts"

type Ports = ApplicationRepository | PartnerRepository | ProposalRepository

const minute = (minutes: number) => timestampOf(millisOf(exampleInstant) + minutes * 60_000)

/** The list method of ProposalRepository, for the contract cases. */
export const proposalList: ListSubject<PublicProposalListItem, ProposalFilters, "net_amount" | "updated_at", Ports> = {
  list: (scope, query, budget) =>
    Effect.flatMap(ProposalRepository, (proposals) => proposals.list(scope, query, budget)),
  id: ({ proposal_id }) => proposal_id,
  name: ({ customer }) => customer.name ?? "",
  storeRecord: (partner) => Effect.map(storeContractedApplication(partner), proposalIdOf),
  storeNames: Effect.fnUntraced(function*(names) {
    const caller = yield* storeRootPartner()
    const ids: Array<string> = []
    for (const name of names) {
      ids.push(proposalIdOf(yield* storeContractedApplication(caller, { customer: yield* aCustomer().named(name) })))
    }
    return { caller, ids }
  }),
  textFilters: (text) => [{ customer_name: text }],
  storeFilterable: (partner) =>
    Effect.map(storeContractedApplication(partner), ({ customer: { cpf }, external_id }) => [
      { partner_id: partner.partner_id },
      { cpf },
      { external_id }
    ]),
  tiedSorts: proposalSortFields.flatMap((property) =>
    (["asc", "desc"] as const).map((direction) => [[{ property, direction }], direction] as const)
  ),
  filterExample: Effect.gen(function*() {
    const [root, child] = yield* storeForest([null, 0])
    const customer = yield* aCustomer().named("Ana Azul")
    const storeBlue = Effect.fnUntraced(function*({
      created = 10,
      external_id = "azul",
      partner = child,
      person = customer,
      status = "PAID" as "PAID" | "DISBURSING",
      updated = 20
    } = {}) {
      const contract = yield* storeContractedApplication(partner, {
        customer: person,
        external_id,
        at: minute(created)
      })
      return proposalIdOf(
        yield* saveApplication(contract, recordContractStatus(contract, status, { at: minute(updated) }))
      ) as string
    })
    return {
      caller: root,
      filters: {
        cpf: customer.cpf,
        customer_name: foldText("azul"),
        external_id: "azul",
        status: "PAID",
        partner_id: child.partner_id,
        created_from: minute(10),
        created_to: minute(11),
        updated_from: minute(20),
        updated_to: minute(21)
      },
      match: yield* storeBlue(),
      mismatches: {
        cpf: yield* storeBlue({ person: yield* aCustomer().named("Ana Azul") }),
        customer_name: yield* storeBlue({ person: { ...customer, name: "Ana Verde" as typeof customer.name } }),
        external_id: yield* storeBlue({ external_id: "verde" }),
        status: yield* storeBlue({ status: "DISBURSING" }),
        partner_id: yield* storeBlue({ partner: root }),
        created_from: yield* storeBlue({ created: 9 }),
        created_to: yield* storeBlue({ created: 11 }),
        updated_from: yield* storeBlue({ updated: 19 }),
        updated_to: yield* storeBlue({ updated: 21 })
      }
    }
  })
}

const isEqual = <A>(value: A, filter: A): boolean => value === filter
const isFrom = (at: Timestamp, from: Timestamp): boolean => from <= at
const isBefore = (at: Timestamp, to: Timestamp): boolean => at < to

const filterModels = {
  cpf: comparesField(({ proposal }) => proposal.customer.cpf, isEqual),
  customer_name: containsText(({ proposal }) => proposal.customer.name),
  external_id: comparesField(({ external_id }) => external_id, isEqual),
  status: equalsLiteral(({ proposal }) => proposal.status, ProposalStatus.literals),
  partner_id: equalsPartner(({ partner_id }) => partner_id),
  created_from: comparesField(({ proposal }) => proposal.created_at, isFrom),
  created_to: comparesField(({ proposal }) => proposal.created_at, isBefore),
  updated_from: comparesField(({ proposal }) => proposal.updated_at, isFrom),
  updated_to: comparesField(({ proposal }) => proposal.updated_at, isBefore)
} satisfies FilterModels<ContractedApplication, ProposalFilters>

/** Contract cases that compare the list of ProposalRepository with a brute-force model. */
export const proposalListModelCases = listModelCases({
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
    net_amount: (item) => item.loan.net_amount
  },
  item: proposalListItem,
  id: proposalList.id
})
