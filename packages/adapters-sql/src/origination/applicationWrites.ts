import { type Quote } from "@lastro/domain/offer"
import { type ContractedApplication } from "@lastro/domain/origination"
import { type ApplicationId, type PartnerId } from "@lastro/domain/values"
import { type Array as Arr } from "effect"
import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { toJson } from "../database/columnValues.ts"
import { rootAndRegion } from "../hierarchy/subtree.ts"
import { mutableProposalValues, proposalValues, quoteValues } from "./applicationRow.ts"

/**
 * Returns the common table expressions (`name as (…)`) that write an application's quotes and proposal in the same
 * statement as the application.
 */
export const makeApplicationWrites = (sql: SqlClient.SqlClient) => {
  /**
   * Inserts new quotes, and updates the outcome and the facts of existing ones. `expiry_due` stays null after the expiry
   * was recorded, unless the offers change.
   */
  const saveQuotes = (application: ApplicationId, changed: Arr.NonEmptyReadonlyArray<Quote>): Fragment => {
    const [first, ...others] = changed
    const row = (quote: Quote) => quoteValues(application, quote)
    return sql`quoted as (
      insert into quote ${sql.insert([row(first), ...others.map(row)])}
      on conflict (id) do update set outcome = excluded.outcome, facts = excluded.facts,
        open_until = excluded.open_until,
        expiry_due = case
          when quote.outcome = 'PENDING'
            or json_array_length(quote.facts -> 'offers') <> json_array_length(excluded.facts -> 'offers')
          then excluded.expiry_due else quote.expiry_due
        end
    )`
  }

  /** Inserts the proposal and adds a pending change of the proposal counts. */
  const insertProposal = (owner: PartnerId, application: ContractedApplication): Fragment => {
    const { id, ...values } = proposalValues(application)
    const { commission } = application.proposal
    const partners = commission === null ? null : commission.chain.map(({ partner_id }) => partner_id)
    return sql`proposed as (
        insert into proposal (
          id, partner_id, root_id, region_id, application_id, offer_id, number, cpf, customer_folded, external_id,
          created_by, lender, table_code, paid_at, net_amount, created_at, status, watched_until, updated_at, list_item, facts,
          commission, commission_partners
        )
        values (
          ${id}, ${owner}, ${rootAndRegion(sql, owner)}, ${values.application_id}, ${values.offer_id},
          ${values.number}, ${values.cpf}, ${values.customer_folded}, ${values.external_id},
          ${values.created_by}, ${values.lender}, ${values.table_code}, ${values.paid_at}, ${values.net_amount},
          ${values.created_at}, ${values.status}, ${values.watched_until}, ${values.updated_at}, ${values.list_item}, ${values.facts},
          ${toJson(commission)}::jsonb, ${partners}::uuid[]
        )
        returning partner_id
      ),
      counted as (
        insert into subtree_count_delta (partner_id, partners, users, proposals)
        select partner_id, 0, 0, 1 from proposed
      )`
  }

  const updateProposal = (application: ContractedApplication): Fragment =>
    sql`proposed as (
      update proposal set ${sql.update(mutableProposalValues(application))}
      where id = ${application.proposal.proposal_id}
    )`

  return { saveQuotes, insertProposal, updateProposal }
}
