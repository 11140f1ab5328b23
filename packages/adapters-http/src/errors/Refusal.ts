import {
  type Busy,
  type DocumentTaken,
  type EmailTaken,
  type IdempotencyInFlight,
  type IdempotencyKeyReused,
  type NotFound,
  type OutsideHierarchy,
  type PartnerHasDependents,
  type PasswordChangeRequired,
  type PermissionDenied,
  type PreconditionFailed,
  type SelfDelete,
  type TooManyAttempts,
  type Unauthenticated,
  type ValidationFailed
} from "@lastro/domain"
import {
  type InternalFailure,
  type MalformedBody,
  type MethodNotAllowed,
  type PayloadTooLarge,
  type RateLimited,
  type ServiceUnavailable,
  type UnsupportedMediaType
} from "./HttpRefusals.ts"

/** Every way in which a request that carries a bearer token, or none, is refused: the domain's and those of HTTP itself. */
export type Refusal =
  | Busy
  | DocumentTaken
  | EmailTaken
  | IdempotencyInFlight
  | IdempotencyKeyReused
  | InternalFailure
  | MalformedBody
  | MethodNotAllowed
  | NotFound
  | OutsideHierarchy
  | PartnerHasDependents
  | PasswordChangeRequired
  | PayloadTooLarge
  | PermissionDenied
  | PreconditionFailed
  | RateLimited
  | SelfDelete
  | ServiceUnavailable
  | TooManyAttempts
  | Unauthenticated
  | UnsupportedMediaType
  | ValidationFailed
