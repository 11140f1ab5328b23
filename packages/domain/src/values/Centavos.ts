import { Effect, Result, Schema, SchemaGetter } from "effect"
import { type Problem, problem } from "../input/FieldProblem.ts"
import { failsWith, issueOf } from "../input/textParser.ts"
import { roundHalfUp, wholeUnits } from "./rounding.ts"

/**
 * The largest amount, R$ 9 999 999 999 999.99. A double represents every decimal number of up to fifteen digits without
 * loss.
 */
export const maxCentavos = 999_999_999_999_999

/**
 * An amount of money: a whole number of centavos (hundredths of a real). Its absolute value is at most {@link
 * maxCentavos}.
 */
export const Centavos =
  /* @__PURE__ */ (() =>
    Schema.Int.check(Schema.isBetween({ minimum: -maxCentavos, maximum: maxCentavos })).pipe(
      Schema.brand("Centavos")
    ))()
export type Centavos = typeof Centavos.Type

/** Brands a number as an amount, and -0 as 0. Throws a RangeError if it is not an integer or is out of bounds. */
export const centavos = (amount: number): Centavos => {
  if (!Number.isInteger(amount) || Math.abs(amount) > maxCentavos) {
    throw new RangeError(`not a whole number of centavos within bounds: ${amount}`)
  }
  return (amount === 0 ? 0 : amount) as Centavos
}

/** The amount R$ 0.00. */
export const zeroCentavos = 0 as Centavos

/**
 * An amount in reais has at most two decimals, and its absolute value is at most R$ 9 999 999 999 999.99. An amount
 * with more decimals is refused, never rounded: `304.65999999999997` is INVALID_FORMAT.
 * @rule MONEY-04
 */
export const centavosOfReais = (reais: number): Result.Result<Centavos, Problem> => {
  if (Number.isNaN(reais)) return Result.fail(problem("INVALID_TYPE"))
  if (Math.abs(reais) > maxCentavos / 100) return Result.fail(problem("OUT_OF_RANGE", { max: maxCentavos / 100 }))
  const amount = wholeUnits(reais, 2)
  return amount === undefined
    ? Result.fail(problem("INVALID_FORMAT", { decimals: 2 }))
    : Result.succeed(centavos(amount))
}

/**
 * An amount is converted to reais with at most two decimals: `113441` centavos are `1134.41`.
 * @rule MONEY-05
 */
export const reaisOf = (amount: Centavos): number => amount / 100

/**
 * A computed amount in reais is rounded half up to the centavo. Throws a RangeError if it is out of bounds or not
 * finite.
 * @rule MONEY-06
 */
export const centavosHalfUp = (reais: number): Centavos => centavos(Math.round(roundHalfUp(reais, 2) * 100))

/** Adds two amounts. Throws a RangeError if the sum is out of bounds. */
export const addCentavos = (a: Centavos, b: Centavos): Centavos => centavos(a + b)

/** Subtracts two amounts. Throws a RangeError if the difference is out of bounds. */
export const subtractCentavos = (a: Centavos, b: Centavos): Centavos => centavos(a - b)

/** Sums amounts. Throws a RangeError if the sum is out of bounds. */
export const sumCentavos = (amounts: Iterable<Centavos>): Centavos => {
  let sum = zeroCentavos
  for (const amount of amounts) sum = addCentavos(sum, amount)
  return sum
}

/**
 * The schema of an amount in JSON. It is encoded as a number of reais with at most two decimals, and decoded as
 * centavos.
 */
export const Reais: Schema.Codec<Centavos, number> = /* @__PURE__ */ (() =>
  Schema.Finite.annotate({
    description: "Amount in reais (BRL), at most two decimals",
    examples: [1134.41]
  }).pipe(
    Schema.decodeTo(Schema.toType(Centavos), {
      decode: SchemaGetter.transformEffect((reais: number) =>
        Effect.fromResult(Result.mapError(centavosOfReais(reais), issueOf))
      ),
      encode: SchemaGetter.transform(reaisOf)
    })
  ))()

/** The schema of an amount of at least R$ 0.01 in JSON. */
export const PositiveReais =
  /* @__PURE__ */ (() => Reais.check(Schema.isGreaterThan(0, failsWith(problem("OUT_OF_RANGE", { min: 0.01 })))))()
