import { defaultLenderSettings, type LenderSettingsValues } from "@lastro/domain/lender"
import { policyOn } from "@lastro/domain/offer"
import { type CalendarDate, parsePercent, type Percent } from "@lastro/domain/values"
import { Duration, Result } from "effect"
import {
  choice,
  duration,
  type Environment,
  integer,
  optional,
  type Reader,
  refuse,
  SettingRefused
} from "./readers.ts"

/** Makes a reader of a limit that also accepts `off`, which means no limit. */
const orOff = <A>(read: Reader<A>, accepted: string): Reader<A | null> => (name, value) =>
  value === "off"
    ? Result.succeed(null)
    : Result.mapError(read(name, value), () =>
      new SettingRefused({ variable: name, problem: `must be off or ${accepted}` }))

/** Reads a rate of calls per second, such as `0.5` or `20`. */
const callRate: Reader<number> = (name, value) =>
  /^\d{1,5}(?:\.\d{1,6})?$/.test(value) && Number(value) > 0
    ? Result.succeed(Number(value))
    : refuse(name, "must be a number of calls per second, such as 0.5 or 20")

/** Reads a rate in percent, such as `1.8`. */
const percentage: Reader<Percent> = (name, value) => {
  const read = /^\d{1,3}(?:\.\d{1,6})?$/.test(value) ? parsePercent(Number(value)) : undefined
  return read !== undefined && Result.isSuccess(read) && read.success > 0 && read.success <= 100
    ? Result.succeed(read.success)
    : refuse(name, "must be a rate in percent above 0 and at most 100, such as 1.8")
}

/** Reads the deadline of quotes, the limits of calls and the maximum rate of offers. */
export const lenderSettings = (environment: Environment): Result.Result<LenderSettingsValues, SettingRefused> =>
  Result.gen(function*() {
    const deadline = yield* optional(environment, "LASTRO_QUOTE_DEADLINE", duration)
    const above = yield* optional(environment, "LASTRO_MAX_MONTHLY_RATE_ABOVE_POLICY", choice(["yes", "no"]))
    return {
      quote_deadline_ms: deadline === undefined ? defaultLenderSettings.quote_deadline_ms : Duration.toMillis(deadline),
      max_monthly_rate: (yield* optional(environment, "LASTRO_MAX_MONTHLY_RATE", percentage)) ?? null,
      max_monthly_rate_above_policy: above === "yes",
      requests_per_second: yield* optional(
        environment,
        "LASTRO_LENDER_RATE",
        orOff(callRate, "a number of calls per second, such as 0.5 or 20")
      ),
      max_in_flight: yield* optional(
        environment,
        "LASTRO_LENDER_MAX_IN_FLIGHT",
        orOff(integer(1, 10_000), "a whole number from 1 to 10000")
      )
    }
  })

/**
 * Rejects a maximum rate above that of the policy in force on a day, unless the operator has confirmed it (POLICY-09).
 */
export const judgeMaximumRate = (
  { max_monthly_rate, max_monthly_rate_above_policy = false }: LenderSettingsValues,
  today: CalendarDate
): Result.Result<void, SettingRefused> => {
  if (max_monthly_rate === null || max_monthly_rate_above_policy) return Result.void
  const limit = policyOn(today).max_monthly_rate
  if (max_monthly_rate <= limit) return Result.void
  return refuse(
    "LASTRO_MAX_MONTHLY_RATE",
    `must be at most ${limit}, the limit of the policy in force. ` +
      "To allow a higher rate, also set LASTRO_MAX_MONTHLY_RATE_ABOVE_POLICY=yes"
  )
}
