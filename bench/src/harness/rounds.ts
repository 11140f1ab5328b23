import { Effect } from "effect"
import { shown, table } from "./benchmark.ts"
import { ascending, median, quantile } from "./statistics.ts"

/** A read whose duration is measured. */
export interface Variant {
  readonly name: string
  readonly run: Effect.Effect<unknown, Error>
}

/** Returns the duration of one run in milliseconds. */
export const timed = (run: Variant["run"]) =>
  Effect.suspend(() => {
    const start = performance.now()
    return Effect.map(run, () => performance.now() - start)
  })

/**
 * Measures all variants in rounds, one run at a time, so that other load on the machine affects them equally. In each
 * round, a variant runs until 40 ms have passed, at most 20 times. Discards the first round, because a connection plans
 * a prepared statement again in its first runs. Compares the medians with those of the first variant.
 */
export const measure = Effect.fnUntraced(function*(variants: ReadonlyArray<Variant>, rounds: number) {
  const taken = variants.map((variant) => ({ ...variant, rounds: [] as Array<ReadonlyArray<number>> }))
  for (let round = 0; round <= rounds; round++) {
    for (const { rounds, run } of taken) {
      const times: Array<number> = []
      const end = performance.now() + 40
      do times.push(yield* timed(run))
      while (times.length < 20 && performance.now() < end)
      if (round > 0) rounds.push(times)
    }
  }
  const reference = taken[0]?.rounds ?? []
  return taken.map(({ name, rounds }) => {
    const all = ascending(rounds.flat())
    const ratios = ascending(rounds.map((round, index) => median(round) / median(reference[index] ?? [])))
    const [p50, p99] = [quantile(all, 0.5), quantile(all, 0.99)]
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
