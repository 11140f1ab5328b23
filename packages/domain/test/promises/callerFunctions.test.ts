import { describe, expectTypeOf, it } from "@effect/vitest"
import { type Result } from "effect"
import {
  type Caller,
  type GroupWithPermissions,
  type OwnPartner,
  type PasswordChangeRequired,
  type PermissionDenied,
  type SelfDelete
} from "../../src/access/index.ts"
import { type AuditPage } from "../../src/audit/AuditItem.ts"
import { type ClientDetail, type ClientsPage, type ClientWithSecret, type OwnClient } from "../../src/client/index.ts"
import {
  type CommissionClosing,
  type CommissionEntry,
  type CommissionPayout,
  type CommissionPlan,
  type CommissionSummaryPage,
  type NothingToPay,
  type StatementComparison
} from "../../src/commission/index.ts"
import { type EventsExpired } from "../../src/event/EventLog.ts"
import { type FeedRead } from "../../src/event/ListEvents.ts"
import { type NotFound, type OutsideHierarchy } from "../../src/hierarchy/index.ts"
import { type IdempotencyInFlight, type IdempotencyKeyReused } from "../../src/idempotency/index.ts"
import { type EarlierSecretValid, type TooManyAttempts } from "../../src/identity/index.ts"
import { type Page, type PreconditionFailed } from "../../src/input/index.ts"
import { type ValidationFailed } from "../../src/input/index.ts"
import { type NoLender, type PartnerRouting } from "../../src/lender/index.ts"
import {
  type ApplicationNotCancellable,
  type ApplicationNotQuotable,
  type KycIncomplete,
  type KycLocked,
  type OfferNotAvailable,
  type ProposalNotWithdrawable,
  type QuoteInProgress,
  type SignatureNotPending
} from "../../src/loan/index.ts"
import { type OperationName } from "../../src/operation/index.ts"
import {
  type FgtsApplication,
  type FgtsApplicationList,
  type FgtsApplicationsPage,
  type FgtsApplicationStatus,
  type FgtsApplicationSummary,
  type FgtsKycAnswer
} from "../../src/origination/index.ts"
import { type AcceptFgtsOfferResponse, type LenderItem, type StatusRead } from "../../src/origination/index.ts"
import { type ProposalsPage, type PublicProposalDetail } from "../../src/origination/index.ts"
import {
  type DocumentTaken,
  type PartnerDetail,
  type PartnerHasDependents,
  type PartnersPage
} from "../../src/partner/index.ts"
import { type Busy } from "../../src/ports/index.ts"
import {
  type CallOptions,
  type ChangeOptions,
  type CreateOptions,
  type Lastro,
  type PollOptions
} from "../../src/promises/index.ts"
import {
  type CreateUserResponseData,
  type EmailTaken,
  type LastAdministrator,
  type UserDetail,
  type UsersPage
} from "../../src/user/index.ts"
import {
  type DeliveriesPage,
  type DeliveryRecord,
  type TooManyWebhooks,
  type Webhook,
  type WebhooksPage,
  type WebhookState,
  type WebhookWithSecret
} from "../../src/webhook/index.ts"

