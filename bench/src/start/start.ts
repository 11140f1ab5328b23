import { Console, Effect } from "effect"
import { bundleProgram } from "../../../apps/server/src/program/bundleProgram.ts"
import { serverProject } from "../../../apps/server/src/program/Project.ts"
import { writeArtefact } from "../../../scripts/build/artefact.ts"
import { server } from "../database.ts"
import { host } from "../report/machine.ts"
import { table } from "../report/table.ts"
import { writeResults } from "../report/writeResults.ts"
import { type LoadOptions, observe, type Observed } from "./observe.ts"
import { artefact, places } from "./places.ts"
import { summarize, type Summary } from "./summarize.ts"
import { judgeTargets } from "./targets.ts"

/** Number of starts of each program, and the load on it. */
export interface StartOptions extends LoadOptions {
  readonly rounds: number
}

const shown = (value: number | undefined, digits = 0): string => value?.toFixed(digits) ?? "–"

const columns: ReadonlyArray<readonly [title: string, cell: (one: Summary) => string]> = [
  ["program", ({ name }) => name],
  ["ready ms", ({ milliseconds }) => shown(milliseconds)],
  ["min–max", ({ least, most }) => `${shown(least)}–${shown(most)}`],
  ["× Fastify", ({ ratio }) => shown(ratio, 1)],
  ["processor ms", ({ cpu }) => shown(cpu)],
  ["× Fastify", ({ cpuRatio }) => shown(cpuRatio, 1)],
  ["idle MiB", ({ idle }) => shown(idle)],
  ["× Fastify", ({ idleRatio }) => shown(idleRatio, 1)],
  ["peak MiB", ({ peak }) => shown(peak)],
  ["× Fastify", ({ peakRatio }) => shown(peakRatio, 1)],
  ["responses per second", ({ perSecond }) => shown(perSecond)]
]

const targetRow = ({ met, most, value, what }: ReturnType<typeof judgeTargets>[number]): ReadonlyArray<string> => [
  what,
  `≤ ${shown(most, most < 10 ? 1 : 0)}`,
  shown(value, most < 10 ? 1 : 0),
  met === undefined ? "–" : met ? "yes" : "no"
]

/** Measures the time from the start of a process until it is ready, and its memory after that. */
export const start = Effect.fn("start")(function*({ rounds, ...load }: StartOptions) {
  yield* Effect.promise(() => bundleProgram(serverProject))
  yield* Effect.promise(() => writeArtefact(artefact))
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
  const summaries = [...new Set(observed.map(({ name }) => name))].map(summarize(observed))
  const targets = judgeTargets(summaries)
  yield* Console.log(
    table(columns.map(([title]) => title), summaries.map((one) => columns.map(([, cell]) => cell(one))))
  )
  yield* Console.log(`\n${table(["target", "maximum", "measured", "met"], targets.map(targetRow))}\n`)
  const file = yield* writeResults("start", {
    bench: "start",
    options: { rounds, ...load },
    machine: after,
    load: { before: before.load, after: after.load },
    targets,
    summaries,
    observed
  })
  yield* Console.log(
    `${rounds} starts of each program. ${after.cpu}, ${after.cores} cores; Node ${after.node}; ` +
      `load ${before.load.toFixed(1)} before, ${after.load.toFixed(1)} after.\n${file}`
  )
}, Effect.scoped)
