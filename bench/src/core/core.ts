import { randomness } from "@lastro/adapters-sql/seed"
import { Console, Effect } from "effect"
import { interleave } from "../measure/interleave.ts"
import { type Measurement, measurement } from "../measure/Measurement.ts"
import { host } from "../report/machine.ts"
import { table } from "../report/table.ts"
import { writeResults } from "../report/writeResults.ts"
import { commands } from "./decide/commands.ts"
import { scopeChecks } from "./hierarchy/scopeChecks.ts"
import { type Part } from "./Part.ts"
import { patches } from "./patch/patches.ts"
import { prices } from "./pricing/prices.ts"
import { sorts } from "./sort/sorts.ts"

/** How large the hierarchy is, and how often everything is run. */
export interface CoreOptions {
  readonly partners: number
  readonly seed: number
  readonly rounds: number
}

/** What is known of a part once it was run: how often it can be done in a second on one core, ours and by hand. */
interface Measured extends Omit<Part, "byHand" | "ours"> {
  readonly aSecond: number
  readonly aSecondByHand: number
  readonly byHand: Measurement
  readonly ours: Measurement
}

const perSecond = (cases: number, { p50 }: Measurement): number => Math.round(cases * 1_000 / p50)

const measure = (rounds: number, seed: number) =>
  Effect.fnUntraced(function*({ byHand, ours, ...part }: Part) {
    const [reference, measured] = yield* interleave([byHand, ours], rounds, randomness(seed, "turns"))
    if (reference === undefined || measured === undefined) return yield* Effect.die(new Error("nothing was run"))
    const judge = measurement(reference)
    const [hand, own] = [judge(reference), judge(measured)]
    return {
      ...part,
      aSecond: perSecond(part.cases, own),
      aSecondByHand: perSecond(part.cases, hand),
      byHand: hand,
      ours: own
    } satisfies Measured
  })

const row = ({ aSecond, aSecondByHand, differing, name, ours }: Measured): ReadonlyArray<string> => [
  name,
  String(aSecond),
  String(aSecondByHand),
  (1e6 / aSecond).toFixed(3),
  ours.ratio.toFixed(2),
  `${ours.ratioLow.toFixed(2)}–${ours.ratioHigh.toFixed(2)}`,
  String(differing)
]

/** Times rules of the domain, as plain functions on one core, against the same written by hand without Effect. */
export const core = Effect.fn("core")(function*({ partners, rounds, seed }: CoreOptions) {
  const { made, parts: checks } = scopeChecks(partners, seed)
  const before = host()
  const measured = yield* Effect.forEach(
    [...checks, ...patches, sorts(), ...yield* commands, prices(seed)],
    measure(rounds, seed)
  )
  const after = host()
  yield* Console.log(table(
    ["rule", "a second", "by hand", "µs", "time × by hand", "by round, 10–90 %", "differing"],
    measured.map(row)
  ))
  const file = yield* writeResults("core", {
    bench: "core",
    options: { partners, seed, rounds },
    machine: after,
    load: { before: before.load, after: after.load },
    hierarchyMadeMilliseconds: made,
    measured
  })
  yield* Console.log(
    `A hierarchy of ${partners} partners is made in ${made.toFixed(0)} ms. ${after.cpu}, ${after.cores} cores; ` +
      `Node ${after.node}; load ${before.load.toFixed(1)} before, ${after.load.toFixed(1)} after.\n${file}`
  )
})
