import { type Randomness } from "@lastro/seed"
import { Effect } from "effect"
import { type Samples } from "./Measurement.ts"
import { median } from "./quantile.ts"

/** Something to time. */
export interface Variant<E = never> {
  readonly name: string
  readonly run: Effect.Effect<unknown, E>
}

/** How long one run of an effect takes, in milliseconds. */
export const timed = <E>(run: Effect.Effect<unknown, E>): Effect.Effect<number, E> =>
  Effect.suspend(() => {
    const start = performance.now()
    return Effect.map(run, () => performance.now() - start)
  })

/** Runs before anything counts: a connection plans a prepared statement anew the first five times. */
const warmUp = 12

/** A variant is warm after this time too, in milliseconds: planning is nothing to what takes that long. */
const warmEnough = 1_000

/** What all samples of a variant in one round may take, in milliseconds, as far as that is one sample or more. */
const budget = 40

/** The most samples of a variant in one round, and the fewest in all rounds. */
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
 * Times every variant in every round, one run at a time, in an order that is shuffled for each round, so that whatever
 * else the machine does falls on all of them alike. Quick variants are run up to 20 times a round, slow ones in some rounds.
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
