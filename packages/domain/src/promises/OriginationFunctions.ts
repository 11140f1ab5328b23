import { type acceptOffer } from "../fgts/origination/AcceptOffer.ts"
import { type createApplication } from "../fgts/origination/CreateApplication.ts"
import { type getApplication } from "../fgts/origination/GetApplication.ts"
import { type getApplicationStatus } from "../fgts/origination/GetApplicationStatus.ts"
import { type getKyc } from "../fgts/origination/GetKyc.ts"
import { type requoteApplication } from "../fgts/origination/RequoteApplication.ts"
import { type searchApplications } from "../fgts/origination/SearchApplications.ts"
import { type submitKyc } from "../fgts/origination/SubmitKyc.ts"
import { type FgtsApplicationStatus } from "../fgts/view/FgtsApplicationStatus.ts"
import { type Caller } from "../identity/Caller.ts"
import { type getProposal } from "../proposal/GetProposal.ts"
import { type listProposals } from "../proposal/ListProposals.ts"
import { type CallerAnswer, type RecordAnswer } from "./Answer.ts"
import { type CallOptions, type CreateOptions } from "./CallOptions.ts"

/** Options of reading how an application stands. */
export interface StatusOptions extends CallOptions {
  /** Seconds, up to 30, for which the answer is held while the application stands as it does; 0 unless given. */
  readonly wait?: number | undefined
  /** The status that is known already: the answer is held while that is how the application stands. */
  readonly known?: FgtsApplicationStatus | undefined
}

/** FGTS origination and the proposals it leads to, for a caller. Bodies and queries are those of the API's requests, untrusted. */
export interface OriginationFunctions {
  /** The newest applications with the `external_id` of the query. */
  readonly searchApplications: (
    caller: Caller,
    query: unknown,
    options?: CallOptions
  ) => CallerAnswer<typeof searchApplications>
  /** Opens an application and has it quoted. */
  readonly createApplication: (
    caller: Caller,
    body: unknown,
    options?: CreateOptions
  ) => CallerAnswer<typeof createApplication>
  /** One application, with its latest quote, or with `include: "quotes"` with all of them. */
  readonly getApplication: (
    caller: Caller,
    application_id: string,
    query?: unknown,
    options?: CallOptions
  ) => RecordAnswer<typeof getApplication>
  /** How an application stands, at once or as soon as that changes. */
  readonly getApplicationStatus: (
    caller: Caller,
    application_id: string,
    options?: StatusOptions
  ) => RecordAnswer<typeof getApplicationStatus>
  /** Has an application quoted anew; its older offers become invalid at once. */
  readonly requoteApplication: (
    caller: Caller,
    application_id: string,
    body?: unknown,
    options?: CreateOptions
  ) => RecordAnswer<typeof requoteApplication>
  /** Accepts an offer, once the customer is known, and has it contracted. */
  readonly acceptOffer: (
    caller: Caller,
    application_id: string,
    offer_id: string,
    body: unknown,
    options?: CreateOptions
  ) => RecordAnswer<typeof acceptOffer>
  /** What is known of the customer, what is suggested, and what is missing. */
  readonly getKyc: (caller: Caller, application_id: string, options?: CallOptions) => RecordAnswer<typeof getKyc>
  /** Adds to what is known of the customer. */
  readonly submitKyc: (
    caller: Caller,
    application_id: string,
    body: unknown,
    options?: CreateOptions
  ) => RecordAnswer<typeof submitKyc>
  /** A page of the proposals in the caller's subtree. */
  readonly listProposals: (caller: Caller, query?: unknown, options?: CallOptions) => CallerAnswer<typeof listProposals>
  /** One proposal. */
  readonly getProposal: (caller: Caller, proposal_id: string, options?: CallOptions) => RecordAnswer<typeof getProposal>
}
