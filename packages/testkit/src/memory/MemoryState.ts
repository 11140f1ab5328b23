import {
  type ApiClient,
  type Application,
  type ApplicationId,
  type AuditEntry,
  type PartnerDetail,
  type PartnerId,
  type PasswordHash,
  type ProposalId,
  type RefreshToken,
  type SigningKey,
  type StoredAnswer,
  type Timestamp,
  type UserId,
  type UserListItem
} from "@lastro/domain"
import { type StoredWork } from "./Work.ts"

/** A partner; one that was deleted keeps its place in the tree. */
export interface StoredPartner {
  readonly partner: PartnerDetail
  readonly deleted_at: Timestamp | null
}

/** A user with its password's hash; `credentials_version` counts the passwords it had. */
export interface StoredUser {
  readonly user: UserListItem
  readonly password: PasswordHash
  readonly credentials_version: number
  readonly deleted_at: Timestamp | null
}

/** An API client with its secret's hash; `credentials_version` counts the secrets it had. */
export interface StoredClient {
  readonly client: ApiClient
  readonly secret: PasswordHash
  readonly credentials_version: number
}

/** An application, and when its KYC was submitted last. */
export interface StoredApplication {
  readonly application: Application
  readonly kyc_at: Timestamp | null
}

/** Everything the in-memory fakes know, as one immutable value. */
export interface MemoryState {
  readonly partners: ReadonlyMap<PartnerId, StoredPartner>
  readonly users: ReadonlyMap<UserId, StoredUser>
  readonly clients: ReadonlyMap<string, StoredClient>
  readonly applications: ReadonlyMap<ApplicationId, StoredApplication>
  /** When to look at contracts next; none of those that are not looked at. */
  readonly looks: ReadonlyMap<ProposalId, Timestamp>
  /** In the order in which it was started, by what it is. */
  readonly work: ReadonlyMap<string, StoredWork>
  /** By a digest of the token. */
  readonly refreshTokens: ReadonlyMap<string, RefreshToken>
  readonly signingKeys: ReadonlyMap<string, SigningKey>
  /** By a digest of subject and key. */
  readonly answers: ReadonlyMap<string, StoredAnswer>
  /** In the order in which it was recorded. */
  readonly audit: ReadonlyArray<AuditEntry>
  /** The trees that the unit in progress holds, by their roots. */
  readonly holds: ReadonlyMap<PartnerId, "shared" | "exclusive">
}

/** The state of an empty database. */
export const emptyState: MemoryState = {
  partners: new Map(),
  users: new Map(),
  clients: new Map(),
  applications: new Map(),
  looks: new Map(),
  work: new Map(),
  refreshTokens: new Map(),
  signingKeys: new Map(),
  answers: new Map(),
  audit: [],
  holds: new Map()
}

/** A map with one entry put or replaced. */
export const withEntry = <K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> =>
  new Map(map).set(key, value)

/** A map without an entry. */
export const withoutEntry = <K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> => {
  const rest = new Map(map)
  rest.delete(key)
  return rest
}
