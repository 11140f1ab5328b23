import { Context, Data, type Effect, type Option } from "effect"
import { type PartnerId } from "../id/PartnerId.ts"
import { type Timestamp } from "../time/Timestamp.ts"
import { type GroupId } from "./Group.ts"
import { type PasswordHash } from "./PasswordHasher.ts"

/** The `client_id` in access tokens of users, who sign in with a password. Reserved: no API client may have it. */
export const passwordClientId = "lastro"

/** A program that calls the API for a partner. */
export interface ApiClient {
  /** 1 to 64 characters of `[A-Za-z0-9._-]`. */
  readonly client_id: string
  readonly partner_id: PartnerId
  readonly group_id: GroupId
  readonly created_at: Timestamp
  readonly revoked_at: Timestamp | null
}

/** Another client has this `client_id`, or it is the one reserved for passwords. */
export class ClientIdTaken extends Data.TaggedError("ClientIdTaken") {}

/** Where API clients are kept; the operator's. Writes take part in the transaction around them. */
export class ApiClientRepository extends Context.Service<ApiClientRepository, {
  readonly list: Effect.Effect<ReadonlyArray<ApiClient>>
  readonly find: (client_id: string) => Effect.Effect<Option.Option<ApiClient>>
  readonly insert: (client: ApiClient, secret: PasswordHash) => Effect.Effect<void, ClientIdTaken>
  /** Replaces the secret. Every access token issued before stops working. */
  readonly setSecret: (client_id: string, secret: PasswordHash) => Effect.Effect<void>
  /** From the next request on, the client's tokens are worth nothing. */
  readonly revoke: (client_id: string, at: Timestamp) => Effect.Effect<void>
}>()("@lastro/domain/identity/ApiClient/ApiClientRepository") {}
