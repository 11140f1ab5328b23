import { defaultExportLimits, Exports, makeExportSlots } from "@lastro/domain/export"
import { Layer } from "effect"

/**
 * Limits the exports of a worker to its share of those of a single process, because each holds a database connection.
 * Each worker may run at least two exports, one of them for a root partner.
 */
export const layerWorkerLimits = (workers: number): Layer.Layer<never> => {
  const concurrent = Math.max(2, Math.floor(defaultExportLimits.concurrent / workers))
  return Layer.succeed(
    Exports,
    makeExportSlots({ ...defaultExportLimits, concurrent, concurrentPerRoot: Math.floor(concurrent / 2) })
  )
}
