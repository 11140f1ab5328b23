import { type Brand, Effect, Result, Schema, SchemaGetter } from "effect"
import { type Problem, problem } from "../input/FieldProblem.ts"
import { issueOf } from "../input/textParser.ts"
import { type Centavos, centavos } from "../values/Centavos.ts"
import { divideHalfUp, wholeUnits } from "../values/rounding.ts"

/** A fraction of an amount in whole millionths: 12.5 % is 125 000. */
export type Share = number & Brand.Brand<"Share">

/** Decimals of a share in percent. */
const decimals = 4

const wholeShare = 1_000_000 as Share

export const noShare = 0 as Share

const wholeBigInt = BigInt(wholeShare)

/**
 * A share in percent is from 0 to 100, with at most four decimals. It is stored in whole millionths.
 * @rule COMM-01
 */
export const parseShare = (percent: number): Result.Result<Share, Problem> => {
  if (Number.isNaN(percent)) return Result.fail(problem("INVALID_TYPE"))
  if (percent < 0 || percent > 100) return Result.fail(problem("OUT_OF_RANGE", { min: 0, max: 100 }))
  const units = wholeUnits(percent, decimals)
  return units === undefined
    ? Result.fail(problem("INVALID_FORMAT", { decimals }))
    // A share of -0 is stored as 0.
    : Result.succeed((units === 0 ? 0 : units) as Share)
}

/** Returns a share in percent, with at most four decimals. */
export const percentOfShare = (share: Share): number => share / 10 ** decimals

/** The schema of a share. It is encoded as percent. */
export const SharePercent: Schema.Codec<Share, number> =
  /* @__PURE__ */ (() =>
    Schema.Finite.annotate({ description: "Percent from 0 to 100, at most four decimals", examples: [12.5] }).pipe(
      Schema.decodeTo(
        Schema.declare<Share>((value): value is Share =>
          typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= wholeShare
        ),
        {
          decode: SchemaGetter.transformEffect((percent: number) =>
            Effect.fromResult(Result.mapError(parseShare(percent), issueOf))
          ),
          encode: SchemaGetter.transform(percentOfShare)
        }
      )
    ))()

/**
 * The commission that reaches a partner is the basis amount times the product of the shares from the root to the
 * partner. It is computed in whole numbers, and rounded once, half up, to the centavo.
 * @rule COMM-02
 */
export const commissionOf = (basis: Centavos, shares: ReadonlyArray<Share>): Centavos => {
  const product = shares.reduce((part, share) => part * BigInt(share), BigInt(basis))
  return centavos(Number(divideHalfUp(product, wholeBigInt ** BigInt(shares.length))))
}

/**
 * The effective percent of a partner is the product of the shares from the root to the partner, rounded down to four
 * decimals.
 * @rule COMM-03
 */
export const effectivePercent = (shares: ReadonlyArray<Share>): number => {
  const product = shares.reduce((part, share) => part * BigInt(share), wholeBigInt)
  return percentOfShare(Number(product / wholeBigInt ** BigInt(shares.length)) as Share)
}

/**
 * The share of an entry is its amount divided by the basis amount, in percent, rounded half up to four decimals. It is
 * null without a basis amount.
 * @rule COMM-04
 */
export const sharePercentOf = (amount: Centavos, basis: Centavos | null): number | null =>
  basis === null || basis === 0
    ? null
    : Number(divideHalfUp(BigInt(amount) * wholeBigInt, BigInt(basis))) / 10 ** decimals
