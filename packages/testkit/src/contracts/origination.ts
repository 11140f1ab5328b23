import { type PartnerRepository, type ProposalRepository } from "@lastro/domain"
import { type OriginationStorage } from "../scenarios/LoanFixture.ts"
import { type Contract, type ContractSuite, contractSuite } from "./ContractSuite.ts"
import {
  applicationRepositoryContract,
  kycSuggestionsContract,
  personalDataHasherContract,
  proposalRepositoryContract
} from "./originationContracts.ts"
import { originationModelCases } from "./originationModelCases.ts"
import { originationRaceCases } from "./originationRaceCases.ts"

/** The rules of origination, which use cases and storage hold together. */
export const originationRulesContract: Contract<OriginationStorage | PartnerRepository> = {
  port: "Origination",
  cases: [originationModelCases, originationRaceCases]
}

/** The ports that applications, proposals and what is known of customers are kept behind. */
export type OriginationRepositories = OriginationStorage | PartnerRepository | ProposalRepository

/**
 * The contracts of all ports that origination keeps its facts behind, and of the use cases over them, over one layer. Durable
 * work has a suite of its own, `durableWorkSuite`.
 */
export const originationSuite: ContractSuite<OriginationRepositories> = contractSuite<OriginationRepositories>([
  applicationRepositoryContract,
  proposalRepositoryContract,
  kycSuggestionsContract,
  personalDataHasherContract,
  originationRulesContract
])
