import { Console, Effect } from "effect"
import { server } from "../database.ts"
import { ascending, median } from "../measure/quantile.ts"
import { host } from "../report/machine.ts"
import { table } from "../report/table.ts"
import { writeResults } from "../report/writeResults.ts"
import { type LoadOptions, observe, type Observed } from "./observe.ts"
import { places } from "./places.ts"

/** Number of starts of each program, and the load. */
export interface StartOptions extends LoadOptions {
  readonly rounds: number
}

/** The program that the others are compared with. */
const reference = "Fastify and pg"

type Measure = Exclude<keyof Observed, "name">

/** Returns the median of a measure over all starts of one program; undefined if the measure was not taken. */
const middle = (observed: ReadonlyArray<Observed>, name: string, measure: Measure): number | undefined => {
  const values = observed.filter((one) => one.name === name).map((one) => one[measure])
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? undefined : median(known)
}

const summary = (observed: ReadonlyArray<Observed>) => (name: string) => {
  const of = (measure: Measure) => middle(observed, name, measure)
  const times = ascending(observed.filter((one) => one.name === name).map(({ milliseconds }) => milliseconds))
  const [milliseconds, loaded] = [of("milliseconds"), of("loaded")]
  const [ordinary, ordinaryLoaded] = [
    middle(observed, reference, "milliseconds"),
    middle(observed, reference, "loaded")
  ]
  return {
    name,
    milliseconds,
    least: times.at(0),
    most: times.at(-1),
    cpu: of("cpu"),
    ratio: milliseconds === undefined || ordinary === undefined ? undefined : milliseconds / ordinary,
    idle: of("idle"),
    loaded,
    loadedRatio: loaded === undefined || ordinaryLoaded === undefined ? undefined : loaded / ordinaryLoaded,
    perSecond: of("perSecond")
  }
}

const shown = (value: number | undefined, digits = 0): string => value?.toFixed(digits) ?? "–"

const row = (one: ReturnType<ReturnType<typeof summary>>): ReadonlyArray<string> => [
  one.name,
  shown(one.milliseconds),
  `${shown(one.least)}–${shown(one.most)}`,
  shown(one.ratio, 1),
  shown(one.cpu),
  shown(one.idle),
  shown(one.loaded),
  shown(one.loadedRatio, 1),
  shown(one.perSecond)
]

/** Measures the time from process start to readiness, and the memory used afterwards. */
export const start = Effect.fn("start")(function*({ rounds, ...load }: StartOptions) {
  const all = places(yield* server)
  const observed: Array<Observed> = []
  const before = host()
  for (let round = 0; round < rounds; round++) {
    for (const place of all) {
      yield* Effect.scoped(Effect.gen(function*() {
        for (const one of yield* place) observed.push(yield* observe(one, load))
      }))
    }
  }
  const after = host()
  const summaries = [...new Set(observed.map(({ name }) => name))].map(summary(observed))
  yield* Console.log(table(
    [
      "program",
      "ready ms",
      "min–max",
      "× Fastify",
      "CPU ms",
      "idle MiB",
      "loaded MiB",
      "× Fastify",
      "responses per second"
    ],
    summaries.map(row)
  ))
  const file = yield* writeResults("start", {
    bench: "start",
    options: { rounds, ...load },
    machine: after,
    load: { before: before.load, after: after.load },
    summaries,
    observed
  })
  yield* Console.log(
    `${rounds} starts of each program. ${after.cpu}, ${after.cores} cores; Node ${after.node}; ` +
      `load ${before.load.toFixed(1)} before, ${after.load.toFixed(1)} after.\n${file}`
  )
}, Effect.scoped)
