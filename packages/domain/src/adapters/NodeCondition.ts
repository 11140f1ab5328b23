import { Context, type Effect } from "effect"

/**
 * The condition of this node. The SQL adapter provides it (`NodeHealth.ts` of `@lastro/adapters-sql`). By default, the
 * API uses it for readiness, and to refuse requests. Null if no adapter provides it.
 */
export const NodeCondition = Context.Reference<
  {
    /** True while this node can work. */
    readonly isReady: Effect.Effect<boolean>
    /**
     * False while this node must not serve requests, because its clock is wrong or it does not support the schema of
     * the database.
     */
    readonly mayServe: () => boolean
  } | null
>("@lastro/domain/adapters/NodeCondition", { defaultValue: () => null })

/**
 * The alarms of a node for its operator:
 * - UNTRUSTED_PROXY: a peer that is not a trusted proxy forwarded a request. If the peer is the operator's own proxy,
 *   all clients behind it share one address.
 * - LENDER_LEFT:CODE: the lender with this code left the installation, and its jobs wait.
 */
export type NodeAlarm = "UNTRUSTED_PROXY" | `LENDER_LEFT:${string}`

/**
 * The alarms of this process, with the time in milliseconds at which each was last raised. The API raises them. The
 * readiness check and the list of nodes show them ({@link alarmsAt}). Default: one map for the process.
 */
export const NodeAlarms = Context.Reference<Map<NodeAlarm, number>>("@lastro/domain/adapters/NodeAlarms", {
  defaultValue: () => new Map()
})

const alarmMs = 24 * 60 * 60_000

/**
 * An alarm ends when its cause has not occurred for a day, or when the process ends.
 * @rule NODE-01
 */
export const alarmsAt = (raised: ReadonlyMap<NodeAlarm, number>, now: number): ReadonlyArray<NodeAlarm> =>
  Array.from(raised).filter(([, at]) => now - at < alarmMs).map(([alarm]) => alarm)
