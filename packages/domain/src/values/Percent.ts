import { type Brand, Effect, Result, Schema, SchemaGetter } from "effect"
import { type Problem, problem } from "../input/FieldProblem.ts"
import { issueOf } from "../input/textParser.ts"
import { type Centavos, centavos } from "./Centavos.ts"
import { divideHalfUp, wholeUnits } from "./rounding.ts"

/**
 * A rate in percent, with at most six decimals: `1.8` is 1.8 %. The name of the field states the period (month or
 * year).
 */
export type Percent = number & Brand.Brand<"Percent">

/** With six decimals and below `bound`, a rate has at most fifteen digits, which a double represents without loss. */
const decimals = 6
const bound = 1e9

/**
 * A rate in percent is at least 0 and below 1 000 000 000, with at most six decimals.
 * @rule MONEY-07
 */
export const parsePercent = (value: number): Result.Result<Percent, Problem> => {
  if (Number.isNaN(value)) return Result.fail(problem("INVALID_TYPE"))
  if (value < 0) return Result.fail(problem("OUT_OF_RANGE", { min: 0 }))
  if (value >= bound) return Result.fail(problem("OUT_OF_RANGE", { below: bound }))
  return wholeUnits(value, decimals) === undefined
    ? Result.fail(problem("INVALID_FORMAT", { decimals }))
    : Result.succeed((value === 0 ? 0 : value) as Percent)
}

/** Brands a number as a rate in percent. Throws a RangeError if {@link parsePercent} refuses it. */
export const percent = (value: number): Percent =>
  Result.getOrThrowWith(parsePercent(value), ({ code }) => new RangeError(`not a percentage: ${code}: ${value}`))

const isPercent = (value: unknown): value is Percent =>
  typeof value === "number" && Result.isSuccess(parsePercent(value))

/** The schema of a rate in percent: a JSON number. */
export const Percent: Schema.Codec<Percent, number> = /* @__PURE__ */ (() =>
  Schema.Finite.annotate({
    description: "Rate in percent, at most six decimals: 1.8 is 1.8 %",
    examples: [1.8]
  }).pipe(
    Schema.decodeTo(Schema.declare<Percent>(isPercent), {
      decode: SchemaGetter.transformEffect((value: number) =>
        Effect.fromResult(Result.mapError(parsePercent(value), issueOf))
      ),
      encode: SchemaGetter.passthroughSupertype<Percent, number>()
    })
  ))()

/** Returns a rate in millionths of a percent, a whole number. */
const millionthsOf = (rate: Percent): number => Math.round(rate * 10 ** decimals)

/** 100 %, in millionths of a percent. */
const whole = 10 ** (decimals + 2)

/** Returns a rate as a fraction: 1.8 % is 0.018. The plain division `1.8 / 100` would return 0.018000000000000002. */
export const fractionOf = (rate: Percent): number => millionthsOf(rate) / whole

/**
 * A percentage of an amount is computed exactly and rounded half up to the centavo.
 * @rule MONEY-08
 */
export const percentOf = (rate: Percent, amount: Centavos): Centavos => {
  const millionths = millionthsOf(rate)
  const product = millionths * amount
  // Doubles hold integers up to 2^53 exactly, and are ten times faster than BigInt.
  if (product >= 0 && product <= Number.MAX_SAFE_INTEGER - whole) {
    const raised = product + whole / 2
    return centavos((raised - raised % whole) / whole)
  }
  return centavos(Number(divideHalfUp(BigInt(millionths) * BigInt(amount), BigInt(whole))))
}
