import { type Application, emptyKyc, findOffer, isComplete, isUnfinished, latestQuote } from "@lastro/domain/fgts"
import { isContracted } from "@lastro/domain/proposal"
import { timestampOf } from "@lastro/domain/time"
import { Effect, Equal, Result } from "effect"
import { SqlClient } from "effect/sql"
import {
  applicationColumns,
  applicationOf,
  type ApplicationRow,
  listedValue,
  placementValues,
  proposalValues
} from "../application/applicationRow.ts"
import { type Finding, maxExamples } from "./Finding.ts"

/** Number of applications per query. */
const batchSize = 500

/** A row of the table `proposal`, as returned by `to_json`. */
interface ProposalColumns {
  readonly partner_id: string
  readonly root_id: string
  readonly region_id: string
  readonly reference_repeated: boolean
  readonly created_at: string
  readonly updated_at: string
  readonly list_item: unknown
  readonly facts: unknown
}

/** An application row, with the columns whose values are derived from its other fields. */
interface Stored extends ApplicationRow {
  readonly cpf: string
  readonly unfinished: boolean
  readonly stage: string
  readonly live_until: string
  readonly rejection_code: string | null
  readonly listed: unknown
  readonly quote_columns: ReadonlyArray<readonly [id: string, number: number, outcome: string]>
  readonly proposal_columns: ProposalColumns | null
}

/**
 * Returns whether the columns of a proposal match the values that are derived from its application. Returns true if the
 * accepted offer is missing, because another invariant reports that.
 */
const matchesProposalFacts = (application: Application, columns: ProposalColumns | null): boolean => {
  if (!isContracted(application)) return columns === null
  if (columns === null) return false
  const { partner_id, reference_repeated: _repeated, region_id: _region, root_id: _root, ...stored } = columns
  return Result.isFailure(findOffer(application, application.proposal.offer_id)) ||
    partner_id === application.partner_id && Equal.equals(proposalValues(application), {
        ...stored,
        created_at: timestampOf(Date.parse(stored.created_at)),
        updated_at: timestampOf(Date.parse(stored.updated_at)),
        list_item: JSON.stringify(stored.list_item),
        facts: JSON.stringify(stored.facts)
      })
}

type ApplicationInvariant = readonly [invariant: string, holds: (application: Application, stored: Stored) => boolean]

/** The invariants of a single application. Each is checked with the rules of the domain. */
const invariants: ReadonlyArray<ApplicationInvariant> = [
  [
    "An application's columns match its facts",
    (application, { cpf, listed, live_until, rejection_code, stage, unfinished }) =>
      cpf === application.customer.cpf && Equal.equals(listed, JSON.parse(listedValue(application))) &&
      unfinished === isUnfinished(application) &&
      Equal.equals(placementValues(application), {
        stage,
        rejection_code,
        live_until: live_until === "-infinity" ? live_until : timestampOf(Date.parse(live_until))
      })
  ],
  [
    "A quote's columns match its facts",
    ({ quotes }, { quote_columns }) =>
      Equal.equals(quotes.map(({ number, outcome, quote_id }) => [quote_id, number, outcome]), quote_columns)
  ],
  [
    "Quotes are numbered without gaps, and only the latest is pending",
    ({ quotes }) =>
      quotes.every(({ number, outcome }, index) =>
        number === index + 1 && (outcome !== "PENDING" || number === quotes.length)
      )
  ],
  [
    "An accepted offer belongs to the application's latest quote",
    (application) =>
      application.proposal === null ||
      latestQuote(application).offers.some(({ offer_id }) => offer_id === application.proposal?.offer_id)
  ],
  [
    "No offer is accepted without a complete KYC",
    ({ erased_at, kyc, proposal, requirements }) =>
      proposal === null || erased_at !== undefined || isComplete(kyc ?? emptyKyc, requirements)
  ],
  [
    "A proposal's columns match its facts",
    (application, { proposal_columns }) => matchesProposalFacts(application, proposal_columns)
  ]
]

/**
 * Verifies every application, in batches. Skips applications with two proposals, because another invariant reports
 * them.
 */
export const checkApplications = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const results = invariants.map(([invariant, holds]) => {
    const examples: Array<string> = []
    return { invariant, holds, examples, count: 0 }
  })
  let last = "00000000-0000-0000-0000-000000000000"
  for (let full = true; full;) {
    const rows = yield* sql<Stored>`
      select ${sql.literal(applicationColumns)}, item.cpf, item.unfinished, item.stage,
        to_json(item.live_until) #>> '{}' as live_until, item.rejection_code, item.listed,
        (
          select json_agg(json_build_array(id, number, outcome) order by number)
          from quote where quote.application_id = item.id
        ) as quote_columns,
        (select to_json(proposal) from proposal where proposal.application_id = item.id) as proposal_columns
      from application item
      where item.id > ${last} and (select count(*) from proposal where proposal.application_id = item.id) < 2
      order by item.id limit ${batchSize}`
    for (const row of rows) {
      const application = applicationOf(row)
      for (const one of results) {
        if (one.holds(application, row)) continue
        one.count++
        if (one.examples.length < maxExamples) one.examples.push(application.application_id)
      }
      last = application.application_id
    }
    full = rows.length === batchSize
  }
  return results.filter(({ count }) => count > 0).map(({ count, examples, invariant }): Finding => ({
    invariant,
    count,
    examples
  }))
})
