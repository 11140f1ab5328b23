import { type JobPorts, type StoredJobs } from "@lastro/domain/jobs"
import { type DocumentSource, type LenderThrottle } from "@lastro/domain/lender"
import {
  type ApplicationRepository,
  type DurableWork,
  type KycSuggestions,
  type ProposalRepository
} from "@lastro/domain/origination"
import { type PartnerRepository } from "@lastro/domain/partner"
import { type PartnerTree, type UnitOfWork } from "@lastro/domain/ports"
import { type ScriptedLender } from "../lender/ScriptedLender.ts"
import { type StoredDocuments } from "../memory/lender.ts"
import { type OriginationStorage } from "../scenarios/LoanFixture.ts"
import { findCases } from "./hierarchy/findCases.ts"
import { treeRaceCases } from "./hierarchy/treeLockCases.ts"
import { listCases } from "./input/listCases.ts"
import { dueJobCases, earlyCallbackCases } from "./jobs/dueJobCases.ts"
import { durableContractCases } from "./jobs/durableContractCases.ts"
import { durableNodesCases, type WorkNodes } from "./jobs/durableNodesCases.ts"
import { durableQuoteCases } from "./jobs/durableQuoteCases.ts"
import { durableTurnsCases } from "./jobs/durableTurnsCases.ts"
import { storedJobCases } from "./jobs/storedJobCases.ts"
import { documentSourceCases } from "./lender/documentSourceCases.ts"
import { lenderThrottleCases } from "./lender/lenderThrottleCases.ts"
import { routingCases, type RoutingPorts } from "./lender/routingCases.ts"
import { contractReferenceCases, customerContractCases } from "./origination/applicationContractCases.ts"
import { applicationListCases } from "./origination/applicationListCases.ts"
import { applicationRepositoryCases } from "./origination/applicationRepositoryCases.ts"
import { applicationFinds, applicationScopeCases, applicationSearchCases } from "./origination/applicationScopeCases.ts"
import { expiredQuoteCases, expiryWorkerCases } from "./origination/expiredQuoteCases.ts"
import { kycSuggestionsCases } from "./origination/kycSuggestionsCases.ts"
import { hostCallerCases, originationModelCases, originationRaceCases } from "./origination/originationRulesCases.ts"
import { proposalFinds, proposalList, proposalRepositoryCases } from "./origination/proposalCases.ts"
import { proposalListModelCases } from "./origination/proposalListModelCases.ts"
import { contractSuite } from "./suite/ContractSuite.ts"

/** Contract suite for ApplicationRepository. */
export const applicationRepositorySuite = contractSuite<
  ApplicationRepository | PartnerRepository | PartnerTree | UnitOfWork
>([{
  port: "ApplicationRepository",
  cases: [
    findCases(applicationFinds),
    applicationRepositoryCases,
    applicationScopeCases,
    applicationSearchCases,
    applicationListCases,
    expiredQuoteCases,
    contractReferenceCases,
    customerContractCases
  ]
}])

/** Contract suite for ProposalRepository. */
export const proposalRepositorySuite = contractSuite<
  ApplicationRepository | PartnerRepository | PartnerTree | ProposalRepository | UnitOfWork
>([{
  port: "ProposalRepository",
  cases: [findCases(proposalFinds), proposalRepositoryCases, listCases(proposalList), proposalListModelCases]
}])

/** Contract suite for KycSuggestions. */
export const kycSuggestionsSuite = contractSuite<
  ApplicationRepository | KycSuggestions | PartnerRepository | PartnerTree | UnitOfWork
>([{ port: "KycSuggestions", cases: [kycSuggestionsCases] }])

/** Contract suite for DurableWork and StoredJobs. The layer must also provide the scripted lender. */
export const durableWorkSuite = contractSuite<
  ApplicationRepository | DurableWork | JobPorts | PartnerRepository | ScriptedLender | StoredJobs | UnitOfWork
>([{
  port: "DurableWork",
  cases: [durableQuoteCases, durableContractCases, dueJobCases, earlyCallbackCases, expiryWorkerCases]
}, {
  port: "StoredJobs",
  cases: [storedJobCases]
}])

/** Contract suite for the turns of durable jobs, with one job of each kind at a time, and the scripted lender. */
export const durableTurnsSuite = contractSuite<
  ApplicationRepository | DurableWork | PartnerRepository | ScriptedLender | UnitOfWork
>([{ port: "DurableWork with one slot", cases: [durableTurnsCases] }])

/** Contract suite for two nodes on one store: leases and takeovers. For stores that several processes can open. */
export const durableNodesSuite = contractSuite<WorkNodes>([{
  port: "DurableWork on two nodes",
  cases: [durableNodesCases]
}])

/** Contract suite for DocumentSource. The layer must also provide StoredDocuments, which stores documents. */
export const documentSourceSuite = contractSuite<DocumentSource | StoredDocuments>([{
  port: "DocumentSource",
  cases: [documentSourceCases]
}])

/** Contract suite for LenderThrottle. */
export const lenderThrottleSuite = contractSuite<LenderThrottle>([{
  port: "LenderThrottle",
  cases: [lenderThrottleCases]
}])

/** Contract suite for RoutingRepository. */
export const routingRepositorySuite = contractSuite<RoutingPorts>([{
  port: "RoutingRepository",
  cases: [routingCases]
}])

/** Contract suite for the rules of loan origination, which use cases and storage enforce together. */
export const originationRulesSuite = contractSuite<OriginationStorage | PartnerRepository>([{
  port: "Origination",
  cases: [originationModelCases, originationRaceCases, hostCallerCases, treeRaceCases]
}])
