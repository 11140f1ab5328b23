/** The change of a value over time, from a straight line through its samples (least squares). */
export interface Trend {
  readonly mean: number
  /** The change from the first sample to the last one, on the line. */
  readonly change: number
  /** Twice the standard error of the change. Chance alone rarely causes a larger change. */
  readonly error: number
}

const meanOf = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Fits a line to samples `[time, value]`. Ignores samples without a value. Needs at least three samples. */
export const fitTrend = (samples: ReadonlyArray<readonly [time: number, value: number]>): Trend => {
  const given = samples.filter(([, value]) => Number.isFinite(value))
  const [times, values] = [given.map(([time]) => time), given.map(([, value]) => value)]
  const [meanTime, mean] = [meanOf(times), meanOf(values)]
  const spread = times.reduce((sum, time) => sum + (time - meanTime) ** 2, 0)
  const slope = given.reduce((sum, [time, value]) => sum + (time - meanTime) * (value - mean), 0) / spread
  const residues = given.reduce((sum, [time, value]) => sum + (value - mean - slope * (time - meanTime)) ** 2, 0)
  const duration = Math.max(...times) - Math.min(...times)
  return {
    mean,
    change: slope * duration,
    error: 2 * Math.sqrt(residues / (given.length - 2) / spread) * duration
  }
}

/**
 * Judges the growth of a value. The limit is a share of the mean, but at least `least`. Returns `unclear` if the value
 * varied so much that the growth may be on either side of the limit.
 */
export const judgeTrend = ({ change, error, mean }: Trend, share: number, least: number) => {
  const limit = Math.max(share * mean, least)
  if (change - error > limit) return "grows"
  return change + error > limit ? "unclear" : "steady"
}
