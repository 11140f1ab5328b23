import { type Result } from "effect"
import { type Caller } from "../access/Caller.ts"
import { type Page } from "../input/Page.ts"
import { type PartnerRouting, type PutRoutingRequest } from "../lender/PartnerRouting.ts"
import {
  type AcceptFgtsOfferRequest,
  type AcceptFgtsOfferResponse,
  type CancelFgtsApplicationRequest,
  type CreateFgtsApplicationRequest,
  type RequoteFgtsApplicationRequest,
  type UpdateFgtsApplicationRequest,
  type WithdrawFromProposalRequest
} from "../origination/ApplicationRequests.ts"
import { type FgtsApplication, type FgtsApplicationList } from "../origination/FgtsApplication.ts"
import { type FgtsApplicationListItem } from "../origination/FgtsApplicationListItem.ts"
import { type FgtsApplicationStatus } from "../origination/FgtsApplicationStatus.ts"
import { type StatusRead } from "../origination/GetApplicationStatus.ts"
import { type FgtsKycAnswer } from "../origination/GetKyc.ts"
import { type LenderItem } from "../origination/ListLenders.ts"
import { type PublicProposalDetail } from "../origination/PublicProposalDetail.ts"
import { type PublicProposalListItem } from "../origination/PublicProposalListItem.ts"
import { type FgtsApplicationSummary } from "../origination/SummarizeApplications.ts"
import { type CallOptions, type ChangeOptions, type CreateOptions, type PollOptions } from "./CallOptions.ts"
import { type OperationFailure, type Untrusted } from "./OperationFailure.ts"

