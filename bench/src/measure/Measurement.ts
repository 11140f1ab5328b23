import { ascending, median, quantile } from "./quantile.ts"

/** Samples of one variant: for each round, a list of durations in milliseconds. */
export interface Samples {
  readonly name: string
  readonly rounds: ReadonlyArray<ReadonlyArray<number>>
}

/** Statistics of a variant. Times are in milliseconds. */
export interface Measurement {
  readonly name: string
  readonly samples: number
  readonly p50: number
  readonly p99: number
  /** Median of the variant divided by the median of the reference. */
  readonly ratio: number
  /** The 10th percentile of the ratios of single rounds. Together with the 90th percentile, it shows the noise. */
  readonly ratioLow: number
  readonly ratioHigh: number
}

/** Compares the samples of a variant with those of the reference in the same rounds. */
export const measurement = (reference: Samples) => ({ name, rounds }: Samples): Measurement => {
  const all = ascending(rounds.flat())
  const ratios = ascending(
    rounds.map((round, index) => median(round) / median(reference.rounds[index] ?? [])).filter((ratio) => ratio > 0)
  )
  return {
    name,
    samples: all.length,
    p50: quantile(all, 0.5),
    p99: quantile(all, 0.99),
    ratio: quantile(all, 0.5) / median(reference.rounds.flat()),
    ratioLow: quantile(ratios, 0.1),
    ratioHigh: quantile(ratios, 0.9)
  }
}
