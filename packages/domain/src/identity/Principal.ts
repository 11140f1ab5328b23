import { Context, type Effect, type Option } from "effect"
import { type GroupId } from "../access/Group.ts"
import { type PartnerId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type PasswordHash } from "./PasswordHasher.ts"

/** A user or an API client as stored now, with the fields against which its tokens are checked. */
export interface Principal {
  readonly kind: "user" | "client"
  /** The id of the user, or the `client_id`. */
  readonly subject: string
  readonly partner_id: PartnerId
  readonly root_id: PartnerId
  readonly group_id: GroupId
  /** False for an inactive user. */
  readonly active: boolean
  /** False if the partner of this principal, or an ancestor of that partner, is inactive. */
  readonly partners_active: boolean
  /** Number of changes of the password or secret. A token contains the value at its issue. */
  readonly credentials_version: number
  /**
   * After a rotation of a client secret with an overlap: tokens with the previous `credentials_version` are valid until
   * this time (CLIENT-05). Otherwise absent.
   */
  readonly previous_valid_until?: Timestamp
  readonly must_change_password: boolean
  /** True if the session has ended, or if a user's session is unknown. Otherwise absent. */
  readonly session_ended?: true
}

/** A principal with the hash of its password or secret. */
export interface Credentials {
  readonly principal: Principal
  readonly hash: PasswordHash
  /** The hash of the previous secret of an API client, valid until `previous_valid_until`. Otherwise absent. */
  readonly previous_hash?: PasswordHash
}

/**
 * Reads principals as currently stored. Never returns deleted users, revoked clients, or principals of deleted
 * partners.
 */
export class PrincipalRepository extends Context.Service<PrincipalRepository, {
  /**
   * Finds the user with this id or the client with this `client_id`. For a user, `session` is the family of its refresh
   * tokens. The session has ended if none of these tokens is live. A spent token is live until it is revoked. The
   * session of a client has ended if `ApiClientRepository.endSession` ended it.
   */
  readonly find: (
    kind: "user" | "client",
    subject: string,
    session?: string
  ) => Effect.Effect<Option.Option<Principal>>
  /**
   * Finds a principal like `find` and runs `meanwhile` at the same time, if possible in the same round trip. Returns
   * both results.
   */
  readonly findWhile: <A, R>(
    kind: "user" | "client",
    subject: string,
    meanwhile: Effect.Effect<A, never, R>,
    session?: string
  ) => Effect.Effect<readonly [principal: Option.Option<Principal>, result: A], never, R>
  /** Finds the user with this e-mail address, ignoring case. */
  readonly findByEmail: (email: string) => Effect.Effect<Option.Option<Credentials>>
  /** Finds the client with this `client_id`. */
  readonly findByClientId: (client_id: string) => Effect.Effect<Option.Option<Credentials>>
}>()("@lastro/domain/identity/Principal/PrincipalRepository") {}
