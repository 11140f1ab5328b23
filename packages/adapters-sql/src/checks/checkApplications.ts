import {
  type Application,
  findOffer,
  isComplete,
  isContracted,
  isUnfinished,
  latestQuote,
  nextLook,
  noKyc,
  timestampOf
} from "@lastro/domain"
import { Effect, Equal, Result } from "effect"
import { SqlClient } from "effect/sql"
import { applicationColumns, applicationOf, type ApplicationRow } from "../application/applicationRow.ts"
import { proposalValues } from "../application/proposalRow.ts"
import { type Finding, shown } from "./Finding.ts"

/** Applications read at a time. */
const batch = 500

/** The columns of a proposal, as `to_json` writes them. */
interface ProposalColumns {
  readonly partner_id: string
  readonly root_id: string
  readonly region_id: string
  readonly created_at: string
  readonly updated_at: string
  readonly list_item: unknown
  readonly facts: unknown
}

/** An application with the columns that repeat what its facts say. */
interface Stored extends ApplicationRow {
  readonly cpf: string
  readonly unfinished: boolean
  readonly quote_columns: ReadonlyArray<readonly [id: string, number: number, outcome: string]>
  readonly proposal_columns: ProposalColumns | null
  readonly looked_at: boolean
}

/** What the columns of a proposal have to be; an offer that is not there is another invariant's matter. */
const proposalAgrees = (application: Application, columns: ProposalColumns | null): boolean => {
  if (!isContracted(application)) return columns === null
  if (columns === null) return false
  const { partner_id, region_id: _region, root_id: _root, ...stored } = columns
  return Result.isFailure(findOffer(application, application.proposal.offer_id)) ||
    partner_id === application.partner_id && Equal.equals(proposalValues(application), {
        ...stored,
        created_at: timestampOf(Date.parse(stored.created_at)),
        updated_at: timestampOf(Date.parse(stored.updated_at)),
        list_item: JSON.stringify(stored.list_item),
        facts: JSON.stringify(stored.facts)
      })
}

type Within = readonly [invariant: string, holds: (application: Application, stored: Stored) => boolean]

/** The invariants within an application, by the rules of the domain themselves. */
const invariants: ReadonlyArray<Within> = [
  [
    "An application's columns agree with its facts",
    (application, { cpf, unfinished }) => cpf === application.customer.cpf && unfinished === isUnfinished(application)
  ],
  [
    "A quote's columns agree with its facts",
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
    "An accepted offer is one of its application's latest quote",
    (application) =>
      application.proposal === null ||
      latestQuote(application).offers.some(({ offer_id }) => offer_id === application.proposal?.offer_id)
  ],
  [
    "No offer is accepted without a complete KYC",
    ({ kyc, proposal }) => proposal === null || isComplete(kyc ?? noKyc)
  ],
  [
    "A proposal's columns agree with its facts",
    (application, { proposal_columns }) => proposalAgrees(application, proposal_columns)
  ],
  [
    "Exactly the contracts that are with the lender are looked at",
    ({ proposal }, { looked_at }) =>
      looked_at === (proposal !== null && nextLook(proposal, proposal.updated_at) !== null)
  ]
]

/** Verifies every application, some at a time; one with two proposals cannot be read, and is another invariant's matter. */
export const checkApplications = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const broken = invariants.map(([invariant, holds]) => {
    const examples: Array<string> = []
    return { invariant, holds, examples, count: 0 }
  })
  let last = "00000000-0000-0000-0000-000000000000"
  for (let full = true; full;) {
    const rows = yield* sql<Stored>`
      select ${sql.literal(applicationColumns)}, item.cpf, item.unfinished,
        (
          select json_agg(json_build_array(id, number, outcome) order by number)
          from quote where quote.application_id = item.id
        ) as quote_columns,
        (select to_json(proposal) from proposal where proposal.application_id = item.id) as proposal_columns,
        exists (
          select from contract_look join proposal on proposal.id = contract_look.proposal_id
          where proposal.application_id = item.id
        ) as looked_at
      from application item
      where item.id > ${last} and (select count(*) from proposal where proposal.application_id = item.id) < 2
      order by item.id limit ${batch}`
    for (const row of rows) {
      const application = applicationOf(row)
      for (const one of broken) {
        if (one.holds(application, row)) continue
        one.count++
        if (one.examples.length < shown) one.examples.push(application.application_id)
      }
      last = application.application_id
    }
    full = rows.length === batch
  }
  return broken.filter(({ count }) => count > 0).map(({ count, examples, invariant }): Finding => ({
    invariant,
    count,
    examples
  }))
})
