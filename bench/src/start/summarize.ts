import { ascending, median } from "../measure/quantile.ts"
import { type Observed } from "./observe.ts"
import { reference } from "./places.ts"

type Measure = Exclude<keyof Observed, "name">

/** Returns the median of a measure over all starts of one program. Undefined if the measure was not taken. */
const middle = (observed: ReadonlyArray<Observed>, name: string, measure: Measure): number | undefined => {
  const values = observed.filter((one) => one.name === name).map((one) => one[measure])
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? undefined : median(known)
}

/** Returns a function that computes the medians of one program, and their ratios to those of the Fastify server. */
export const summarize = (observed: ReadonlyArray<Observed>) => (name: string) => {
  const of = (measure: Measure) => middle(observed, name, measure)
  const ratioOf = (measure: Measure) => {
    const [own, ordinary] = [of(measure), middle(observed, reference, measure)]
    return own === undefined || ordinary === undefined ? undefined : own / ordinary
  }
  const times = ascending(observed.filter((one) => one.name === name).map(({ milliseconds }) => milliseconds))
  return {
    name,
    milliseconds: of("milliseconds"),
    least: times.at(0),
    most: times.at(-1),
    ratio: ratioOf("milliseconds"),
    cpu: of("cpu"),
    cpuRatio: ratioOf("cpu"),
    idle: of("idle"),
    idleRatio: ratioOf("idle"),
    peak: of("peak"),
    peakRatio: ratioOf("peak"),
    perSecond: of("perSecond")
  }
}

/** The medians of one program. */
export type Summary = ReturnType<ReturnType<typeof summarize>>
