import { type AuditEntry } from "@lastro/domain/audit"
import { type Application } from "@lastro/domain/loan"
import { isContracted } from "@lastro/domain/origination"
import { type PartnerDetail } from "@lastro/domain/partner"
import { type Traces } from "@lastro/domain/privacy"
import { type UserListItem } from "@lastro/domain/user"
import { type Timestamp } from "@lastro/domain/values"
import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { sha256, toJson } from "../database/columnValues.ts"
import {
  immutableApplicationValues,
  kycValues,
  metadataValue,
  mutableApplicationValues,
  mutableProposalValues,
  requirementsValue
} from "../origination/applicationRow.ts"
import { makeApplicationWrites } from "../origination/applicationWrites.ts"
import { mutablePartnerValues } from "../partner/partnerRow.ts"
import { mutableUserValues } from "../user/userRow.ts"

/** Makes the writes of an erasure: one for each kind of record, and one for the other traces of a person. */
export const makeErasureWrites = (sql: SqlClient.SqlClient) => {
  const { saveQuotes } = makeApplicationWrites(sql)

  const updateApplication = (application: Application) => {
    const { cpf, customer, external_id } = immutableApplicationValues(application)
    // A KYC that stays keeps its time. The table requires `kyc_at` with a KYC, and null without one.
    const { kyc, kyc_at } = kycValues(application.kyc, application.updated_at)
    return sql`
      with ${saveQuotes(application.application_id, application.quotes)}
      update application set ${
      sql.update({
        ...mutableApplicationValues(application),
        ...requirementsValue(application),
        cpf,
        customer,
        external_id,
        metadata: metadataValue(application),
        kyc,
        erased_at: application.erased_at ?? null
      })
    }, kyc_at = case when ${kyc === null}::boolean then null else coalesce(kyc_at, ${kyc_at}::timestamptz) end
      where id = ${application.application_id}`
  }

  return {
    application: Effect.fnUntraced(function*(application: Application) {
      yield* updateApplication(application)
      if (!isContracted(application)) return
      yield* sql`
        update proposal set ${
        sql.update({
          ...mutableProposalValues(application),
          cpf: application.proposal.customer.cpf,
          external_id: application.external_id
        })
      } where id = ${application.proposal.proposal_id}`
    }),
    user: (user: UserListItem, erased_at: Timestamp) =>
      sql`
        update app_user set ${
        sql.update({ ...mutableUserValues(user), cpf: user.cpf, password_hash: "", erased_at })
      } where id = ${user.user_id} and deleted_at is not null`,
    partner: (partner: PartnerDetail, erased_at: Timestamp) =>
      sql`
        update partner set ${
        sql.update({ ...mutablePartnerValues(partner), document_number: partner.document_number, erased_at })
      } where id = ${partner.partner_id} and deleted_at is not null`,
    audit: ({ after, before, changed, id }: AuditEntry) =>
      sql`update audit set ${sql.update({ before: toJson(before), after: toJson(after), changed })} where id = ${id}`,
    /**
     * Deletes other data that may contain the personal data. Responses that an earlier version stored have no
     * `record_id`, so all such responses of the partners are deleted.
     */
    traces: Effect.fnUntraced(function*({ partner_ids, record_ids, references, usernames }: Traces) {
      yield* sql`
        delete from idempotency
        where record_id = any(${record_ids}::text[]) or record_id is null and partner_id = any(${partner_ids}::uuid[])`
      yield* sql`delete from job where split_part(kind, ':', 1) in ('quote', 'patience') and id = any(${record_ids}::uuid[])`
      yield* sql`
        delete from lender_callback
        where quote_id = any(${record_ids}::uuid[]) or callback_key = any(${[...record_ids, ...references]}::text[])`
      for (const username of usernames) {
        yield* sql`delete from failed_login where username_hash = ${sha256(username)}`
      }
    })
  }
}
