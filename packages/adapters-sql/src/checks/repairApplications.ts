// The layer has only a hash function, which shares no state.
// @effect-diagnostics strictEffectProvide:off
import { type Application } from "@lastro/domain/loan"
import { erasedExternalId, hasExternalIdLeft, isContracted } from "@lastro/domain/origination"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"
import * as PersonalDataHasher from "../audit/PersonalDataHasher.ts"
import { mutableApplicationValues, proposalValues } from "../origination/applicationRow.ts"
import { makeErasureWrites } from "../privacy/erasureWrites.ts"
import { matchesApplicationFacts, matchesProposalFacts, matchesQuoteFacts } from "./checkApplications.ts"
import { type Repair, runStep } from "./Repair.ts"
import { findStored, readStored, type StoredApplication, visitStored } from "./storedApplications.ts"

const writeApplication = (sql: SqlClient.SqlClient, application: Application) => {
  const { cancellation: _cancellation, updated_at: _updated, version: _version, ...derived } = mutableApplicationValues(
    application
  )
  const values = { ...derived, cpf: application.customer.cpf }
  return sql`update application set ${sql.update(values)} where id = ${application.application_id}`
}

const writeQuotes = (sql: SqlClient.SqlClient, { application_id, quotes }: Application) =>
  Effect.forEach(quotes, ({ number, outcome, quote_id }) =>
    sql`
      update quote set number = ${number}, outcome = ${outcome}
      where id = ${quote_id} and application_id = ${application_id}`, { discard: true })

const writeProposal = (sql: SqlClient.SqlClient, application: Application) => {
  if (!isContracted(application)) return Effect.void
  const { application_id, facts: _facts, id: _id, ...derived } = proposalValues(application)
  return sql`
    update proposal set ${sql.update({ ...derived, partner_id: application.partner_id })}
    where application_id = ${application_id}`
}

/**
 * Replaces the external id of an erased application, which an earlier version kept (PRIV-14). Raises the version of the
 * application, because the external id is a fact.
 */
const eraseExternalId = (sql: SqlClient.SqlClient, application: Application) =>
  Effect.flatMap(
    erasedExternalId(application.external_id),
    (external_id) =>
      makeErasureWrites(sql).application({ ...application, external_id, version: application.version + 1 })
  ).pipe(
    Effect.provide(PersonalDataHasher.layer),
    Effect.provideService(SqlClient.SqlClient, sql)
  )

type Column = readonly [
  repair: string,
  matches: (application: Application, row: StoredApplication) => boolean,
  write: (sql: SqlClient.SqlClient, application: Application) => Effect.Effect<unknown, SqlError>
]

const columns: ReadonlyArray<Column> = [
  ["Columns of applications", matchesApplicationFacts, writeApplication],
  ["Columns of quotes", matchesQuoteFacts, writeQuotes],
  ["Columns of proposals", matchesProposalFacts, writeProposal],
  ["External ids of erased applications", (application) => !hasExternalIdLeft(application), eraseExternalId]
]

/**
 * Returns an application, and those of its columns that do not match its facts. Returns undefined if all columns match,
 * if the facts cannot be read, or if they contradict each other.
 */
const staleColumns = (row: StoredApplication): readonly [Application, ReadonlyArray<Column>] | undefined => {
  const judged = Result.flatMap(
    readStored(row),
    (application) =>
      Result.try(() => [application, columns.filter(([, matches]) => !matches(application, row))] as const)
  )
  return Result.isSuccess(judged) && judged.success[1].length > 0 ? judged.success : undefined
}

/**
 * Rewrites the columns of applications, quotes and proposals that do not match their facts. Also replaces the external
 * ids of erased applications. Reads without a lock. Locks only an application with a wrong column, and reads it again
 * in its own transaction.
 */
export const repairApplications = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const counts = new Map(columns.map(([repair]) => [repair, 0]))
  const repairOne = Effect.fnUntraced(function*(id: string) {
    yield* sql`select from application where id = ${id} for update`
    const row = yield* findStored(sql, id)
    const stale = row === undefined ? undefined : staleColumns(row)
    if (stale === undefined) return
    const [application, wrongColumns] = stale
    for (const [repair, , write] of wrongColumns) {
      const { count } = yield* runStep(sql, [repair, Effect.as(write(sql, application), 1)])
      counts.set(repair, (counts.get(repair) ?? 0) + count)
    }
  })
  yield* visitStored(
    sql,
    (row) => staleColumns(row) === undefined ? Effect.void : sql.withTransaction(repairOne(row.application_id))
  )
  return Array.from(counts, ([repair, count]): Repair => ({ repair, count }))
})
