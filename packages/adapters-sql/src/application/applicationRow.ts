import {
  type Application,
  type ApplicationId,
  type Customer,
  isUnfinished,
  type KycValues,
  type PartnerId,
  type Proposal,
  type Timestamp
} from "@lastro/domain"
import { timestamp } from "../database/timestamps.ts"

/** An application as it is read whole. */
export interface ApplicationRow {
  readonly application_id: ApplicationId
  readonly external_id: string
  readonly partner_id: PartnerId
  readonly created_by: string
  readonly customer: Customer
  readonly kyc: KycValues | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly version: number
  readonly quotes: Application["quotes"]
  readonly proposal: Proposal | null
}

/** The columns of an {@link ApplicationRow}, of the table `application item`, with its quotes and its proposal. */
export const applicationColumns =
  "item.id as application_id, item.external_id, item.partner_id, item.created_by, item.customer, item.kyc, " +
  "item.created_at, item.updated_at, item.version, " +
  "(select json_agg(facts order by number) from quote where quote.application_id = item.id) as quotes, " +
  "(select facts from proposal where proposal.application_id = item.id) as proposal"

/** The application a row holds. */
export const applicationOf = (row: ApplicationRow): Application => ({
  application_id: row.application_id,
  external_id: row.external_id,
  partner_id: row.partner_id,
  created_by: row.created_by,
  customer: row.customer,
  quotes: row.quotes,
  kyc: row.kyc,
  proposal: row.proposal,
  created_at: timestamp(row.created_at),
  updated_at: timestamp(row.updated_at),
  version: row.version
})

/** The columns that change with every fact. */
export const changingApplicationValues = (application: Application) => ({
  unfinished: isUnfinished(application),
  updated_at: application.updated_at,
  version: application.version
})

/** The columns of an application that never change; not its owner. */
export const lastingApplicationValues = (application: Application) => ({
  id: application.application_id,
  external_id: application.external_id,
  cpf: application.customer.cpf,
  created_by: application.created_by,
  customer: JSON.stringify(application.customer),
  created_at: application.created_at
})

/** The columns that a KYC fills which was submitted at this time. */
export const kycValues = (kyc: KycValues | null, at: Timestamp) => ({
  kyc: kyc === null ? null : JSON.stringify(kyc),
  kyc_at: kyc === null ? null : at
})
