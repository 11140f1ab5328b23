import { Context, type Effect } from "effect"
import { type AuditEntry } from "../audit/AuditLog.ts"
import { type StoredEntry } from "../commission/CommissionEntry.ts"
import { type StoredPayout } from "../commission/Payout.ts"
import { type Application } from "../loan/Application.ts"
import { type PartnerDetail } from "../partner/PartnerDetail.ts"
import { type UserListItem } from "../user/UserDetail.ts"
import { type Cpf } from "../values/Cpf.ts"
import { type ApplicationId, type PartnerId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"

/** A stored user, deleted or not. */
export interface HeldUser {
  readonly user: UserListItem
  /** Null while the user exists. */
  readonly deleted_at: Timestamp | null
}

/** A stored partner, deleted or not. */
export interface HeldPartner {
  readonly partner: PartnerDetail
  /** Null while the partner exists. */
  readonly deleted_at: Timestamp | null
}

/** The records about one person. Each list is ordered by id. */
export interface HeldRecords {
  /** The applications with this person as the customer. */
  readonly applications: ReadonlyArray<Application>
  /** The users with the person's CPF. */
  readonly users: ReadonlyArray<HeldUser>
  /** The partners with the person's CPF as their document number or PIX key. */
  readonly partners: ReadonlyArray<HeldPartner>
  /** The contracted applications with the person as the seller: as the user, or as the partner. */
  readonly sales: ReadonlyArray<Application>
}

/** The commissions of partners, oldest first. */
export interface HeldCommissions {
  readonly entries: ReadonlyArray<StoredEntry>
  readonly payouts: ReadonlyArray<StoredPayout>
}

/** Deleted records that still have personal data. */
export interface DeletedRecords {
  readonly users: ReadonlyArray<HeldUser>
  readonly partners: ReadonlyArray<HeldPartner>
}

/**
 * Identifies data outside the erased records that can contain their personal data: stored responses, jobs of quotes,
 * and failed sign-ins.
 */
export interface Traces {
  /** The ids of the erased records. */
  readonly record_ids: ReadonlyArray<string>
  /** The lender's references for the erased records. The key of a callback can be one of them, or an id. */
  readonly references: ReadonlyArray<string>
  /** The partners that own the erased records. */
  readonly partner_ids: ReadonlyArray<PartnerId>
  /** The usernames of erased users, in the form that `LoginAttempts` stores. */
  readonly usernames: ReadonlyArray<string>
}

/** The position of an application in the order of last changes. */
export interface ChangePosition {
  readonly updated_at: Timestamp
  readonly application_id: ApplicationId
}

/** Applications that may have to be erased, in the order of their last change. */
export interface UnsoldApplications {
  readonly applications: ReadonlyArray<Application>
  /** The position of the last examined application. Null if none follows. */
  readonly next: ChangePosition | null
}

/**
 * Reads and erases the personal data of one person, in all trees of the installation. For the operator and for
 * background work only: no hierarchy is checked. Writes join the surrounding transaction. Records that are already
 * erased are never found.
 */
export class PersonalDataStore extends Context.Service<PersonalDataStore, {
  /**
   * Returns all records about the person with this CPF, deleted ones included, and locks them until the transaction
   * ends.
   */
  readonly findForUpdate: (cpf: Cpf) => Effect.Effect<HeldRecords>
  /**
   * Returns up to `limit` users and `limit` partners that were deleted at `until` or before, and locks them. Skips
   * records that another transaction has locked.
   */
  readonly findDeleted: (until: Timestamp, limit: number) => Effect.Effect<DeletedRecords>
  /**
   * Examines up to `limit` applications after a position, in the order of their last change. Examines only applications
   * that last changed at `until` or before, and skips those in the stage of a contract or a refund. Returns and locks
   * those that no other transaction has locked.
   */
  readonly findUnsold: (
    until: Timestamp,
    after: ChangePosition | null,
    limit: number
  ) => Effect.Effect<UnsoldApplications>
  /** Returns the commission entries of these partners and the payouts to them, oldest first. */
  readonly commissionsOf: (partner_ids: ReadonlyArray<PartnerId>) => Effect.Effect<HeldCommissions>
  /** Returns the audit entries about these records, oldest first. */
  readonly auditOf: (record_ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<AuditEntry>>
  /**
   * Overwrites a stored application with its quotes and its proposal, including the customer, the external id, the
   * metadata and the values for search. The given application must have the stored partner, stage (`ApplicationStage`)
   * and time of creation.
   */
  readonly saveApplication: (application: Application) => Effect.Effect<void>
  /** Replaces the personal data of a deleted user, removes its password, and marks the user as erased. */
  readonly saveUser: (user: UserListItem, erased_at: Timestamp) => Effect.Effect<void>
  /** Replaces the personal data of a deleted partner, and marks it as erased. */
  readonly savePartner: (partner: PartnerDetail, erased_at: Timestamp) => Effect.Effect<void>
  /** Replaces `before`, `after` and `changed` of stored audit entries. */
  readonly saveAudit: (entries: ReadonlyArray<AuditEntry>) => Effect.Effect<void>
  /**
   * Deletes these traces:
   * - the stored responses about the records.
   * - the jobs of their quotes, and the callback keys of these jobs.
   * - the remembered callbacks whose key is an id or a reference of the records.
   * - the failed sign-ins with the usernames.
   */
  readonly deleteTraces: (traces: Traces) => Effect.Effect<void>
}>()("@lastro/domain/privacy/PersonalDataStore") {}
