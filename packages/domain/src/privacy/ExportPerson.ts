import { Effect } from "effect"
import { type AuditEntry } from "../audit/AuditLog.ts"
import { recordAudit } from "../audit/recordAudit.ts"
import { type CommissionEntry, publicEntry } from "../commission/CommissionEntry.ts"
import { type CommissionPayout, publicPayout } from "../commission/Payout.ts"
import { type Application } from "../loan/Application.ts"
import { type ApplicationStatus, applicationStatus } from "../loan/ApplicationStatus.ts"
import { type SubmissionOrigin } from "../loan/ContractFacts.ts"
import { type StoredProposal, storeProposal } from "../origination/storedProposal.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { type Cpf } from "../values/Cpf.ts"
import { type ApplicationId, type PartnerId, type ProposalId } from "../values/ids.ts"
import { currentTimestamp, type Timestamp } from "../values/Timestamp.ts"
import { type HeldPartner, type HeldRecords, type HeldUser, PersonalDataStore } from "./PersonalDataStore.ts"

/** A stored application, with its current status. */
interface HeldApplication extends Omit<Application, "proposal"> {
  readonly status: ApplicationStatus
  readonly proposal: StoredProposal | null
}

/** A contract that names the person as its seller. */
export interface HeldSale {
  readonly application_id: ApplicationId
  readonly proposal_id: ProposalId
  readonly origin: SubmissionOrigin
}

/** All stored data about one person. A JSON value. */
export interface PersonExport {
  readonly cpf: Cpf
  readonly exported_at: Timestamp
  /** The applications as stored: customer, KYC, quotes with offers, and proposal with the payment account. */
  readonly applications: ReadonlyArray<HeldApplication>
  /** The users with this CPF, without their password hashes. */
  readonly users: ReadonlyArray<HeldUser>
  readonly partners: ReadonlyArray<HeldPartner>
  readonly sales: ReadonlyArray<HeldSale>
  /** The commission entries of the partners that are the person, oldest first. */
  readonly commissions: ReadonlyArray<CommissionEntry>
  /** The payouts of commissions to the partners that are the person, oldest first. */
  readonly payouts: ReadonlyArray<CommissionPayout>
  /** The audit entries about these records, masked as stored, without the entries of this export. */
  readonly audit: ReadonlyArray<AuditEntry>
}

/** The id of a stored record and the partner that owns it, for an audit entry. */
export interface HeldRecord {
  readonly id: string
  readonly partner_id: PartnerId
}

/** Lists the ids of the records, each with the partner that owns it. */
const recordsOf = (
  { applications, partners, users }: Pick<HeldRecords, "applications" | "partners" | "users">
): ReadonlyArray<HeldRecord> => [
  ...applications.map(({ application_id, partner_id }) => ({ id: application_id, partner_id })),
  ...users.map(({ user: { partner_id, user_id } }) => ({ id: user_id, partner_id })),
  ...partners.map(({ partner: { partner_id } }) => ({ id: partner_id, partner_id }))
]

/**
 * Lists the ids under which the audit has entries about the records: their own ids, and those of quotes and proposals.
 */
const auditSubjects = (records: HeldRecords): ReadonlyArray<string> => [
  ...recordsOf(records).map(({ id }) => id),
  ...records.applications.flatMap(({ proposal, quotes }) => [
    ...quotes.map(({ quote_id }) => quote_id),
    ...proposal === null ? [] : [proposal.proposal_id]
  ])
]

/**
 * The commissions of a partner are personal data of the person whose CPF is the partner's document number. It does not
 * matter who owns the PIX key.
 * @rule PRIV-16
 */
export const earningPartners = (partners: ReadonlyArray<HeldPartner>, cpf: Cpf): ReadonlyArray<PartnerId> =>
  partners.flatMap(({ partner: { document_number, partner_id } }) =>
    (document_number as string) === (cpf as string) ? [partner_id] : []
  )

/**
 * Returns all stored data about the person with this CPF, in all trees of the installation. Stores an audit entry
 * `privacy.export` for each record, in the same transaction. For the operator only.
 *
 * Source: LGPD (Lei 13.709/2018), art. 9, art. 18, II and art. 19, II.
 */
export const exportPerson = Effect.fn("exportPerson")(function*(cpf: Cpf) {
  const store = yield* PersonalDataStore
  const read = Effect.gen(function*() {
    const records = yield* store.findForUpdate(cpf)
    const at = yield* currentTimestamp
    const audit = yield* store.auditOf(auditSubjects(records))
    const { entries, payouts } = yield* store.commissionsOf(earningPartners(records.partners, cpf))
    const owned = recordsOf(records)
    const ownedIds = new Set(owned.map(({ id }) => id))
    const sold = records.sales.map(({ application_id, partner_id }): HeldRecord => ({ id: application_id, partner_id }))
    for (const { id, partner_id } of [...owned, ...sold.filter((application) => !ownedIds.has(application.id))]) {
      yield* recordAudit({ at, caller: null, action: "privacy.export", subject_id: id, partner_id })
    }
    const answer: PersonExport = {
      cpf,
      exported_at: at,
      applications: records.applications.map((application) => ({
        ...application,
        status: applicationStatus(application, at),
        proposal: application.proposal === null ? null : storeProposal(application.proposal)
      })),
      users: records.users,
      partners: records.partners,
      sales: records.sales.flatMap(({ application_id, proposal }) =>
        proposal === null || proposal.origin === null
          ? []
          : [{ application_id, proposal_id: proposal.proposal_id, origin: proposal.origin }]
      ),
      commissions: entries.map(publicEntry),
      payouts: payouts.map(publicPayout),
      audit
    }
    return answer
  })
  return yield* (yield* UnitOfWork).atomically(read)
})
