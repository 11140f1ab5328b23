import { Context, type Effect, type Option, Result, type Stream } from "effect"
import { type GroupId, type GroupSlug } from "../access/Group.ts"
import { type SubtreeScope } from "../hierarchy/Scope.ts"
import { type FoldedText } from "../input/fold.ts"
import { type ListQuery, type WholeQuery } from "../input/ListQuery.ts"
import { type ListSlice } from "../input/Page.ts"
import { Refusal } from "../input/Refusal.ts"
import { type ReadBudgetExceeded } from "../ports/CostlyReads.ts"
import { type PartnerId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type PasswordHash } from "./PasswordHasher.ts"

/** The client id does not have 1 to 64 characters of `[A-Za-z0-9._-]`. */
export class ClientIdMalformed
  extends Refusal("ClientIdMalformed", "A client id has 1 to 64 characters of `[A-Za-z0-9._-]`. Choose another one.")
{}

/**
 * A client id has 1 to 64 characters of `[A-Za-z0-9._-]`. `lastro` is reserved for the tokens of users.
 * @rule CLIENT-01
 */
export const judgeClientId = (client_id: string): Result.Result<string, ClientIdMalformed | ClientIdTaken> => {
  if (client_id === passwordClientId) return Result.fail(new ClientIdTaken())
  const isWellFormed = /^[A-Za-z0-9._-]{1,64}$/.test(client_id)
  return isWellFormed ? Result.succeed(client_id) : Result.fail(new ClientIdMalformed())
}

/** The `client_id` in the tokens of users, who sign in with a password. No API client can have it. */
export const passwordClientId = "lastro"

/** An API client: a program that calls the API on behalf of a partner. */
export interface ApiClient {
  /** 1 to 64 characters of `[A-Za-z0-9._-]`. */
  readonly client_id: string
  /** The name for people. Default: the `client_id`. */
  readonly name: string
  readonly partner_id: PartnerId
  readonly group_id: GroupId
  readonly created_at: Timestamp
  readonly revoked_at: Timestamp | null
}

/** The `client_id` is already taken or is reserved. */
export class ClientIdTaken
  extends Refusal("ClientIdTaken", "This client id is already taken or is reserved. Choose another one.")
{}

/** The fields by which API clients can be sorted. */
export const clientSortFields = ["created_at", "name"] as const
/** A field by which API clients can be sorted. */
export type ClientSortField = typeof clientSortFields[number]

/** An API client must match all filters. An absent filter matches every API client. */
export interface ClientFilters {
  /** A part of the name, in any letter case and with or without accents. */
  readonly name?: FoldedText
  readonly partner_id?: PartnerId
  readonly group?: GroupSlug
  readonly status?: "ACTIVE" | "REVOKED"
}

/** A parsed query for a list of API clients. */
export type ClientQuery = ListQuery<ClientFilters, ClientSortField>

/** Stores API clients with the hashes of their secrets. Writes join the surrounding transaction. */
export class ApiClientRepository extends Context.Service<ApiClientRepository, {
  /**
   * Returns a page of the API clients that match all filters and whose partner is in scope, and the number of matches.
   * Never returns the clients of a deleted partner. Fails with ReadBudgetExceeded if more than `budget` match. Default:
   * unlimited.
   * With `after`, returns the first records after this position, and the position of the last one.
   */
  readonly list: (
    scope: SubtreeScope,
    query: ClientQuery,
    budget?: number
  ) => Effect.Effect<ListSlice<ApiClient>, ReadBudgetExceeded>
  /**
   * Streams all records that match, in the order of `list` and from one snapshot. Each pull reads one batch, and
   * nothing is read before the first pull.
   */
  readonly exportAll: (scope: SubtreeScope, query: WholeQuery<ClientQuery>) => Stream.Stream<ApiClient>
  /** Returns the API clients of every partner. */
  readonly listAll: Effect.Effect<ReadonlyArray<ApiClient>>
  readonly find: (client_id: string) => Effect.Effect<Option.Option<ApiClient>>
  /** Finds a client and locks it until the transaction ends, so that changes of its secret run one after another. */
  readonly findForUpdate: (client_id: string) => Effect.Effect<Option.Option<ApiClient>>
  readonly insert: (client: ApiClient, secret: PasswordHash) => Effect.Effect<void, ClientIdTaken>
  /**
   * Replaces the secret and increments `credentials_version`. The replaced secret becomes the previous one, which is
   * valid until `previous_valid_until`. An older secret is no longer valid. Without `previous_valid_until`, no previous
   * secret remains, and access tokens issued before the replacement are refused from the next request on.
   */
  readonly setSecret: (
    client_id: string,
    secret: PasswordHash,
    previous_valid_until?: Timestamp | null
  ) => Effect.Effect<void>
  /**
   * Replaces the hash of an unchanged secret, if the stored hash still equals `verified`. Access tokens stay valid.
   */
  readonly replaceHash: (client_id: string, verified: PasswordHash, hash: PasswordHash) => Effect.Effect<void>
  /**
   * Ends the session of an access token of an API client: `PrincipalRepository.find` returns `session_ended` for it.
   * The session is forgotten at `forgotten_at` or later, when the token has expired.
   */
  readonly endSession: (session: string, at: Timestamp, forgotten_at: Timestamp) => Effect.Effect<void>
  /** Revokes the client. Its access tokens are refused from the next request on. */
  readonly revoke: (client_id: string, at: Timestamp) => Effect.Effect<void>
}>()("@lastro/domain/identity/ApiClient/ApiClientRepository") {}
