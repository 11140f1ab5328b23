import {
  type OwnPartner,
  type PasswordChangeRequired,
  type PermissionDenied,
  type SelfDelete
} from "@lastro/domain/access"
import { type NothingToPay } from "@lastro/domain/commission"
import { type EventsExpired } from "@lastro/domain/event"
import { type TooManyExports } from "@lastro/domain/export"
import { type NotFound, type OutsideHierarchy } from "@lastro/domain/hierarchy"
import { type IdempotencyInFlight, type IdempotencyKeyReused } from "@lastro/domain/idempotency"
import { type EarlierSecretValid, type TooManyAttempts, type Unauthenticated } from "@lastro/domain/identity"
import { type PreconditionFailed, type ValidationFailed } from "@lastro/domain/input"
import { type CallbackRefused, type NoLender } from "@lastro/domain/lender"
import {
  type ApplicationNotCancellable,
  type ApplicationNotQuotable,
  type KycIncomplete,
  type KycLocked,
  type OfferNotAvailable,
  type ProposalNotWithdrawable,
  type QuoteInProgress,
  type SignatureNotPending
} from "@lastro/domain/loan"
import { type DocumentTaken, type PartnerHasDependents } from "@lastro/domain/partner"
import { type Busy } from "@lastro/domain/ports"
import { type EmailTaken, type LastAdministrator } from "@lastro/domain/user"
import { type TooManyWebhooks } from "@lastro/domain/webhook"
import {
  type InternalFailure,
  type MalformedBody,
  type MalformedRequest,
  type MethodNotAllowed,
  type OutcomeUnknown,
  type PayloadTooLarge,
  type RateLimited,
  type ServiceUnavailable,
  type UnsupportedMediaType
} from "./HttpRefusals.ts"

/** Every expected error of an operation, from the domain or from HTTP. Token operations have further errors. */
export type Refusal =
  | ApplicationNotCancellable
  | ApplicationNotQuotable
  | Busy
  | CallbackRefused
  | DocumentTaken
  | EarlierSecretValid
  | EmailTaken
  | EventsExpired
  | IdempotencyInFlight
  | IdempotencyKeyReused
  | InternalFailure
  | KycIncomplete
  | KycLocked
  | LastAdministrator
  | MalformedBody
  | MalformedRequest
  | MethodNotAllowed
  | NoLender
  | NotFound
  | NothingToPay
  | OfferNotAvailable
  | OutcomeUnknown
  | OutsideHierarchy
  | OwnPartner
  | PartnerHasDependents
  | PasswordChangeRequired
  | PayloadTooLarge
  | PermissionDenied
  | PreconditionFailed
  | ProposalNotWithdrawable
  | QuoteInProgress
  | RateLimited
  | SelfDelete
  | ServiceUnavailable
  | SignatureNotPending
  | TooManyAttempts
  | TooManyExports
  | TooManyWebhooks
  | Unauthenticated
  | UnsupportedMediaType
  | ValidationFailed
