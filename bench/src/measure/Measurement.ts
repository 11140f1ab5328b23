import { ascending, median, quantile } from "./quantile.ts"

/** The samples of one variant, a list of milliseconds for each round. */
export interface Samples {
  readonly name: string
  readonly rounds: ReadonlyArray<ReadonlyArray<number>>
}

/** What the samples of a variant say; times in milliseconds. */
export interface Measurement {
  readonly name: string
  readonly samples: number
  readonly p50: number
  readonly p99: number
  /** The median over that of the reference. */
  readonly ratio: number
  /** The ratio of the medians of one round, at the tenth and the ninetieth percentile of the rounds: how noisy it was. */
  readonly ratioLow: number
  readonly ratioHigh: number
}

/** Judges samples against those of a reference that were taken in the same rounds. */
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
