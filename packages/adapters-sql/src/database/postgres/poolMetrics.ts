import { type MetricOnRead, registerMetrics } from "@lastro/domain/adapters"
import { type Effect, type Scope } from "effect"

/** The current use of a pool. */
export interface PoolUse {
  readonly inUse: number
  readonly idle: number
  readonly opening: number
  /** Number of fibers that wait for a connection. */
  readonly waiting: number
  /** Number of waits that ended without a connection since the start. */
  readonly timeouts: number
}

/** The settings of a pool that its metrics report. */
interface PoolLimits {
  /** `application_name` in `pg_stat_activity`, the value of the label `pool`. */
  readonly applicationName?: string | undefined
  readonly maxConnections: number
}

/** Registers the metrics of a pool of connections until the scope closes. */
export const registerPoolMetrics = (
  { applicationName: pool = "lastro", maxConnections }: PoolLimits,
  present: () => PoolUse
): Effect.Effect<void, never, Scope.Scope> => {
  const connections = (state: string, read: () => number): MetricOnRead => ({
    name: "lastro_database_connections",
    description:
      "Connections of this process to PostgreSQL by pool and state. The pool is the application_name in pg_stat_activity",
    labels: { pool, state },
    read
  })
  return registerMetrics([
    connections("in_use", () => present().inUse),
    connections("idle", () => present().idle),
    connections("opening", () => present().opening),
    {
      name: "lastro_database_connections_max",
      description: "Maximum number of connections of a pool",
      labels: { pool },
      read: () => maxConnections
    },
    {
      name: "lastro_database_connection_waiters",
      description: "Statements and transactions that wait for a connection, because all are in use",
      labels: { pool },
      read: () => present().waiting
    },
    {
      name: "lastro_database_connection_timeouts_total",
      description: "Waits for a connection that timed out",
      type: "counter",
      labels: { pool },
      read: () => present().timeouts
    }
  ])
}
