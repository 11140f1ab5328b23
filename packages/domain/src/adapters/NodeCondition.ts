import { Context, type Effect } from "effect"

/**
 * The condition of this node, as its database layer reports it. Null if the layer reports none. By default, the API uses the
 * condition for readiness and to refuse requests.
 */
export const NodeCondition = Context.Reference<
  {
    /** True while this node can work. */
    readonly isReady: Effect.Effect<boolean>
    /** False while this node must not serve requests: its clock is wrong, or it does not support the schema of the database. */
    readonly mayServe: () => boolean
  } | null
>("@lastro/domain/adapters/NodeCondition", { defaultValue: () => null })
