import { foldText } from "@lastro/domain/input"
import { basicRequirements, type Customer, type KycRequirements, type KycValues } from "@lastro/domain/kyc"
import {
  acceptedOffer,
  type Application,
  courseOf,
  currentRejection,
  isUnfinished,
  lastExpiryOf,
  openUntil,
  paidAt,
  placementOf,
  watchedUntil
} from "@lastro/domain/loan"
import { type Quote } from "@lastro/domain/offer"
import {
  abridgeApplication,
  acceptedTerms,
  type ContractedApplication,
  listedUpdatedAt,
  proposalListItem,
  type PublicProposalListItem,
  readProposal,
  type StoredProposal,
  storeProposal
} from "@lastro/domain/origination"
import { type ApplicationId, type Metadata, type PartnerId, type Timestamp } from "@lastro/domain/values"
import { toJson, toTimestamp } from "../database/columnValues.ts"

/** A row with all stored fields of an application. */
export interface ApplicationRow {
  readonly application_id: ApplicationId
  readonly external_id: string
  readonly partner_id: PartnerId
  readonly created_by: string
  readonly customer: Customer
  readonly metadata: Metadata
  readonly kyc: KycValues | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly version: number
  /** Null if no quote is stored, which is invalid: every application has one. */
  readonly quotes: Application["quotes"] | null
  readonly proposal: StoredProposal | null
  readonly requirements: KycRequirements | null
  readonly partner_deleted_at: Date | null
  readonly cancellation: Application["cancellation"]
  readonly erased_at: Date | null
}

/** The columns of an application without its quotes and its proposal. The table alias is `item`. */
const ownColumns =
  "item.id as application_id, item.external_id, item.partner_id, item.created_by, item.customer, item.metadata, item.kyc, " +
  "item.created_at, item.updated_at, item.version, item.cancellation, item.requirements, item.erased_at, " +
  "(select deleted_at from partner where partner.id = item.partner_id) as partner_deleted_at"

/** The columns of an {@link ApplicationRow}, with its quotes and its proposal. The table alias is `item`. */
export const applicationColumns = `${ownColumns}, ` +
  "(select json_agg(facts order by number) from quote where quote.application_id = item.id) as quotes, " +
  "(select case when commission is null then facts " +
  "else (facts::jsonb || jsonb_build_object('commission', commission))::json end " +
  "from proposal where proposal.application_id = item.id) as proposal"

/** A row with the fields that an application has in a list. */
export interface ListedRow extends Omit<ApplicationRow, "proposal" | "quotes"> {
  readonly listed: Pick<ApplicationRow, "proposal" | "quotes">
}

/** The columns of a {@link ListedRow}. The table alias is `item`. */
export const listedColumns = `${ownColumns}, item.listed`

/** Converts a row of a list to an application. It contains only the fields of a list item. */
export const listedApplicationOf = ({ listed, ...row }: ListedRow): Application => applicationOf({ ...row, ...listed })

/** Returns the quotes of a row. Throws ApplicationUnreadable if there are none. */
const quotesOf = ({ application_id, quotes }: ApplicationRow): Application["quotes"] => {
  if (quotes?.[0] === undefined) throw new ApplicationUnreadable(application_id)
  return quotes
}

/** Converts a row to an application. Throws ApplicationUnreadable if the row has no quote. */
export const applicationOf = (row: ApplicationRow): Application => ({
  application_id: row.application_id,
  external_id: row.external_id,
  partner_id: row.partner_id,
  created_by: row.created_by,
  customer: row.customer,
  metadata: row.metadata,
  quotes: quotesOf(row),
  kyc: row.kyc,
  proposal: row.proposal === null ? null : readProposal(row.proposal),
  requirements: row.requirements ?? basicRequirements,
  cancellation: row.cancellation,
  partner_deleted_at: row.partner_deleted_at === null ? null : toTimestamp(row.partner_deleted_at),
  erased_at: row.erased_at === null ? null : toTimestamp(row.erased_at),
  created_at: toTimestamp(row.created_at),
  updated_at: toTimestamp(row.updated_at),
  version: row.version
})

/** Returns the values of the columns that the filters by status and by rejection code use. */
export const placementValues = (application: Application) => {
  const { live_until, stage } = placementOf(application)
  return {
    stage,
    live_until: live_until ?? "-infinity",
    rejection_code: currentRejection(application)?.code ?? null
  }
}

/**
 * Returns the values of the columns that the filters by status, next action and proposal status use: the course of the
 * application (FGTS-71), and the version for which it was computed. Earlier versions of Lastro do not update them.
 * `course` is null if time alone does not change the place.
 */
export const courseValues = (application: Application) => {
  const { later, place } = courseOf(application)
  return {
    place,
    place_from: "-infinity",
    place_until: later[0]?.from ?? "infinity",
    course: later.length === 0 ? null : JSON.stringify([{ place }, ...later]),
    placed_version: application.version
  }
}

/**
 * Returns the value of the column `listed`: the fields of a list item that are stored in other tables, from the quotes
 * and the proposal.
 */
