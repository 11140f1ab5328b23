import { defaultLenderSettings, type LenderSettingsValues } from "@lastro/domain/lender"
import { policyOn } from "@lastro/domain/offer"
import { type CalendarDate, parsePercent, type Percent } from "@lastro/domain/values"
import { Duration, Redacted, Result } from "effect"
import { qitechNames, type QitechSetting, readQitech } from "./qitech.ts"
import {
  choice,
  duration,
  type Environment,
  httpUrl,
  integer,
  isSet,
  milliseconds,
  optional,
  type Reader,
  refuse,
  secret,
  SettingRefused
} from "./readers.ts"

/**
 * The lender: the sandbox, a lender over HTTP, or QI Tech. In the sandbox, each step of a contract takes `step_ms`
 * milliseconds.
 */
export type LenderSetting =
  | { readonly kind: "sandbox"; readonly step_ms: number }
  | {
    readonly kind: "http"
    readonly url: string
    readonly token: Redacted.Redacted | undefined
    /** The secret with which the lender signs its callbacks. */
    readonly callback_secret: Redacted.Redacted | undefined
  }
  | QitechSetting

/** Reads the secret of the lender's callbacks: `whsec_` followed by the Base64 form of 24 to 64 bytes. */
const callbackSecret: Reader<Redacted.Redacted> = (name, value) =>
  /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/.test(value)
    ? Result.succeed(Redacted.make(value))
    : refuse(name, "must be whsec_ and the Base64 form of 24 to 64 bytes")

/**
 * Reads the lender. With PostgreSQL, the operator must set it, so that the sandbox cannot run in production by
 * accident.
 */
export const readLender = (environment: Environment, required: boolean): Result.Result<LenderSetting, SettingRefused> =>
  Result.gen(function*() {
    const kind = yield* optional(environment, "LASTRO_LENDER", choice(["sandbox", "http", "qitech"]))
    const url = yield* optional(environment, "LASTRO_LENDER_URL", httpUrl)
    const token = yield* optional(environment, "LASTRO_LENDER_TOKEN", secret)
    const callback_secret = yield* optional(environment, "LASTRO_LENDER_CALLBACK_SECRET", callbackSecret)
    const step_ms = (yield* optional(environment, "LASTRO_SANDBOX_STEP_MS", milliseconds)) ?? 1000
    if (kind === undefined && required) {
      return yield* refuse("LASTRO_LENDER", "is required with PostgreSQL. Set it to sandbox, http or qitech")
    }
    const qitechVariable = qitechNames.find((name) => isSet(environment, name))
    if (kind !== "qitech" && qitechVariable !== undefined) {
      return yield* refuse(qitechVariable, "requires LASTRO_LENDER=qitech")
    }
    if (kind !== "http") {
      // The first variable for a lender over HTTP that is set. If there is one, LASTRO_LENDER is most likely wrong.
      const lenderVariable = url !== undefined
        ? "LASTRO_LENDER_URL"
        : token !== undefined
        ? "LASTRO_LENDER_TOKEN"
        : callback_secret !== undefined
        ? "LASTRO_LENDER_CALLBACK_SECRET"
        : undefined
      if (lenderVariable !== undefined) return yield* refuse(lenderVariable, "requires LASTRO_LENDER=http")
      return kind === "qitech" ? yield* readQitech(environment) : { kind: "sandbox", step_ms }
    }
    return url === undefined
      ? yield* refuse("LASTRO_LENDER_URL", "is required with LASTRO_LENDER=http")
      : { kind, url, token, callback_secret }
  })

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

/** Reads the settings for every lender: its deadline, its limits and the maximum rate of its offers. */
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
 * Refuses a maximum rate above that of the policy in force on a day, unless the operator has confirmed it (POLICY-09).
 */
export const judgeMaximumRate = (
  { max_monthly_rate, max_monthly_rate_above_policy = false }: LenderSettingsValues,
  today: CalendarDate
): Result.Result<void, SettingRefused> => {
  const policy = policyOn(today)
  return max_monthly_rate === null || max_monthly_rate_above_policy || max_monthly_rate <= policy.max_monthly_rate
    ? Result.void
    : refuse(
      "LASTRO_MAX_MONTHLY_RATE",
      `must be at most ${policy.max_monthly_rate}, the limit of the policy in force. ` +
        "To allow a higher rate, also set LASTRO_MAX_MONTHLY_RATE_ABOVE_POLICY=yes"
    )
}
