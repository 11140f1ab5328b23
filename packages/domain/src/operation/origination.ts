import { deleteRouting, getRouting, putRouting } from "../lender/PartnerRouting.ts"
import { acceptOffer } from "../origination/AcceptOffer.ts"
import { cancelApplication } from "../origination/CancelApplication.ts"
import { createApplication } from "../origination/CreateApplication.ts"
import { getApplication } from "../origination/GetApplication.ts"
import { getApplicationStatus } from "../origination/GetApplicationStatus.ts"
import { getKyc } from "../origination/GetKyc.ts"
import { listApplications } from "../origination/ListApplications.ts"
import { listLenders } from "../origination/ListLenders.ts"
import { getProposal, listProposals } from "../origination/ListProposals.ts"
import { renewSignatureLink } from "../origination/RenewSignatureLink.ts"
import { requoteApplication } from "../origination/RequoteApplication.ts"
import { searchApplications } from "../origination/SearchApplications.ts"
import { submitKyc } from "../origination/SubmitKyc.ts"
import { summarizeApplications } from "../origination/SummarizeApplications.ts"
import { updateApplication } from "../origination/UpdateApplication.ts"
import { withdrawFromProposal } from "../origination/WithdrawFromProposal.ts"
import { application, noAddress, offer, partner, proposal } from "./Address.ts"
import { operation, requirePermission } from "./Operation.ts"

const readFgts = requirePermission("fgts:read")
const writeFgts = requirePermission("fgts:write")
const readKyc = requirePermission("kyc:read")
const writePartners = requirePermission("partners:write")
const readProposals = requirePermission("proposals:read")

/** The operations on lenders, routings, FGTS applications and proposals. `OriginationFunctions` describes each one. */
export const origination = {
  listLenders: operation({ requires: readFgts, address: noAddress, takes: "nothing", useCase: listLenders }),
  getRouting: operation({
    requires: requirePermission("partners:read"),
    address: partner,
    takes: "nothing",
    useCase: getRouting
  }),
  putRouting: operation({ requires: writePartners, address: partner, takes: "patch", useCase: putRouting }),
  deleteRouting: operation({ requires: writePartners, address: partner, takes: "deletion", useCase: deleteRouting }),
  searchApplications: operation({
    requires: readFgts,
    address: noAddress,
    takes: "query",
    useCase: searchApplications
  }),
  listApplications: operation({
    requires: readFgts,
    address: noAddress,
    takes: "list",
    useCase: listApplications
  }),
  summarizeApplications: operation({
    requires: readFgts,
    address: noAddress,
    takes: "list",
    useCase: summarizeApplications
  }),
  createApplication: operation({
    requires: writeFgts,
    address: noAddress,
    takes: "command",
    creates: "application_id",
    useCase: createApplication
  }),
  getApplication: operation({
    requires: readFgts,
    address: application,
    takes: "optional query",
    useCase: getApplication
  }),
  updateApplication: operation({
    requires: writeFgts,
    address: application,
    takes: "patch",
    useCase: updateApplication
  }),
  getApplicationStatus: operation({
    requires: readFgts,
    address: application,
    takes: "long poll",
    useCase: getApplicationStatus
  }),
  requoteApplication: operation({
    requires: writeFgts,
    address: application,
    takes: "optional command",
    useCase: requoteApplication
  }),
  acceptOffer: operation({ requires: writeFgts, address: offer, takes: "command", useCase: acceptOffer }),
  cancelApplication: operation({
    requires: writeFgts,
    address: application,
    takes: "optional command",
    useCase: cancelApplication
  }),
  getKyc: operation({
    requires: readKyc,
    address: application,
    takes: "nothing",
    isAuditedRead: true,
    useCase: getKyc
  }),
  submitKyc: operation({ requires: writeFgts, address: application, takes: "command", useCase: submitKyc }),
  listProposals: operation({
    requires: readProposals,
    address: noAddress,
    takes: "list",
    useCase: listProposals
  }),
  getProposal: operation({ requires: readProposals, address: proposal, takes: "nothing", useCase: getProposal }),
  withdrawFromProposal: operation({
    requires: writeFgts,
    address: proposal,
    takes: "command",
    useCase: withdrawFromProposal
  }),
  renewSignatureLink: operation({
    requires: writeFgts,
    address: proposal,
    takes: "optional command",
    useCase: renewSignatureLink
  })
}
