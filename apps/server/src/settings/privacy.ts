import { defaultDeletedRetentionMs, defaultRetentionYears } from "@lastro/domain/privacy"
import { Duration, Result } from "effect"
import { duration, type Environment, integer, optional, type SettingRefused } from "./readers.ts"

/** The settings for the retention of personal data. */
export interface PrivacySettings {
  /** Number of years for which `privacy erase` keeps a paid contract after its end. */
  readonly retention_years: number
  /** The time after which deleted users and partners are anonymised. */
  readonly deleted_retention: Duration.Duration
}

/** The names of the settings for the retention of personal data. */
export const privacyNames: ReadonlyArray<string> = ["LASTRO_DELETED_RETENTION", "LASTRO_RETENTION_YEARS"]

/** Reads the settings for the retention of personal data. */
export const readPrivacy = (environment: Environment): Result.Result<PrivacySettings, SettingRefused> =>
  Result.gen(function*() {
    return {
      retention_years: (yield* optional(environment, "LASTRO_RETENTION_YEARS", integer(0, 50))) ??
        defaultRetentionYears,
      deleted_retention: (yield* optional(environment, "LASTRO_DELETED_RETENTION", duration)) ??
        Duration.millis(defaultDeletedRetentionMs)
    }
  })
