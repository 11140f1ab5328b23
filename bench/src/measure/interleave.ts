import { Effect } from "effect"
import { type Samples } from "./Measurement.ts"
import { median } from "./quantile.ts"
import { type Randomness } from "./Randomness.ts"

/** An effect whose duration is measured. */
export interface Variant<E = never> {
  readonly name: string
  readonly run: Effect.Effect<unknown, E>
}

/** Returns the duration of one run of an effect in milliseconds. */
export const timed = <E>(run: Effect.Effect<unknown, E>): Effect.Effect<number, E> =>
  Effect.suspend(() => {
    const start = performance.now()
    return Effect.map(run, () => performance.now() - start)
  })

/** Number of warm-up runs. A connection plans a prepared statement again in each of its first five runs. */
const warmUp = 12

/**
 * Maximum warm-up time of a variant in milliseconds. If a variant needs more, it is so slow that the time for planning
 * is negligible.
 */
const warmEnough = 1_000

/**
 * Maximum total time in milliseconds that a variant's samples take per round. A round may still contain one longer
 * sample.
 */
const budget = 40

/** Limits of a variant's samples: at most `most` in each round, and at least `fewest` in all rounds together. */
const most = 20
const fewest = 5

const shuffled = <A>(all: ReadonlyArray<A>, random: Randomness): ReadonlyArray<A> => {
  const mixed = [...all]
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = random.below(last + 1)
    const [one, two] = [mixed[last], mixed[other]]
    if (one !== undefined && two !== undefined) [mixed[last], mixed[other]] = [two, one]
  }
  return mixed
}

/**
 * Measures every variant in rounds, one run at a time. Each round shuffles the order, so that other load on the machine
 * affects all variants equally. A fast variant runs up to 20 times per round. A slow variant runs only in some rounds.
 */
export const interleave = Effect.fn("interleave")(function*<E>(
  variants: ReadonlyArray<Variant<E>>,
  rounds: number,
  random: Randomness
): Effect.fn.Return<ReadonlyArray<Samples>, E> {
  const repeats: Array<number> = []
  for (const { run } of variants) {
    const first: Array<number> = []
    const start = performance.now()
    while (first.length < warmUp && performance.now() - start < warmEnough) first.push(yield* timed(run))
    repeats.push(Math.max(fewest / rounds, Math.min(most, budget / median(first.slice(-5)))))
  }
  const taken = variants.map(({ name }) => ({ name, rounds: [] as Array<Array<number>> }))
  const turns = (round: number) =>
    repeats.flatMap((often, variant) =>
      Array.from({ length: Math.floor((round + 1) * often) - Math.floor(round * often) }, () => variant)
    )
  for (let round = 0; round < rounds; round++) {
    for (const { rounds } of taken) rounds.push([])
    for (const variant of shuffled(turns(round), random)) {
      const run = variants[variant]?.run
      if (run !== undefined) taken[variant]?.rounds.at(-1)?.push(yield* timed(run))
    }
  }
  return taken
})
