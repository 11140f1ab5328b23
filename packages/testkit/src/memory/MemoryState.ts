import { type AuditEntry } from "@lastro/domain/audit"
import {
  type ClosingId,
  type Period,
  type StatementComparison,
  type StoredEntry,
  type StoredHostContract,
  type StoredPayout,
  type StoredPlan
} from "@lastro/domain/commission"
import { type EventEntry } from "@lastro/domain/event"
import { type Hierarchy, hierarchyOf, sealFound, type SubtreeScope } from "@lastro/domain/hierarchy"
import { type StoredAnswer } from "@lastro/domain/idempotency"
import {
  type ApiClient,
  type FailedLogin,
  type PasswordHash,
  type RefreshToken,
  type SigningKey
} from "@lastro/domain/identity"
import { type Routing } from "@lastro/domain/lender"
import { type Application } from "@lastro/domain/loan"
import { type PartnerDetail } from "@lastro/domain/partner"
import { type UserListItem } from "@lastro/domain/user"
import {
  type ApplicationId,
  type PartnerId,
  type ProposalId,
  type QuoteId,
  type Timestamp,
  type UserId,
  type WebhookId
} from "@lastro/domain/values"
import { Result } from "effect"
import { type MemoryJob, type StoredCallback } from "./PendingWork.ts"
import { type StoredWebhook } from "./StoredWebhook.ts"

/** An event with the root of its tree and its trace context. */
export interface StoredEvent {
  readonly traceparent: string | null
  readonly entry: EventEntry
  readonly root_id: PartnerId
  /** The partner of the event and its ancestors at that time, ending with the root. */
  readonly above: ReadonlyArray<PartnerId>
}

/** The cursor of a subscription, and the lease of its holder. Times are milliseconds since 1970. */
interface StoredSubscription {
  readonly cursor: number
  readonly holder: string | null
  readonly leased_until: number
}

/** A partner. After its deletion, it stays in the tree as the parent of its children. */
export interface StoredPartner {
  readonly partner: PartnerDetail
  readonly deleted_at: Timestamp | null
  /** The number of moves of the partner itself. Default: 0. */
  readonly moves?: number
  /** Absent until the personal data is erased. */
  readonly erased_at?: Timestamp
}

/** A user. `credentials_version` increases with every new password. */
export interface StoredUser {
  readonly user: UserListItem
  readonly password: PasswordHash
  readonly credentials_version: number
  readonly deleted_at: Timestamp | null
  /** Absent until the personal data is erased. */
  readonly erased_at?: Timestamp
}

/** An API client. `credentials_version` increases with every new secret. */
export interface StoredClient {
  readonly client: ApiClient
  readonly secret: PasswordHash
  readonly credentials_version: number
  /** The previous secret, and the time until which it is valid. Null: there is none. */
  readonly previous: { readonly secret: PasswordHash; readonly valid_until: Timestamp } | null
}

/** An application and the time of its last KYC submission. */
export interface StoredApplication {
  readonly application: Application
  readonly kyc_at: Timestamp | null
}

/** The first closing of a period of a partner. */
interface StoredClosing {
  readonly closing_id: ClosingId
  readonly partner_id: PartnerId
  readonly period: Period
  readonly created_at: Timestamp
}

/** All data of the in-memory fakes, as one immutable value. */
export interface MemoryState {
  readonly partners: ReadonlyMap<PartnerId, StoredPartner>
  readonly users: ReadonlyMap<UserId, StoredUser>
  readonly clients: ReadonlyMap<string, StoredClient>
  readonly applications: ReadonlyMap<ApplicationId, StoredApplication>
  /** Durable jobs by name, oldest first. */
  readonly work: ReadonlyMap<string, MemoryJob>
  /** The callbacks of the lender by their key (LENDER-22). */
  readonly callbacks: ReadonlyMap<string, StoredCallback>
  /** Refresh tokens by the digest of the token. */
  readonly refreshTokens: ReadonlyMap<string, RefreshToken>
  /** The ended sessions of access tokens of API clients, with the times at which they ended. */
  readonly endedSessions: ReadonlyMap<string, Timestamp>
  readonly signingKeys: ReadonlyMap<string, SigningKey>
  /** Encrypted responses by the digest of subject and idempotency key. */
  readonly answers: ReadonlyMap<string, StoredAnswer>
  /** Audit entries, oldest first. */
  readonly audit: ReadonlyArray<AuditEntry>
  /** Events in the order of their commits. */
  readonly events: ReadonlyArray<StoredEvent>
  /** The number of deleted events of each tree. It equals the sequence of the last deleted event. */
  readonly deletedEvents: ReadonlyMap<PartnerId, number>
  /** The subscriptions of the host, by root and name. */
  readonly subscriptions: ReadonlyMap<string, StoredSubscription>
  /** The quotes that `takeExpired` has returned, each with the number of its offers. */
  readonly expiredQuotes: ReadonlyMap<QuoteId, number>
  /** The routings of partners, by partner. */
  readonly routings: ReadonlyMap<PartnerId, Routing>
  readonly webhooks: ReadonlyMap<WebhookId, StoredWebhook>
  /** Commission plans in the order in which they were written. */
  readonly plans: ReadonlyArray<StoredPlan>
  /** Commission entries in the order in which they were written. */
  readonly entries: ReadonlyArray<StoredEntry>
  readonly closings: ReadonlyArray<StoredClosing>
  readonly payouts: ReadonlyArray<StoredPayout>
  /** The contracts of a host that has loans of its own. */
  readonly hostContracts: ReadonlyMap<ProposalId, StoredHostContract>
  /** The results of statements, by the JSON of their key. */
  readonly statements: ReadonlyMap<string, StatementComparison>
  /**
   * The failed sign-ins that an erasure has deleted. Failed sign-ins are stored elsewhere, because they survive a
   * rollback.
   */
  readonly erasedLogins: ReadonlySet<FailedLogin>
  /** The tree locks of the running unit of work, by root partner. */
  readonly holds: ReadonlyMap<PartnerId, "shared" | "exclusive">
}

