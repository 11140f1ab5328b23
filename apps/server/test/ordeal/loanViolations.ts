import { PgDatabase } from "@lastro/adapters-sql"
import { type AuditEntry } from "@lastro/domain/audit"
import { type Application } from "@lastro/domain/loan"
import { type ApplicationId, type OfferId, type ProposalId, type QuoteId, timestampOf } from "@lastro/domain/values"
import { type RecordedContract } from "@lastro/testkit/lender-server"
import { type CallerResponse, findAllViolations, type OriginationRecords } from "@lastro/testkit/scenarios"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import {
  applicationColumns,
  applicationOf,
  type ApplicationRow
} from "../../../../packages/adapters-sql/src/origination/applicationRow.ts"
import { type Customer } from "../running/Customer.ts"

const readRecords = (url: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<ApplicationRow>`select ${sql.literal(applicationColumns)} from application item`
    const audit = yield* sql<Omit<AuditEntry, "at"> & { readonly at: Date }>`
      select audit.* from audit join application item on audit.subject_id = item.id::text order by audit.position`
    return {
      applications: rows.map(applicationOf),
      audit: audit.map((entry) => ({ ...entry, at: timestampOf(entry.at.getTime()) }))
    }
  }).pipe(Effect.provide(PgDatabase.layer({ url: Redacted.make(url) }), { local: true }), Effect.orDie)

const responsesOf = ({ confirmed: { accepted, application_id, quotes } }: Customer): ReadonlyArray<CallerResponse> =>
  application_id === undefined ? [] : [
    ...quotes.map(({ quote_id }): CallerResponse => ({
      _tag: "Quoting",
      application_id: application_id as ApplicationId,
      quote_id: quote_id as QuoteId
    })),
    ...accepted.map(({ offer_id, proposal_id }): CallerResponse => ({
      _tag: "Accepted",
      answer: {
        application_id: application_id as ApplicationId,
        offer_id: offer_id as OfferId,
        proposal_id: proposal_id as ProposalId,
        status: "CONTRACTING",
        next_action: "WAIT"
      }
    }))
  ]

/** Converts the lender's contracts. Their accounts are not compared: the lender rejects a payment with another account. */
const contractsOf = (
  applications: ReadonlyArray<Application>,
  recorded: ReadonlyArray<RecordedContract>
): OriginationRecords["contracts"] => {
  const byProposal = new Map(recorded.map((contract) => [contract.proposal_id, contract]))
  return applications.flatMap(({ application_id, proposal }) => {
    const contract = proposal === null ? undefined : byProposal.get(proposal.proposal_id)
    if (proposal === null || contract === undefined) return []
    return [{
      application_id,
      proposal_id: proposal.proposal_id,
      contract: {
        reference: contract.reference,
        status: contract.status,
        signature_url: null,
        rejection: null,
        disbursement_attempt: contract.payments.length
      },
      payments: contract.payments.map(() => proposal.disbursement)
    }]
  })
}

/**
 * Applies the loan oracle to the stored applications, their audit entries, and the responses to customers. Leaves out
 * the applications of customers who were given up, because the oracle requires that all jobs have ended.
 */
export const loanViolations = Effect.fnUntraced(function*(
  url: string,
  customers: ReadonlyArray<Customer>,
  givenUp: ReadonlySet<string>,
  recorded: ReadonlyArray<RecordedContract>
) {
  const records = yield* readRecords(url)
  const contracts = contractsOf(records.applications, recorded)
  const violations = findAllViolations({
    ...records,
    contracts: contracts.filter(({ application_id }) => !givenUp.has(application_id)),
    applications: records.applications.filter(({ application_id }) => !givenUp.has(application_id)),
    calls: [],
    responses: customers.flatMap(responsesOf)
  }).map(({ application_id, rule, statement }) => `rule ${rule} of loans: ${statement} (application ${application_id})`)
  const unknown = recorded.length - contracts.length
  return unknown === 0 ? violations : [...violations, `the lender has ${unknown} contracts without a stored proposal`]
})
