import { FgtsKyc, fgtsKyc } from "@lastro/domain/kyc"
import { type Application, type LoanPlace } from "@lastro/domain/loan"
import { FgtsApplication, fgtsApplication } from "@lastro/domain/origination"
import { type Timestamp } from "@lastro/domain/values"
import { Effect, Result, Schema } from "effect"
import { type SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"
import {
  applicationColumns,
  applicationOf,
  type ApplicationRow,
  type ListedRow,
  type StoredListItem
} from "../origination/applicationRow.ts"
import { reportProgress } from "./snapshots.ts"

/** Number of applications per query. It keeps each query short. */
const batchSize = 500

/** A row of the table `proposal`, as returned by `to_json`. */
export interface ProposalColumns {
  readonly partner_id: string
  readonly root_id: string
  readonly region_id: string
  readonly reference_repeated: boolean
  readonly created_at: string
  readonly updated_at: string
  readonly list_item: StoredListItem
  readonly watched_until: string | null
  readonly paid_at: string | null
}

/** A row of the table `application`, with its derived columns. */
export interface StoredApplication extends ApplicationRow {
  readonly cpf: string
  readonly unfinished: boolean
  readonly stage: string
  readonly live_until: string
  readonly rejection_code: string | null
  readonly listed: ListedRow["listed"]
  readonly place: LoanPlace | null
  readonly place_from: string
  readonly place_until: string
  readonly course: ReadonlyArray<{ readonly from?: Timestamp; readonly place: LoanPlace }> | null
  readonly placed_version: number | null
  readonly quote_columns: ReadonlyArray<readonly [id: string, number: number, outcome: string]>
  readonly proposal_columns: ProposalColumns | null
}

const isApplicationView = Schema.is(FgtsApplication)
const isKycView = Schema.is(FgtsKyc)

/** Builds the API's view of an application. Throws if the view cannot be built. */
export const viewOf = (application: Application) =>
  fgtsApplication(application, application.updated_at, "full", { quotes: true })

/**
 * Builds the API's response for an application. Throws if it cannot be built, or if it does not match the schema of the
 * API.
 */
const requireReadable = (application: Application): void => {
  if (!isApplicationView(viewOf(application))) throw new TypeError("The application does not have the form of the API")
  if (application.kyc !== null && !isKycView(fgtsKyc(application, application.kyc))) {
    throw new TypeError("The KYC does not have the form of the API")
  }
}

/** Reads an application from its row. Fails if no version of Lastro has written facts of this form. */
export const readStored = (row: StoredApplication): Result.Result<Application, unknown> =>
  Result.try(() => {
    const application = applicationOf(row)
    requireReadable(application)
    return application
  })

const selectStored = (sql: SqlClient.SqlClient) =>
  sql`
  select ${sql.literal(applicationColumns)}, item.cpf, item.unfinished, item.stage,
    to_json(item.live_until) #>> '{}' as live_until, item.rejection_code, item.listed,
    item.place, to_json(item.place_from) #>> '{}' as place_from, to_json(item.place_until) #>> '{}' as place_until, item.course,
    item.placed_version,
    (
      select json_agg(json_build_array(id, number, outcome) order by number)
      from quote where quote.application_id = item.id
    ) as quote_columns,
    (select to_json(proposal) from proposal where proposal.application_id = item.id) as proposal_columns
  from application item
  where (select count(*) from proposal where proposal.application_id = item.id) < 2`

export const findStored = (sql: SqlClient.SqlClient, application_id: string) =>
  Effect.map(
    sql<StoredApplication>`${selectStored(sql)} and item.id = ${application_id}`,
    ([row]): StoredApplication | undefined => row
  )

/**
 * Visits every application in batches of one query each. Holds no lock or snapshot between two batches. Skips an
 * application with several proposals, because no adapter can read it.
 */
export const visitStored = Effect.fnUntraced(function*<R>(
  sql: SqlClient.SqlClient,
  visit: (row: StoredApplication) => Effect.Effect<void, SqlError, R>
) {
  let last = "00000000-0000-0000-0000-000000000000"
  let visited = 0
  for (let hasMore = true; hasMore;) {
    const rows = yield* sql<StoredApplication>`
      ${selectStored(sql)} and item.id > ${last} order by item.id limit ${batchSize}`
    for (const row of rows) {
      yield* visit(row)
      last = row.application_id
    }
    visited += rows.length
    yield* reportProgress(`${visited} applications`)
    hasMore = rows.length === batchSize
  }
})
