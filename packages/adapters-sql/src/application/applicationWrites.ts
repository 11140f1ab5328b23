import { type ApplicationId, type Contracted, nextLook, type PartnerId, type Quote } from "@lastro/domain"
import { type Array as Arr } from "effect"
import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { rootAndRegion } from "../hierarchy/subtree.ts"
import { changingProposalValues, proposalValues } from "./proposalRow.ts"
import { quoteValues } from "./quoteRow.ts"

/**
 * What of an application is written to other tables than its own, as parts (`name as (…)`) of the statement that writes its
 * own: all of it happens, or none.
 */
export const applicationParts = (sql: SqlClient.SqlClient) => {
  /** Adds quotes, and brings those that are there to their end. */
  const quotes = (application: ApplicationId, changed: Arr.NonEmptyReadonlyArray<Quote>): Fragment => {
    const [first, ...others] = changed
    const row = (quote: Quote) => quoteValues(application, quote)
    return sql`quoted as (
      insert into quote ${sql.insert([row(first), ...others.map(row)])}
      on conflict (id) do update set outcome = excluded.outcome, facts = excluded.facts
    )`
  }

  /** Adds the proposal, and counts it. */
  const proposal = (owner: PartnerId, application: Contracted): Fragment => {
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

  /** Saves what changed of the proposal. */
  const changedProposal = (application: Contracted): Fragment =>
    sql`proposed as (
      update proposal set ${sql.update(changingProposalValues(application))}
      where id = ${application.proposal.proposal_id}
    )`

  /** Sets when the contract is to be looked at next, as of the proposal's last change. */
  const look = ({ proposal }: Contracted): Fragment => {
    const due = nextLook(proposal, proposal.updated_at)
    return due === null
      ? sql`looked as (delete from contract_look where proposal_id = ${proposal.proposal_id})`
      : sql`looked as (
          insert into contract_look (proposal_id, due_at) values (${proposal.proposal_id}, ${due})
          on conflict (proposal_id) do update set due_at = excluded.due_at
        )`
  }

  return {
    quotes,
    newProposal: (owner: PartnerId, application: Contracted) => [proposal(owner, application), look(application)],
    changedProposal: (application: Contracted) => [changedProposal(application), look(application)]
  }
}
