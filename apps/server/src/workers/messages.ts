import { Schema } from "effect"

export const FromWorker = Schema.Union([
  /** The worker listens. */
  Schema.Struct({ kind: Schema.Literal("listening") }),
  /** Sent every second once the worker listens. `isReady` is its own readiness. */
  Schema.Struct({ kind: Schema.Literal("alive"), isReady: Schema.Boolean }),
  /** The metrics of the worker. `id` is that of the request, or 0 for the last metrics before the end of the worker. */
  Schema.Struct({ kind: Schema.Literal("metrics"), id: Schema.Int, text: Schema.String })
])
export type FromWorker = typeof FromWorker.Type

export const ToWorker = Schema.Union([
  /**
   * Requests a stop. If another worker replaces this one, it stops without the stop delay, because the port stays open.
   */
  Schema.Struct({ kind: Schema.Literal("stop"), reason: Schema.String, isReplaced: Schema.Boolean }),
  Schema.Struct({ kind: Schema.Literal("metrics"), id: Schema.Int }),
  /** Reports whether another worker of this server is ready. */
  Schema.Struct({ kind: Schema.Literal("others"), areReady: Schema.Boolean })
])
export type ToWorker = typeof ToWorker.Type
