import { type AuditEntry, type ProposalStatus, type QuoteOutcome } from "@lastro/domain"
import { type Schema } from "effect"

/** What the audit tells of an application as it was before or after a deed. */
export interface AuditedApplication {
  /** The latest. */
  readonly quote: { readonly number: number; readonly outcome: QuoteOutcome; readonly rejection: string | null }
  readonly proposal: {
    readonly proposal_id: string
    readonly offer_id: string
    readonly status: ProposalStatus
    readonly disbursement_attempt: number
  } | null
}

const read = (told: Schema.Json): AuditedApplication | null => {
  if (told === null) return null
  const { disbursement_hash: _, ...facts } = told as Schema.JsonObject
  return facts as unknown as AuditedApplication
}

/** A deed to an application; `before` is null where it was opened. */
export interface AuditedDeed {
  readonly action: string
  readonly changed: ReadonlyArray<string>
  readonly before: AuditedApplication | null
  readonly after: AuditedApplication | null
}

/** The deed that an entry tells of, without the hashes that only some deeds are told with. */
export const auditedDeed = ({ action, after, before, changed }: AuditEntry): AuditedDeed => ({
  action,
  changed: changed.filter((field) => field !== "disbursement_hash"),
  before: read(before),
  after: read(after)
})
