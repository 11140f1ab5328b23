import { type MetricOnRead, registerMetrics } from "@lastro/domain/adapters"
import { isPaidOrFinal, ProposalStatus } from "@lastro/domain/loan"
import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { readOnDemand } from "../database/readOnDemand.ts"

/** Minimum milliseconds between two counts. */
const countInterval = 15_000

/** Maximum number of contracts of a status that are counted. A higher number is reported as this one. */
const maxCounted = 100_000

/** The statuses of contracts that still need a step. The index `proposal_open` contains them. */
const openStatuses = ProposalStatus.literals.filter((status) => !isPaidOrFinal({ status }))

interface OpenContracts {
  readonly status: string
  readonly contracts: number
  /** Seconds since the longest waiting contract entered its status. 0 if there is none. */
  readonly oldest_seconds: number
}

/** The time at which a proposal entered its status, in the form of the index `proposal_open`. */
const since = "(facts #>> '{status_history,-1,at}') collate \"C\""

/**
 * Counts the open contracts per status. Reads only the index `proposal_open`, and one row per status. PostgreSQL can
 * use this partial index because the condition names all open statuses.
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
 * Registers the metrics of open contracts until the scope closes. Returns an effect that counts the contracts, at most
 * every 15 s and only when the metrics are read. The values are NaN if no count succeeded in the last 5 minutes.
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