export const listedValue = (application: Application): string => {
  const { proposal, quotes } = abridgeApplication(application)
  return JSON.stringify({ quotes, proposal: proposal === null ? null : storeProposal(proposal) })
}

/** Returns the values of the columns of an application that an event can change. */
export const mutableApplicationValues = (application: Application) => ({
  ...placementValues(application),
  ...courseValues(application),
  listed: listedValue(application),
  unfinished: isUnfinished(application),
  cancellation: toJson(application.cancellation),
  updated_at: listedUpdatedAt(application),
  version: application.version
})

/** Returns the values of the columns of an application that never change, without those of its partner. */
export const immutableApplicationValues = (application: Application) => ({
  id: application.application_id,
  external_id: application.external_id,
  cpf: application.customer.cpf,
  created_by: application.created_by,
  customer: JSON.stringify(application.customer),
  created_at: application.created_at
})

export const metadataValue = ({ metadata }: Pick<Application, "metadata">): string => JSON.stringify(metadata)

/** Returns the column values of KYC data submitted at the instant `at`. */
export const kycValues = (kyc: KycValues | null, at: Timestamp) => ({
  kyc: toJson(kyc),
  kyc_at: kyc === null ? null : at
})

export const requirementsValue = ({ requirements }: Application) => ({
  requirements: toJson(requirements)
})

export const quoteValues = (application_id: ApplicationId, quote: Quote) => ({
  id: quote.quote_id,
  application_id,
  number: quote.number,
  outcome: quote.outcome,
  expiry_due: lastExpiryOf(quote),
  open_until: openUntil(quote),
  facts: JSON.stringify(quote)
})

/** A proposal as stored for lists. Earlier versions did not store some of its fields. */
export type StoredListItem =
  & Omit<PublicProposalListItem, "lender" | "paid_at" | "settled_at" | "table">
  & Partial<PublicProposalListItem>

/** The facts of a proposal whose stored list item lacks fields. */
export interface UnlistedFacts {
  readonly quotes: Application["quotes"]
  readonly proposal: StoredProposal
}

/** Stores SETTLED as PAID, because earlier versions do not have the status SETTLED. */
const toStoredListItem = (item: PublicProposalListItem): StoredListItem =>
  item.status === "SETTLED" ? { ...item, status: "PAID" } : item

/**
 * Converts a stored list item to a proposal of a list. Items that an earlier version stored lack some fields: these
 * come from the facts of the proposal, `unlisted`. It is null if the stored item is complete.
 */
export const listItemOf = (
  { settled_at = null, ...item }: StoredListItem,
  unlisted: UnlistedFacts | null
): PublicProposalListItem => ({
  ...item,
  ...laterFields(item, unlisted),
  status: settled_at === null ? item.status : "SETTLED",
  settled_at
})

const laterFields = (
  { lender = null, paid_at = null, table }: Partial<PublicProposalListItem>,
  unlisted: UnlistedFacts | null
): Pick<PublicProposalListItem, "lender" | "paid_at" | "table"> => {
  if (table !== undefined || unlisted === null) return { lender, paid_at, table: table ?? { code: "", label: "" } }
  const offer = acceptedOffer({ quotes: unlisted.quotes, proposal: readProposal(unlisted.proposal) })
  return {
    lender: offer?.lender ?? null,
    paid_at: paidAt(readProposal(unlisted.proposal)),
    table: { code: offer?.table.code ?? "", label: offer?.table.label ?? "" }
  }
}

/** Returns the values of the columns of a proposal that an event can change. */
export const mutableProposalValues = (application: ContractedApplication) => ({
  status: application.proposal.status,
  watched_until: watchedUntil(application),
  customer_folded: foldText(application.proposal.customer.name),
  net_amount: acceptedTerms(application).net_amount,
  created_by: application.proposal.created_by,
  lender: acceptedOffer(application)?.lender ?? null,
  table_code: acceptedOffer(application)?.table.code ?? null,
  paid_at: paidAt(application.proposal),
  updated_at: application.proposal.updated_at,
  list_item: JSON.stringify(toStoredListItem(proposalListItem(application))),
  facts: JSON.stringify(storeProposal(application.proposal))
})

/**
 * Returns the column values of a proposal, with those for search and sorting, but without the ids of its partner, root
 * and region.
 */
export const proposalValues = (application: ContractedApplication) => ({
  ...mutableProposalValues(application),
  id: application.proposal.proposal_id,
  application_id: application.application_id,
  offer_id: application.proposal.offer_id,
  number: application.proposal.number,
  cpf: application.proposal.customer.cpf,
  external_id: application.external_id,
  created_at: application.proposal.created_at
})

/**
 * The stored facts of an application cannot be read, because it has no quote. A use case that reads it dies with this
 * error.
 */
export class ApplicationUnreadable extends Error {
  override readonly name = "ApplicationUnreadable"
  readonly application_id: ApplicationId

  constructor(application_id: ApplicationId) {
    super(
      `The stored facts of application ${application_id} cannot be read. Run lastro check to list every broken record, and restore the facts from a backup.`
    )
    this.application_id = application_id
  }
}
