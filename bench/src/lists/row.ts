import { type Measurement } from "../measure/Measurement.ts"

/** A measurement with its target: the maximum ratio to the reference. */
export interface Aimed extends Measurement {
  readonly aim?: number | undefined
}

/** Column titles of {@link row}. */
export const titles = ["read", "p50 ms", "p99 ms", "× primary key", "target", "ratio by round, 10–90 %", "samples"]

const rounded = (ratio: number): string => ratio.toFixed(ratio < 10 ? 2 : 0)

/** Formats a measurement as a table row. A missed target is bold. */
export const row = (one: Aimed): ReadonlyArray<string> => [
  one.name,
  one.p50.toFixed(2),
  one.p99.toFixed(2),
  one.aim !== undefined && one.ratio > one.aim ? `**${rounded(one.ratio)}**` : rounded(one.ratio),
  one.aim === undefined ? "–" : String(one.aim),
  `${one.ratioLow.toFixed(1)}–${one.ratioHigh.toFixed(1)}`,
  String(one.samples)
]
