import { Context } from "effect"

/**
 * The alarms of a node that an operator must read:
 * - UNTRUSTED_PROXY: a request was forwarded by a peer that is not a trusted proxy. If the peer is a proxy of the operator, all
 *   clients behind it share one address.
 */
export type NodeAlarm = "UNTRUSTED_PROXY"

/**
 * The alarms of this process since its start. The API adds them. The readiness check and the list of nodes show them. Default:
 * one set for the whole process.
 */
export const NodeAlarms = Context.Reference<Set<NodeAlarm>>("@lastro/domain/adapters/NodeAlarms", {
  defaultValue: () => new Set()
})