/** The operations on FGTS applications and proposals, as functions. `CallerFunctions` describes them. */
export interface OriginationFunctions {
  /** Returns the lenders of the caller's routing, and those of the contracts in the caller's subtree. */
  readonly listLenders: (
    caller: Caller,
    options?: CallOptions
  ) => Promise<Result.Result<ReadonlyArray<LenderItem>, OperationFailure<"listLenders">>>
  /** Reads the routing of a partner: the lenders of its quotes. */
  readonly getRouting: (
    caller: Caller,
    partner_id: string,
    options?: CallOptions
  ) => Promise<Result.Result<PartnerRouting, OperationFailure<"getRouting">>>
  /** Sets the routing of a partner below the caller's own, or of the caller's root. */
  readonly putRouting: (
    caller: Caller,
    partner_id: string,
    body: Untrusted<PutRoutingRequest>,
    options?: ChangeOptions<PartnerRouting>
  ) => Promise<Result.Result<PartnerRouting, OperationFailure<"putRouting">>>
  /** Removes the routing of a partner, which then has that of its nearest ancestor. */
  readonly deleteRouting: (
    caller: Caller,
    partner_id: string,
    options?: ChangeOptions<PartnerRouting>
  ) => Promise<Result.Result<void, OperationFailure<"deleteRouting">>>
  /** Finds the newest applications with the `external_id` in the query. */
  readonly searchApplications: (
    caller: Caller,
    query: unknown,
    options?: CallOptions
  ) => Promise<Result.Result<FgtsApplicationList, OperationFailure<"searchApplications">>>
  /** Lists the applications in the caller's subtree, one page at a time. */
  readonly listApplications: (
    caller: Caller,
    query?: unknown,
    options?: CallOptions
  ) => Promise<Result.Result<Page<FgtsApplicationListItem>, OperationFailure<"listApplications">>>
  /** Counts the applications in the caller's subtree by status, next action and status of the proposal. */
  readonly summarizeApplications: (
    caller: Caller,
    query?: unknown,
    options?: CallOptions
  ) => Promise<Result.Result<FgtsApplicationSummary, OperationFailure<"summarizeApplications">>>
  /** Opens an application and requests its first quote. */
  readonly createApplication: (
    caller: Caller,
    body: Untrusted<CreateFgtsApplicationRequest>,
    options?: CreateOptions
  ) => Promise<Result.Result<FgtsApplication, OperationFailure<"createApplication">>>
  /** Reads one application with its latest quote, or with all quotes if the query has `include: "quotes"`. */
  readonly getApplication: (
    caller: Caller,
    application_id: string,
    query?: unknown,
    options?: CallOptions
  ) => Promise<Result.Result<FgtsApplication, OperationFailure<"getApplication">>>
  /** Changes the metadata of an application, in every status. No other field can be patched. */
  readonly updateApplication: (
    caller: Caller,
    application_id: string,
    body: Untrusted<UpdateFgtsApplicationRequest>,
    options?: ChangeOptions<FgtsApplication>
  ) => Promise<Result.Result<FgtsApplication, OperationFailure<"updateApplication">>>
  /** Reads the status of an application, either immediately or as soon as it changes. */
  readonly getApplicationStatus: (
    caller: Caller,
    application_id: string,
    options?: PollOptions<FgtsApplicationStatus>
  ) => Promise<Result.Result<StatusRead, OperationFailure<"getApplicationStatus">>>
  /** Requests a new quote. All older offers are superseded immediately. */
  readonly requoteApplication: (
    caller: Caller,
    application_id: string,
    body?: Untrusted<RequoteFgtsApplicationRequest>,
    options?: CreateOptions
  ) => Promise<Result.Result<FgtsApplication, OperationFailure<"requoteApplication">>>
  /** Accepts an offer of an application whose KYC is complete, and starts contracting. */
  readonly acceptOffer: (
    caller: Caller,
    application_id: string,
    offer_id: string,
    body: Untrusted<AcceptFgtsOfferRequest>,
    options?: CreateOptions
  ) => Promise<Result.Result<AcceptFgtsOfferResponse, OperationFailure<"acceptOffer">>>
  /** Cancels an application. If the lender may have a contract, requests its cancellation there. */
  readonly cancelApplication: (
    caller: Caller,
    application_id: string,
    body?: Untrusted<CancelFgtsApplicationRequest>,
    options?: CreateOptions
  ) => Promise<Result.Result<FgtsApplication, OperationFailure<"cancelApplication">>>
  /** Reads the submitted KYC with the list of missing fields. Before the first submission, returns suggested values. */
  readonly getKyc: (
    caller: Caller,
    application_id: string,
    options?: CallOptions
  ) => Promise<Result.Result<FgtsKycAnswer, OperationFailure<"getKyc">>>
  /** Merges the body into the submitted KYC. */
  readonly submitKyc: (
    caller: Caller,
    application_id: string,
    body: Untrusted<Partial<FgtsKycAnswer>>,
    options?: CreateOptions
  ) => Promise<Result.Result<FgtsKycAnswer, OperationFailure<"submitKyc">>>
  /** Lists the proposals in the caller's subtree, one page at a time. */
  readonly listProposals: (
    caller: Caller,
    query?: unknown,
    options?: CallOptions
  ) => Promise<Result.Result<Page<PublicProposalListItem>, OperationFailure<"listProposals">>>
  /** Reads one proposal. */
  readonly getProposal: (
    caller: Caller,
    proposal_id: string,
    options?: CallOptions
  ) => Promise<Result.Result<PublicProposalDetail, OperationFailure<"getProposal">>>
  /** Withdraws from a paid contract, within the right of regret. The customer then pays the money back. */
  readonly withdrawFromProposal: (
    caller: Caller,
    proposal_id: string,
    body: Untrusted<WithdrawFromProposalRequest>,
    options?: CreateOptions
  ) => Promise<Result.Result<PublicProposalDetail, OperationFailure<"withdrawFromProposal">>>
  /** Requests a new signature link for a contract that awaits the customer's signature. */
  readonly renewSignatureLink: (
    caller: Caller,
    proposal_id: string,
    body?: Untrusted,
    options?: CreateOptions
  ) => Promise<Result.Result<PublicProposalDetail, OperationFailure<"renewSignatureLink">>>
}
