import { Console, Effect } from "effect"
import { interleave } from "../measure/interleave.ts"
import { median } from "../measure/quantile.ts"
import { randomness } from "../measure/Randomness.ts"
import { host } from "../report/machine.ts"
import { table } from "../report/table.ts"
import { writeResults } from "../report/writeResults.ts"
import { cases } from "./cases.ts"

/** Size of the hierarchy, seed and number of rounds. */
export interface CoreOptions {
  readonly partners: number
  readonly seed: number
  readonly rounds: number
}

/** Measures how many times per second one core can apply each pure rule. */
export const core = Effect.fn("core")(function*({ partners, rounds, seed }: CoreOptions) {
  const random = randomness(seed, "core")
  const rules = yield* cases(partners, random)
  const before = host()
  const samples = yield* interleave(rules.map(({ name, run }) => ({ name, run: Effect.sync(run) })), rounds, random)
  const after = host()
  const measured = samples.map(({ name, rounds }, index) => {
    const perSecond = Math.round((rules[index]?.calls ?? 0) * 1_000 / median(rounds.flat()))
    return { name, perSecond, microseconds: 1e6 / perSecond }
  })
  yield* Console.log(table(
    ["rule", "per second", "µs"],
    measured.map(({ microseconds, name, perSecond }) => [name, String(perSecond), microseconds.toFixed(3)])
  ))
  const file = yield* writeResults("core", {
    bench: "core",
    options: { partners, seed, rounds },
    machine: after,
    load: { before: before.load, after: after.load },
    measured
  })
  yield* Console.log(
    `${after.cpu}, ${after.cores} cores; Node ${after.node}; load ${before.load.toFixed(1)} before, ` +
      `${after.load.toFixed(1)} after.\n${file}`
  )
})
