import {
  type ApplicationRepository,
  type DurableWork,
  type KycSuggestions,
  type PartnerRepository,
  type PartnerTree,
  type PersonalDataHasher,
  type ProposalRepository,
  type UnitOfWork
} from "@lastro/domain"
import { type ScriptedLender } from "../lender/ScriptedLender.ts"
import { applicationRepositoryCases } from "./applicationRepositoryCases.ts"
import { applicationScopeCases } from "./applicationScopeCases.ts"
import { applicationSearchCases } from "./applicationSearchCases.ts"
import { contractLookCases } from "./contractLookCases.ts"
import { type Contract } from "./ContractSuite.ts"
import { durableContractCases } from "./durableContractCases.ts"
import { durableWorkCases } from "./durableWorkCases.ts"
import { kycSuggestionsCases } from "./kycSuggestionsCases.ts"
import { proposalListFilterCases } from "./listFilterCases.ts"
import { proposalListScopeCases } from "./listScopeCases.ts"
import { proposalPagingCases } from "./pagingCases.ts"
import { personalDataHasherCases } from "./personalDataHasherCases.ts"
import { proposalListCases } from "./proposalListCases.ts"
import { proposalRepositoryCases } from "./proposalRepositoryCases.ts"
import { proposalSearchCases } from "./proposalSearchCases.ts"

/** The contract of ApplicationRepository. */
export const applicationRepositoryContract: Contract<
  ApplicationRepository | PartnerRepository | PartnerTree | UnitOfWork
> = {
  port: "ApplicationRepository",
  cases: [applicationRepositoryCases, applicationScopeCases, applicationSearchCases, contractLookCases]
}

/** The contract of ProposalRepository. */
export const proposalRepositoryContract: Contract<
  ApplicationRepository | PartnerRepository | PartnerTree | ProposalRepository | UnitOfWork
> = {
  port: "ProposalRepository",
  cases: [
    proposalRepositoryCases,
    proposalListScopeCases,
    proposalListCases,
    proposalListFilterCases,
    proposalSearchCases,
    proposalPagingCases
  ]
}

/** The contract of KycSuggestions. */
export const kycSuggestionsContract: Contract<
  ApplicationRepository | KycSuggestions | PartnerRepository | PartnerTree | UnitOfWork
> = {
  port: "KycSuggestions",
  cases: [kycSuggestionsCases]
}

/** The contract of PersonalDataHasher. */
export const personalDataHasherContract: Contract<PersonalDataHasher> = {
  port: "PersonalDataHasher",
  cases: [personalDataHasherCases]
}

/** The contract of DurableWork, done with the scripted lender. */
export const durableWorkContract: Contract<
  ApplicationRepository | DurableWork | PartnerRepository | ScriptedLender | UnitOfWork
> = {
  port: "DurableWork",
  cases: [durableWorkCases, durableContractCases]
}