/** The state of an empty database. */
export const emptyState: MemoryState = {
  partners: new Map(),
  users: new Map(),
  clients: new Map(),
  applications: new Map(),
  work: new Map(),
  callbacks: new Map(),
  refreshTokens: new Map(),
  endedSessions: new Map(),
  signingKeys: new Map(),
  answers: new Map(),
  audit: [],
  events: [],
  deletedEvents: new Map(),
  subscriptions: new Map(),
  expiredQuotes: new Map(),
  routings: new Map(),
  webhooks: new Map(),
  plans: [],
  entries: [],
  closings: [],
  payouts: [],
  hostContracts: new Map(),
  statements: new Map(),
  erasedLogins: new Set(),
  holds: new Map()
}

/** Returns a map without an entry. */
export const withoutEntry = <K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> => {
  const rest = new Map(map)
  rest.delete(key)
  return rest
}

/** The fields of the state that are maps. */
type Table = {
  [K in keyof MemoryState]: MemoryState[K] extends ReadonlyMap<infer _, unknown> ? K : never
}[keyof MemoryState]

type Key<T extends Table> = Parameters<MemoryState[T]["get"]>[0]
type Entry<T extends Table> = NonNullable<ReturnType<MemoryState[T]["get"]>>

/** Adds or replaces an entry in a map of the state. */
export const put = <T extends Table>(state: MemoryState, table: T, key: Key<T>, entry: Entry<T>): MemoryState => ({
  ...state,
  [table]: new Map<unknown, unknown>(state[table]).set(key, entry)
})

/** Changes an existing entry in a map of the state. Ignores an unknown key. */
export const alter = <T extends Table>(
  state: MemoryState,
  table: T,
  key: Key<T>,
  change: (entry: Entry<T>) => Entry<T>
): MemoryState => {
  const entry = (state[table] as ReadonlyMap<Key<T>, Entry<T>>).get(key)
  return entry === undefined ? state : put(state, table, key, change(entry))
}

/** Caches the hierarchy of each map of partners. The maps are immutable, so their hierarchies never change. */
const hierarchies = new WeakMap<MemoryState["partners"], Hierarchy<PartnerId>>()

/** Returns the hierarchy of all partners, including deleted partners. */
export const treeOf = ({ partners }: MemoryState): Hierarchy<PartnerId> => {
  const existing = hierarchies.get(partners)
  if (existing !== undefined) return existing
  const pairs = Array.from(partners, ([id, { partner }]) => [id, partner.parent_id] as const)
  const hierarchy = Result.getOrThrow(hierarchyOf(pairs))
  hierarchies.set(partners, hierarchy)
  return hierarchy
}

/** Returns the root of the tree that contains a partner. Undefined for an unknown partner. */
export const rootOf = (state: MemoryState, partner: PartnerId): PartnerId | undefined =>
  treeOf(state).pathToRoot(partner).at(-1)

/** Returns an application with the time at which its partner was deleted, if it was. */
export const withPartner = ({ partners }: MemoryState, { application }: StoredApplication): Application => {
  const deleted = partners.get(application.partner_id)?.deleted_at ?? null
  return deleted === null ? application : { ...application, partner_deleted_at: deleted }
}

/** Returns a record as a find method does: a FoundRecord, which states whether the partner is in the scope. */
export const sealWithin = <A>(state: MemoryState, scope: SubtreeScope, partner_id: PartnerId, record: A) =>
  sealFound(record, treeOf(state).isWithin(scope.partner_id, partner_id))
