import { Duration, Result } from "effect"
import { type DatabaseSetting } from "./database.ts"
import { duration, type Environment, optional, type Reader, refuse, type SettingRefused } from "./readers.ts"

/** Maximum of the stop delay. No load balancer needs longer to detect that a node is not ready. */
const longestDelay = Duration.minutes(10)

/** Reads `0`, or a duration of at most ten minutes. */
const delay: Reader<Duration.Duration> = (name, value) => {
  const read = /^0(?:ms|s|m)?$/.test(value) ? Result.succeed(Duration.zero) : duration(name, value)
  return Result.isSuccess(read) && Duration.isLessThanOrEqualTo(read.success, longestDelay)
    ? read
    : refuse(name, "must be 0 or a duration of at most 10m, such as 500ms or 5s")
}

/**
 * Reads the time for which the server still accepts connections after a stop signal. Default: 5 s with PostgreSQL,
 * because other nodes may serve the same database, and 0 with PGlite.
 */
export const stopDelay = (
  environment: Environment,
  { kind }: DatabaseSetting
): Result.Result<Duration.Duration, SettingRefused> =>
  Result.map(
    optional(environment, "LASTRO_STOP_DELAY", delay),
    (read) => read ?? Duration.seconds(kind === "postgres" ? 5 : 0)
  )
