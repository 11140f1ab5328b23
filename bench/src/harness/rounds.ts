import { Effect } from "effect"
import { shown, table } from "./benchmark.ts"
import { ascending, median, percentilesOf, quantile } from "./statistics.ts"

/** A read whose duration is measured. */
export interface Variant {
  readonly name: string
  readonly run: Effect.Effect<unknown, Error>
}

/**
 * Runs each variant once per round. Every second round has the opposite order. Returns the results of each variant.
 */
export const inRounds = Effect.fnUntraced(function*<V, A, E, R>(
  variants: ReadonlyArray<V>,
  rounds: number,
  run: (variant: V) => Effect.Effect<A, E, R>
) {
  const taken = variants.map((variant) => ({ variant, runs: [] as Array<A> }))
  for (let round = 0; round < rounds; round++) {
    for (const { runs, variant } of round % 2 === 0 ? taken : taken.toReversed()) {
      runs.push(yield* run(variant))
    }
  }
  return taken
})

/**
 * Runs an action `count` times, at most 16 at a time. Starts one every `every` milliseconds, or as soon as possible if
 * that is 0.
 */
export const paced = <A, E, R>(
  count: number,
  every: number,
  action: (turn: number) => Effect.Effect<A, E, R>,
  concurrency: number | "unbounded" = 16
): Effect.Effect<ReadonlyArray<A>, E, R> =>
  Effect.suspend(() => {
    const start = performance.now()
    return Effect.forEach(Array.from({ length: count }).keys(), (turn) =>
      Effect.andThen(
        Effect.sleep(Math.max(0, start + turn * every - performance.now())),
        Effect.suspend(() => action(turn))
      ), { concurrency })
  })

/** Returns the duration of one run in milliseconds. */
export const timed = (run: Variant["run"]) =>
  Effect.suspend(() => {
    const start = performance.now()
    return Effect.map(run, () => performance.now() - start)
  })

/** Repeats a run for 40 ms, at most 20 times. Returns the durations of the runs in milliseconds. */
const timedRuns = Effect.fnUntraced(function*({ run }: Variant) {
  const times: Array<number> = []
  const end = performance.now() + 40
  do times.push(yield* timed(run))
  while (times.length < 20 && performance.now() < end)
  return times
})

/**
 * Measures all variants in rounds, one run at a time, so that other load on the machine affects them equally. Discards
 * the first round, because a connection plans a prepared statement again in its first runs. Compares the medians with
 * those of the first variant.
 */
export const measure = Effect.fnUntraced(function*(variants: ReadonlyArray<Variant>, rounds: number) {
  const taken = (yield* inRounds(variants, rounds + 1, timedRuns))
    .map(({ runs, variant: { name } }) => ({ name, runs: runs.slice(1) }))
  const reference = taken[0]?.runs ?? []
  return taken.map(({ name, runs }) => {
    const all = runs.flat()
    const { p50, p99 } = percentilesOf(all)
    const ratios = ascending(runs.map((times, index) => median(times) / median(reference[index] ?? [])))
    // The 10th and 90th percentile of the ratios of single rounds show the noise.
    const [low, high] = [quantile(ratios, 0.1), quantile(ratios, 0.9)]
    return { name, samples: all.length, p50, p99, ratio: p50 / median(reference.flat()), low, high }
  })
})

/** Formats the results of `measure`. The first variant is a read by primary key. */
export const readTable = (results: Effect.Success<ReturnType<typeof measure>>): string =>
  table(
    ["read", "p50 ms", "p99 ms", "× primary key", "ratio by round, 10–90 %", "samples"],
    results.map(({ high, low, name, p50, p99, ratio, samples }) => [
      name,
      ...[p50, p99, ratio].map((value) => shown(value, 2)),
      `${shown(low, 1)}–${shown(high, 1)}`,
      String(samples)
    ])
  )
