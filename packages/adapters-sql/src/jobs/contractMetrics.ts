import { type MetricOnRead, registerMetrics } from "@lastro/domain/adapters"
import { isPaidOrFinal, ProposalStatus } from "@lastro/domain/loan"
import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { readOnDemand } from "../database/readOnDemand.ts"

/** Minimum time between two counts, in milliseconds. */
const countInterval = 15_000

/** Maximum number of contracts of one status that a count reads. More contracts are shown as this number. */
const maxCounted = 100_000

/** The statuses of contracts that still need a step. The index `proposal_open` has the contracts of these statuses. */
const openStatuses = ProposalStatus.literals.filter((status) => !isPaidOrFinal({ status }))

interface OpenContracts {
  readonly status: string
  readonly contracts: number
  /** Seconds since the longest waiting contract entered the status. 0 if there is none. */
  readonly oldest_seconds: number
}

/** The time at which a proposal entered its status, as the index `proposal_open` has it. */
const since = "(facts #>> '{status_history,-1,at}') collate \"C\""

/**
 * Counts the open contracts of each status. Reads only the index `proposal_open`, and one row for each status. The
 * condition on all open statuses lets PostgreSQL use the partial index.
 */
export const countOpen = (sql: SqlClient.SqlClient) => {
  const open = sql.literal(openStatuses.map((status) => `'${status}'`).join(", "))
  const ofStatus = sql`from proposal where proposal.status = open.status and proposal.status in (${open})`
  return sql<OpenContracts>`
    select open.status,
      (select count(*)::int from (select ${ofStatus} limit ${sql.literal(String(maxCounted))}) counted) as contracts,
      coalesce(
        extract(epoch from now() - (
          select ${sql.literal(since)} as since ${ofStatus} order by ${sql.literal(since)} limit 1
        )::timestamptz), 0
      )::float8 as oldest_seconds
    from unnest(array[${open}]) as open (status)`
}

/**
 * Registers the metrics of the open contracts until the scope closes, and returns an effect that counts them. They are
 * counted at most every 15 seconds, and only when something reads the metrics. If no count has succeeded in the last 5
 * minutes, the values are NaN.
 */
export const registerContractMetrics = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const counts = yield* readOnDemand(
    Effect.map(countOpen(sql), (rows) => new Map(rows.map((row) => [row.status, row]))),
    countInterval
  )
  const read = (status: string, name: "contracts" | "oldest_seconds") => () =>
    counts.value()?.get(status)?.[name] ?? Number.NaN
  yield* registerMetrics(openStatuses.flatMap((status): ReadonlyArray<MetricOnRead> => [
    {
      name: "lastro_open_contracts",
      description:
        "Contracts that are neither paid nor ended, by status. Every node shows the same value, so do not sum it over nodes",
      labels: { status },
      read: read(status, "contracts"),
      join: Math.max
    },
    {
      name: "lastro_open_contracts_oldest_seconds",
      description: "Time since the longest waiting contract of a status entered this status. 0 if there is none",
      labels: { status },
      read: read(status, "oldest_seconds"),
      join: Math.max
    }
  ]))
  return { refresh: counts.refresh }
})
