import {
  type ApiClient,
  type AuditEntry,
  type PartnerDetail,
  type PartnerId,
  type PasswordHash,
  type RefreshToken,
  type SigningKey,
  type StoredAnswer,
  type Timestamp,
  type UserId,
  type UserListItem
} from "@lastro/domain"

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

/** Everything the in-memory fakes know, as one immutable value. */
export interface MemoryState {
  readonly partners: ReadonlyMap<PartnerId, StoredPartner>
  readonly users: ReadonlyMap<UserId, StoredUser>
  readonly clients: ReadonlyMap<string, StoredClient>
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
  refreshTokens: new Map(),
  signingKeys: new Map(),
  answers: new Map(),
  audit: [],
  holds: new Map()
}

/** A map with one entry put or replaced. */
export const withEntry = <K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> =>
  new Map(map).set(key, value)
