import { acceptOffer } from "../origination/AcceptOffer.ts"
import { cancelApplication } from "../origination/CancelApplication.ts"
import { renewSignatureLink, withdrawFromProposal } from "../origination/changeProposal.ts"
import { createApplication } from "../origination/CreateApplication.ts"
import { getApplication } from "../origination/GetApplication.ts"
import { getApplicationStatus } from "../origination/GetApplicationStatus.ts"
import { getKyc } from "../origination/GetKyc.ts"
import { listApplications } from "../origination/ListApplications.ts"
import { getProposal, listProposals } from "../origination/ListProposals.ts"
import { requoteApplication } from "../origination/RequoteApplication.ts"
import { searchApplications } from "../origination/SearchApplications.ts"
import { submitKyc } from "../origination/SubmitKyc.ts"
import { updateApplication } from "../origination/UpdateApplication.ts"
import { application, noAddress, offer, proposal } from "./Address.ts"
import { operation, requirePermission } from "./Operation.ts"

const readFgts = requirePermission("fgts:read")
const writeFgts = requirePermission("fgts:write")
const readKyc = requirePermission("kyc:read")
const readProposals = requirePermission("proposals:read")

/** The operations on FGTS applications and proposals. */
export const origination = {
  /** Finds the newest applications with the `external_id` in the query. */
  searchApplications: operation({
    requires: readFgts,
    address: noAddress,
    takes: "query",
    useCase: searchApplications
  }),
  /** Lists the applications in the caller's subtree, one page at a time. */
  listApplications: operation({
    requires: readFgts,
    address: noAddress,
    takes: "list",
    useCase: listApplications
  }),
  /** Opens an application and requests its first quote. */
  createApplication: operation({
    requires: writeFgts,
    address: noAddress,
    takes: "command",
    creates: "application_id",
    useCase: createApplication
  }),
  /** Reads one application with its latest quote, or with all quotes if the query has `include: "quotes"`. */
  getApplication: operation({
    requires: readFgts,
    address: application,
    takes: "optional query",
    useCase: getApplication
  }),
  /** Changes the metadata of an application, in every status. No other field can be patched. */
  updateApplication: operation({
    requires: writeFgts,
    address: application,
    takes: "patch",
    useCase: updateApplication
  }),
  /** Reads the status of an application, either immediately or as soon as it changes. */
  getApplicationStatus: operation({
    requires: readFgts,
    address: application,
    takes: "long poll",
    useCase: getApplicationStatus
  }),
  /** Requests a new quote. All older offers are superseded immediately. */
  requoteApplication: operation({
    requires: writeFgts,
    address: application,
    takes: "optional command",
    useCase: requoteApplication
  }),
  /** Accepts an offer of an application whose KYC is complete, and starts contracting. */
  acceptOffer: operation({ requires: writeFgts, address: offer, takes: "command", useCase: acceptOffer }),
  /** Cancels an application, and its contract at the lender if there is one. */
  cancelApplication: operation({
    requires: writeFgts,
    address: application,
    takes: "optional command",
    useCase: cancelApplication
  }),
  /** Reads the submitted KYC with the list of missing fields. Before the first submission, returns suggested values. */
  getKyc: operation({
    requires: readKyc,
    address: application,
    takes: "nothing",
    isAuditedRead: true,
    useCase: getKyc
  }),
  /** Merges the body into the submitted KYC. */
  submitKyc: operation({ requires: writeFgts, address: application, takes: "command", useCase: submitKyc }),
  /** Lists the proposals in the caller's subtree, one page at a time. */
  listProposals: operation({
    requires: readProposals,
    address: noAddress,
    takes: "list",
    useCase: listProposals
  }),
  /** Reads one proposal. */
  getProposal: operation({ requires: readProposals, address: proposal, takes: "nothing", useCase: getProposal }),
  /** Withdraws from a paid contract, within seven days after the payment. The customer then pays the money back. */
  withdrawFromProposal: operation({
    requires: writeFgts,
    address: proposal,
    takes: "command",
    useCase: withdrawFromProposal
  }),
  /** Requests a new signature link for a contract that awaits the customer's signature. */
  renewSignatureLink: operation({
    requires: writeFgts,
    address: proposal,
    takes: "optional command",
    useCase: renewSignatureLink
  })
}
