import { embedded, onServer } from "./places.ts"
import { type Summary } from "./summarize.ts"

/** A target of a program: the maximum of one of its measures. */
interface Target {
  readonly what: string
  readonly program: string
  readonly measure: "ratio" | "idle" | "peak"
  readonly most: number
}

/**
 * The targets. On a machine where the Fastify server is ready after 0.28 s, Lastro must be ready within 1 s on
 * PostgreSQL and 2 s on PGlite. These two targets are ratios, so that they apply to every machine.
 */
const targets: ReadonlyArray<Target> = [
  { what: "time until ready on PostgreSQL, × Fastify", program: onServer, measure: "ratio", most: 1 / 0.28 },
  { what: "time until ready on PGlite, × Fastify", program: embedded, measure: "ratio", most: 2 / 0.28 },
  { what: "idle memory on PostgreSQL, MiB", program: onServer, measure: "idle", most: 200 },
  { what: "peak memory on PGlite, MiB", program: embedded, measure: "peak", most: 450 }
]

/** Compares the measures with the targets. */
export const judgeTargets = (summaries: ReadonlyArray<Summary>) =>
  targets.map(({ measure, most, program, what }) => {
    const value = summaries.find(({ name }) => name === program)?.[measure]
    return { what, most, value, met: value === undefined ? undefined : value <= most }
  })
