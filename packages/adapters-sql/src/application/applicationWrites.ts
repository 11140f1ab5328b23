import { type Quote } from "@lastro/domain/fgts"
import { type ApplicationId, type PartnerId } from "@lastro/domain/id"
import { nextPollAt } from "@lastro/domain/origination"
import { type ContractedApplication } from "@lastro/domain/proposal"
import { type Array as Arr } from "effect"
import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { rootAndRegion } from "../hierarchy/subtree.ts"
import { mutableProposalValues, proposalValues, quoteValues } from "./applicationRow.ts"

/**
 * Builds the common table expressions (`name as (…)`) that write an application's quotes and its proposal in the same
 * statement as the application itself.
 */
export const makeApplicationWrites = (sql: SqlClient.SqlClient) => {
  /** Inserts new quotes and updates the outcome of existing ones. */
  const saveQuotes = (application: ApplicationId, changed: Arr.NonEmptyReadonlyArray<Quote>): Fragment => {
    const [first, ...others] = changed
    const row = (quote: Quote) => quoteValues(application, quote)
    return sql`quoted as (
      insert into quote ${sql.insert([row(first), ...others.map(row)])}
      on conflict (id) do update set outcome = excluded.outcome, facts = excluded.facts
    )`
  }

  /** Inserts the proposal and adds a pending change of the proposal counts. */
  const insertProposalRow = (owner: PartnerId, application: ContractedApplication): Fragment => {
    const { id, ...values } = proposalValues(application)
    return sql`proposed as (
        insert into proposal (
          id, partner_id, root_id, region_id, application_id, offer_id, number, cpf, customer_folded, external_id,
          net_amount, created_at, status, updated_at, list_item, facts
        )
        values (
          ${id}, ${owner}, ${rootAndRegion(sql, owner)}, ${values.application_id}, ${values.offer_id},
          ${values.number}, ${values.cpf}, ${values.customer_folded}, ${values.external_id}, ${values.net_amount},
          ${values.created_at}, ${values.status}, ${values.updated_at}, ${values.list_item}, ${values.facts}
        )
        returning partner_id
      ),
      counted as (
        insert into subtree_count_delta (partner_id, partners, users, proposals)
        select partner_id, 0, 0, 1 from proposed
      )`
  }

  const updateProposalRow = (application: ContractedApplication): Fragment =>
    sql`proposed as (
      update proposal set ${sql.update(mutableProposalValues(application))}
      where id = ${application.proposal.proposal_id}
    )`

  /**
   * Schedules the next poll of the contract, based on the time of the proposal's last change. Deletes the schedule if
   * the contract needs no further poll.
   */
  const schedulePoll = ({ proposal }: ContractedApplication): Fragment => {
    const due = nextPollAt(proposal, proposal.updated_at)
    return due === null
      ? sql`looked as (delete from contract_look where proposal_id = ${proposal.proposal_id})`
      : sql`looked as (
          insert into contract_look (proposal_id, due_at) values (${proposal.proposal_id}, ${due})
          on conflict (proposal_id) do update set due_at = excluded.due_at
        )`
  }

  return {
    saveQuotes,
    insertProposal: (owner: PartnerId, application: ContractedApplication) => [
      insertProposalRow(owner, application),
      schedulePoll(application)
    ],
    updateProposal: (application: ContractedApplication) => [updateProposalRow(application), schedulePoll(application)]
  }
}
