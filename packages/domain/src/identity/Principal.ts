import { Context, type Effect, type Option } from "effect"
import { type PartnerId } from "../id/PartnerId.ts"
import { type GroupId } from "./Group.ts"
import { type PasswordHash } from "./PasswordHasher.ts"

/** A user or an API client as it stands now, with what its tokens are judged by. */
export interface Principal {
  readonly kind: "user" | "client"
  /** The user's id, or the client's `client_id`. */
  readonly subject: string
  readonly partner_id: PartnerId
  readonly root_id: PartnerId
  readonly group_id: GroupId
  /** False for an inactive user. */
  readonly active: boolean
  /** False when its partner or any partner above that is inactive. */
  readonly partners_active: boolean
  /** Counts the changes of its password or secret; a token carries the number it was issued at. */
  readonly credentials_version: number
  readonly must_change_password: boolean
}

/** A principal with the hash that its password or secret has to match. */
export interface Credentials {
  readonly principal: Principal
  readonly hash: PasswordHash
}

/** Looks principals up, live. Deleted users, revoked clients and those of deleted partners are in no answer. */
export class PrincipalRepository extends Context.Service<PrincipalRepository, {
  /** The user with this id or the client with this `client_id`. */
  readonly find: (kind: "user" | "client", subject: string) => Effect.Effect<Option.Option<Principal>>
  /** The user who signs in with this e-mail, in whatever letter case. */
  readonly findByEmail: (email: string) => Effect.Effect<Option.Option<Credentials>>
  /** The client with this `client_id`. */
  readonly findByClientId: (client_id: string) => Effect.Effect<Option.Option<Credentials>>
}>()("@lastro/domain/identity/Principal/PrincipalRepository") {}
