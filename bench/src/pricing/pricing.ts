import { centavos, type OfferTerms, priceOffer, reduceToDesired } from "@lastro/domain"
import { Console, Effect, Result } from "effect"
import { interleave, type Variant } from "../measure/interleave.ts"
import { type Measurement, measurement } from "../measure/Measurement.ts"
import { host } from "../report/machine.ts"
import { table } from "../report/table.ts"
import { writeResults } from "../report/writeResults.ts"
import { randomness } from "../seed/Randomness.ts"
import { handWritten } from "./handWritten.ts"
import { threeInstallments } from "./offers.ts"

/** How many offers are priced in one run, and how often. */
export interface PricingOptions {
  readonly offers: number
  readonly seed: number
  readonly rounds: number
}

/** Prices all of them in one run; the sum of the net amounts keeps the work from being left out. */
const every = (name: string, offers: ReadonlyArray<OfferTerms>, net: (terms: OfferTerms) => number): Variant => ({
  name,
  run: Effect.sync(() => offers.reduce((sum, terms) => sum + net(terms), 0))
})

const row =
  (count: number) => ({ name, p50, ratio, ratioHigh, ratioLow, samples }: Measurement): ReadonlyArray<string> => [
    name,
    (p50 * 1_000 / count).toFixed(3),
    Math.round(count * 1_000 / p50).toString(),
    ratio.toFixed(2),
    `${ratioLow.toFixed(2)}–${ratioHigh.toFixed(2)}`,
    String(samples)
  ]

/** Times the pricing of offers of three instalments, on one core, against the same written by hand. */
export const pricing = Effect.fn("pricing")(function*({ offers: count, rounds, seed }: PricingOptions) {
  const offers = threeInstallments(count, randomness(seed, "offers"))
  const differing = offers.filter((terms) =>
    JSON.stringify(Result.getOrThrow(priceOffer(terms))) !== JSON.stringify(handWritten(terms))
  ).length
  const desired = centavos(400_00)
  const variants = [
    every("written by hand", offers, (terms) =>
      handWritten(terms).net_amount),
    every("priceOffer", offers, (terms) => Result.getOrThrow(priceOffer(terms)).net_amount),
    every(
      "with a desired amount",
      offers,
      (terms) =>
        Result.getOrThrow(Result.flatMap(reduceToDesired(terms, desired, centavos(100_00)), priceOffer)).net_amount
    )
  ]
  const before = host()
  const taken = yield* interleave(variants, rounds, randomness(seed, "turns"))
  const after = host()

  const [reference] = taken
  if (reference === undefined) return
  const measured = taken.map(measurement(reference))
  yield* Console.log(table(
    ["pricing", "µs an offer", "offers a second", "× by hand", "by round, 10–90 %", "samples"],
    measured.map(row(count))
  ))
  const file = yield* writeResults("pricing", {
    bench: "pricing",
    options: { offers: count, seed, rounds },
    machine: after,
    load: { before: before.load, after: after.load },
    differing,
    measured
  })
  yield* Console.log(
    `${differing} of ${count} offers written by hand differ. ${after.cpu}, ${after.cores} cores; Node ${after.node}; ` +
      `load ${before.load.toFixed(1)} before, ${after.load.toFixed(1)} after.\n${file}`
  )
})