/** The answer of a function for callers: every one of them checks a permission. */
type Answer<A, E = never> = Promise<Result.Result<A, PasswordChangeRequired | PermissionDenied | E>>
type Located = NotFound | OutsideHierarchy
type Keyed = Busy | IdempotencyInFlight | IdempotencyKeyReused | OutsideHierarchy | ValidationFailed
interface Expected {
  readonly listPartners: (c: Caller, query?: unknown, o?: CallOptions) => Answer<PartnersPage, ValidationFailed>
  readonly createPartner: (
    c: Caller,
    body: unknown,
    o?: CreateOptions
  ) => Answer<PartnerDetail, DocumentTaken | Keyed | NotFound>
  readonly getPartner: (c: Caller, id: string, o?: CallOptions) => Answer<PartnerDetail, Located>
  readonly updatePartner: (
    c: Caller,
    id: string,
    body: unknown,
    o?: ChangeOptions<PartnerDetail>
  ) => Answer<PartnerDetail, Located | Busy | OwnPartner | PreconditionFailed | ValidationFailed>
  readonly deletePartner: (
    c: Caller,
    id: string,
    o?: ChangeOptions<PartnerDetail>
  ) => Answer<void, Located | Busy | PreconditionFailed | PartnerHasDependents | SelfDelete>
  readonly listUsers: (c: Caller, query?: unknown, o?: CallOptions) => Answer<UsersPage, ValidationFailed>
  readonly createUser: (
    c: Caller,
    body: unknown,
    o?: CreateOptions
  ) => Answer<CreateUserResponseData, EmailTaken | Keyed | NotFound>
  readonly getUser: (c: Caller, id: string, o?: CallOptions) => Answer<UserDetail, Located>
  readonly updateUser: (
    c: Caller,
    id: string,
    body: unknown,
    o?: ChangeOptions<UserDetail>
  ) => Answer<
    UserDetail,
    Located | Busy | EmailTaken | LastAdministrator | PreconditionFailed | TooManyAttempts | ValidationFailed
  >
  readonly deleteUser: (
    c: Caller,
    id: string,
    o?: ChangeOptions<UserDetail>
  ) => Answer<void, Located | Busy | LastAdministrator | PreconditionFailed | SelfDelete>
  readonly getOwnUser: (c: Caller, o?: CallOptions) => Answer<OwnClient | UserDetail, Located>
  readonly listClients: (c: Caller, query?: unknown, o?: CallOptions) => Answer<ClientsPage, ValidationFailed>
  readonly createClient: (c: Caller, body: unknown, o?: CreateOptions) => Answer<ClientWithSecret, Keyed | NotFound>
  readonly getClient: (c: Caller, id: string, o?: CallOptions) => Answer<ClientDetail, Located>
  readonly revokeClient: (
    c: Caller,
    id: string,
    o?: ChangeOptions<ClientDetail>
  ) => Answer<void, Located | Busy | PreconditionFailed | SelfDelete>
  readonly rotateClientSecret: (
    c: Caller,
    id: string,
    body?: unknown,
    o?: CreateOptions
  ) => Answer<ClientWithSecret, EarlierSecretValid | Keyed | NotFound>
  readonly listGroups: (c: Caller, o?: CallOptions) => Answer<ReadonlyArray<GroupWithPermissions>>
  readonly listAudit: (c: Caller, query?: unknown, o?: CallOptions) => Answer<AuditPage, ValidationFailed>
  readonly listEvents: (
    c: Caller,
    query?: unknown,
    o?: CallOptions
  ) => Answer<FeedRead, EventsExpired | ValidationFailed>
  readonly listLenders: (c: Caller, o?: CallOptions) => Answer<ReadonlyArray<LenderItem>, Busy>
  readonly getRouting: (c: Caller, id: string, o?: CallOptions) => Answer<PartnerRouting, Located>
  readonly putRouting: (
    c: Caller,
    id: string,
    body: unknown,
    o?: ChangeOptions<PartnerRouting>
  ) => Answer<PartnerRouting, Located | Busy | OwnPartner | PreconditionFailed | ValidationFailed>
  readonly deleteRouting: (
    c: Caller,
    id: string,
    o?: ChangeOptions<PartnerRouting>
  ) => Answer<void, Located | Busy | OwnPartner | PreconditionFailed>
  readonly searchApplications: (
    c: Caller,
    query: unknown,
    o?: CallOptions
  ) => Answer<FgtsApplicationList, ValidationFailed>
  readonly listApplications: (
    c: Caller,
    query?: unknown,
    o?: CallOptions
  ) => Answer<FgtsApplicationsPage, ValidationFailed>
  readonly summarizeApplications: (
    c: Caller,
    query?: unknown,
    o?: CallOptions
  ) => Answer<FgtsApplicationSummary, ValidationFailed>
  readonly createApplication: (
    c: Caller,
    body: unknown,
    o?: CreateOptions
  ) => Answer<FgtsApplication, Keyed | NoLender | NotFound>
  readonly getApplication: (
    c: Caller,
    id: string,
    query?: unknown,
    o?: CallOptions
  ) => Answer<FgtsApplication, Located | ValidationFailed>
  readonly updateApplication: (
    c: Caller,
    id: string,
    body: unknown,
    o?: ChangeOptions<FgtsApplication>
  ) => Answer<FgtsApplication, Located | Busy | PreconditionFailed | ValidationFailed>
  readonly getApplicationStatus: (
    c: Caller,
    id: string,
    o?: PollOptions<FgtsApplicationStatus>
  ) => Answer<StatusRead, Located | ValidationFailed>
  readonly requoteApplication: (
    c: Caller,
    id: string,
    body?: unknown,
    o?: CreateOptions
  ) => Answer<FgtsApplication, ApplicationNotQuotable | Keyed | NoLender | NotFound | QuoteInProgress>
  readonly acceptOffer: (
    c: Caller,
    id: string,
    offer_id: string,
    body: unknown,
    o?: CreateOptions
  ) => Answer<AcceptFgtsOfferResponse, Keyed | KycIncomplete | NotFound | OfferNotAvailable>
  readonly cancelApplication: (
    c: Caller,
    id: string,
    body?: unknown,
    o?: CreateOptions
  ) => Answer<FgtsApplication, ApplicationNotCancellable | Keyed | Located>
  readonly getKyc: (c: Caller, id: string, o?: CallOptions) => Answer<FgtsKycAnswer, Located>
  readonly submitKyc: (
    c: Caller,
    id: string,
    body: unknown,
    o?: CreateOptions
  ) => Answer<FgtsKycAnswer, Keyed | KycIncomplete | KycLocked | NotFound>
  readonly listProposals: (c: Caller, query?: unknown, o?: CallOptions) => Answer<ProposalsPage, ValidationFailed>
  readonly getProposal: (c: Caller, id: string, o?: CallOptions) => Answer<PublicProposalDetail, Located>
  readonly withdrawFromProposal: (
    c: Caller,
    id: string,
    body: unknown,
    o?: CreateOptions
  ) => Answer<PublicProposalDetail, Keyed | Located | ProposalNotWithdrawable>
  readonly renewSignatureLink: (
    c: Caller,
    id: string,
    body?: unknown,
    o?: CreateOptions
  ) => Answer<PublicProposalDetail, Keyed | Located | SignatureNotPending>
  readonly listWebhooks: (c: Caller, query?: unknown, o?: CallOptions) => Answer<WebhooksPage, ValidationFailed>
  readonly createWebhook: (
    c: Caller,
    body: unknown,
    o?: CreateOptions
  ) => Answer<WebhookWithSecret, Keyed | NotFound | TooManyWebhooks>
  readonly getWebhook: (c: Caller, id: string, o?: CallOptions) => Answer<Webhook, Located>
  readonly updateWebhook: (
    c: Caller,
    id: string,
    body: unknown,
    o?: ChangeOptions<WebhookState>
  ) => Answer<Webhook, Located | Busy | PreconditionFailed | ValidationFailed>
  readonly deleteWebhook: (
    c: Caller,
    id: string,
    o?: ChangeOptions<WebhookState>
  ) => Answer<void, Located | Busy | PreconditionFailed>
  readonly rotateWebhookSecret: (
    c: Caller,
    id: string,
    body?: unknown,
    o?: CreateOptions
  ) => Answer<WebhookWithSecret, Keyed | NotFound>
  readonly testWebhook: (
    c: Caller,
    id: string,
    body?: unknown,
    o?: CreateOptions
  ) => Answer<DeliveryRecord, Keyed | NotFound>
  readonly listWebhookDeliveries: (
    c: Caller,
    id: string,
    query?: unknown,
    o?: CallOptions
  ) => Answer<DeliveriesPage, Located | ValidationFailed>
  readonly redeliverEvent: (
    c: Caller,
    id: string,
    event_id: string,
    body?: unknown,
    o?: CreateOptions
  ) => Answer<DeliveryRecord, Keyed | NotFound>
  readonly replayWebhook: (c: Caller, id: string, body: unknown, o?: CreateOptions) => Answer<Webhook, Keyed | NotFound>
  readonly createCommissionPlan: (
    c: Caller,
    id: string,
    body: unknown,
    o?: CreateOptions
  ) => Answer<CommissionPlan, Keyed | NotFound | OwnPartner>
  readonly listCommissionPlans: (
    c: Caller,
    id: string,
    query?: unknown,
    o?: CallOptions
  ) => Answer<Page<CommissionPlan>, Located | ValidationFailed>
  readonly getCurrentCommissionPlan: (
    c: Caller,
    id: string,
    query?: unknown,
    o?: CallOptions
  ) => Answer<CommissionPlan, Located | ValidationFailed>
  readonly listCommissions: (
    c: Caller,
    query?: unknown,
    o?: CallOptions
  ) => Answer<Page<CommissionEntry>, ValidationFailed>
  readonly summarizeCommissions: (
    c: Caller,
    query?: unknown,
    o?: CallOptions
  ) => Answer<CommissionSummaryPage, ValidationFailed>
  readonly adjustCommission: (
    c: Caller,
    body: unknown,
    o?: CreateOptions
  ) => Answer<CommissionEntry, Keyed | NotFound | OwnPartner>
  readonly closeCommissions: (
    c: Caller,
    body: unknown,
    o?: CreateOptions
  ) => Answer<CommissionClosing, Keyed | NotFound | OwnPartner>
  readonly createCommissionPayout: (
    c: Caller,
    body: unknown,
    o?: CreateOptions
  ) => Answer<CommissionPayout, Keyed | NotFound | NothingToPay | OwnPartner>
  readonly listCommissionPayouts: (
    c: Caller,
    query?: unknown,
    o?: CallOptions
  ) => Answer<Page<CommissionPayout>, ValidationFailed>
  readonly compareCommissionStatement: (
    c: Caller,
    file: unknown,
    query: unknown,
    o?: CreateOptions
  ) => Answer<StatementComparison, Keyed | NotFound>
}

/** The names of the functions whose parameters, answer or errors differ from the expected ones. */
type Different = {
  [Name in keyof Expected]: [Lastro[Name], Parameters<Lastro[Name]>["length"]] extends
    [Expected[Name], Parameters<Expected[Name]>["length"]] ? [Expected[Name]] extends [Lastro[Name]] ? never : Name
    : Name
}[keyof Expected]

describe("functions for callers", () => {
  it("covers every operation of the table", () => {
    expectTypeOf<keyof Expected>().toEqualTypeOf<OperationName>()
  })

  it("each has exactly its parameters, its answer and its errors", () => {
    expectTypeOf<Different>().toBeNever()
  })
})
