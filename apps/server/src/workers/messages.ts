import { Schema } from "effect"

/** A message of a worker to its supervisor. */
export const FromWorker = Schema.Union([
  /** The worker listens. */
  Schema.Struct({ kind: Schema.Literal("listening") }),
  /** The worker lives. It sends this every second once it listens. `isReady` is its own readiness. */
  Schema.Struct({ kind: Schema.Literal("alive"), isReady: Schema.Boolean }),
  /** The metrics of the worker: the response to a request with this id, or 0 for the last ones before its end. */
  Schema.Struct({ kind: Schema.Literal("metrics"), id: Schema.Int, text: Schema.String })
])
export type FromWorker = typeof FromWorker.Type

/** A message of a supervisor to a worker. */
export const ToWorker = Schema.Union([
  /** Stop. If another worker replaces this one, stop without the stop delay, because the port stays open. */
  Schema.Struct({ kind: Schema.Literal("stop"), reason: Schema.String, isReplaced: Schema.Boolean }),
  Schema.Struct({ kind: Schema.Literal("metrics"), id: Schema.Int }),
  /** Tells whether another worker of this server is ready. */
  Schema.Struct({ kind: Schema.Literal("others"), areReady: Schema.Boolean })
])
export type ToWorker = typeof ToWorker.Type
