import { defaultRateLimit, defaultTokenRateLimit, lowerRateLimit, type RateLimit } from "@lastro/adapters-http"
import { type CommissionSettingsValues, defaultCommissionSettings } from "@lastro/domain/commission"
import { defaultEventRetentionMs } from "@lastro/domain/event"
import { type LenderSettingsValues } from "@lastro/domain/lender"
import { defaultDeletedRetentionMs, defaultRetentionYears } from "@lastro/domain/privacy"
import { Duration, type LogLevel, type Redacted, Result } from "effect"
import { type IpNetwork } from "effect/net"
import { hostname } from "node:os"
import { type DatabaseSetting, readDatabase } from "./database.ts"
import { isServiceVariable, namingFiles, readSecretFiles } from "./environment.ts"
import { httpNames, type LendersSetting, namedLenderVariables, readLenders } from "./lender.ts"
import { lenderSettings } from "./lenderLimits.ts"
import { qitechNames } from "./qitech.ts"
import {
  choice,
  clientId,
  clientSecret,
  duration,
  durationOfYear,
  email,
  type Environment,
  flag,
  integer,
  issuerUrl,
  networks,
  optional,
  orZero,
  password,
  port,
  rateLimit,
  refuse,
  type SettingRefused,
  stopDelay,
  text
} from "./readers.ts"
import { readTelemetry, type TelemetrySetting } from "./telemetry.ts"
import { readWebhooks, webhookNames, type WebhookSetting } from "./webhooks.ts"
import { readConcurrency, readPool, readWorkers } from "./workers.ts"

/** The format of log entries: pretty text for development, or JSON lines for production. */
export type LogFormat = "pretty" | "json"

/** The validated settings of the server. */
export interface Settings {
  readonly host: string
  readonly port: number
  /** The number of processes that serve the port. */
  readonly workers: number
  readonly database: DatabaseSetting
  readonly bootstrap: {
    readonly admin_email: string | undefined
    readonly admin_password: Redacted.Redacted | undefined
    readonly client_id: string | undefined
    readonly client_secret: Redacted.Redacted | undefined
  }
  /** True if the server fills an empty database with demonstration data. */
  readonly demo: boolean
  /** True if the API serves its documentation and its OpenAPI document. */
  readonly docs: boolean
  /** True if the server has pages for people at `/console`. */
  readonly console: boolean
  readonly rate_limit: RateLimit
  readonly token_rate_limit: RateLimit
  /** Maximum time of a request. */
  readonly request_timeout: Duration.Duration
  /** Maximum number of requests that run at the same time, in all workers together. */
  readonly concurrency: number
  readonly lenders: LendersSetting
  /** The settings for every lender: the deadline of quotes, the limits of calls, and the maximum rate of offers. */
  readonly lender_settings: LenderSettingsValues
  readonly commission_settings: CommissionSettingsValues
  readonly privacy: {
    /** Number of years for which `privacy erase` keeps a paid contract after its end. */
    readonly retention_years: number
    /** Time after which deleted users and partners are anonymised. */
    readonly deleted_retention: Duration.Duration
    /** Time without a change after which applications that were never paid are erased. Undefined: never. */
    readonly application_retention: Duration.Duration | undefined
  }
  /** Time for which events are kept. */
  readonly events_retention: Duration.Duration
  /** Time for which audit entries are kept. Undefined: until the operator deletes them. */
  readonly audit_retention: Duration.Duration | undefined
  /** The label of this node in `lastro check --live`. It need not be unique. */
  readonly node: string
  readonly issuer: string
  readonly signing_keys_file: string | undefined
  /**
   * Time for which the node still serves requests after a stop signal, while it reports that it is not ready. Default:
   * 5 s with PostgreSQL, because other nodes may serve the same database, and 0 with PGlite.
   */
  readonly stop_delay: Duration.Duration
  readonly trusted_proxies: ReadonlyArray<IpNetwork.IpNetwork>
  readonly metrics_port: number | undefined
  readonly log_format: LogFormat
  readonly log_level: LogLevel.LogLevel
  readonly telemetry: TelemetrySetting
  readonly webhooks: WebhookSetting
}

const knownNames: ReadonlyArray<string> = [
  "LASTRO_BOOTSTRAP_ADMIN_EMAIL",
  "LASTRO_BOOTSTRAP_ADMIN_PASSWORD",
  "LASTRO_BOOTSTRAP_CLIENT_ID",
  "LASTRO_BOOTSTRAP_CLIENT_SECRET",
  "LASTRO_COMMISSION_HOLD",
  "LASTRO_CONCURRENCY",
  "LASTRO_CONSOLE",
  "LASTRO_DATA_DIR",
  "LASTRO_DB_CONNECT_TIMEOUT",
  "LASTRO_DB_POOL",
  "LASTRO_DB_POOL_TIMEOUT",
  "LASTRO_DB_STATEMENT_TIMEOUT",
  "LASTRO_DEMO",
  "LASTRO_DOCS",
  "LASTRO_ISSUER",
  "LASTRO_LENDER",
  "LASTRO_LENDERS",
  "LASTRO_LENDER_MAX_IN_FLIGHT",
  "LASTRO_LENDER_RATE",
  ...httpNames,
  "LASTRO_LOG_FORMAT",
  "LASTRO_LOG_LEVEL",
  "LASTRO_MAX_MONTHLY_RATE",
  "LASTRO_MAX_MONTHLY_RATE_ABOVE_POLICY",
  "LASTRO_METRICS_PORT",
  "LASTRO_NODE",
  "LASTRO_APPLICATION_RETENTION",
  "LASTRO_AUDIT_RETENTION",
  "LASTRO_DELETED_RETENTION",
  "LASTRO_EVENTS_RETENTION",
  "LASTRO_RETENTION_YEARS",
  ...qitechNames,
  "LASTRO_QUOTE_DEADLINE",
  "LASTRO_QUOTE_PATIENCE",
  "LASTRO_RATE_LIMIT",
  "LASTRO_READ_DATABASE_URL",
  "LASTRO_REQUEST_TIMEOUT",
  "LASTRO_SANDBOX_STEP_MS",
  "LASTRO_SCHEMA",
  "LASTRO_SIGNING_KEYS",
  "LASTRO_STOP_DELAY",
  "LASTRO_TOKEN_RATE_LIMIT",
  "LASTRO_TRUSTED_PROXIES",
  "LASTRO_WORKERS",
  ...webhookNames
]

/**
 * Reads the settings from the environment, and secrets from the environment or from files. An empty variable counts as
 * absent. Fails with the first invalid variable.
 */
export const readSettings = (environment: Environment): Result.Result<Settings, SettingRefused> =>
  Result.mapError(Result.flatMap(readSecretFiles(environment), readAll), namingFiles(environment))

const readAll = (environment: Environment): Result.Result<Settings, SettingRefused> =>
  Result.gen(function*() {
    yield* refuseUnknown(environment)
    const host = (yield* optional(environment, "HOST", text)) ?? "127.0.0.1"
    const listen = (yield* optional(environment, "PORT", port)) ?? 3000
    const read = yield* readDatabase(environment)
    const isServer = read.kind === "postgres"
    const workers = yield* readWorkers(environment, isServer)
    const maxConnections = yield* readPool(environment, workers)
    const database = isServer ? { ...read, maxConnections } : read
    return {
      host,
      port: listen,
      workers,
      database,
      bootstrap: {
        admin_email: yield* optional(environment, "LASTRO_BOOTSTRAP_ADMIN_EMAIL", email),
        admin_password: yield* optional(environment, "LASTRO_BOOTSTRAP_ADMIN_PASSWORD", password),
        client_id: yield* optional(environment, "LASTRO_BOOTSTRAP_CLIENT_ID", clientId),
        client_secret: yield* optional(environment, "LASTRO_BOOTSTRAP_CLIENT_SECRET", clientSecret)
      },
      demo: (yield* optional(environment, "LASTRO_DEMO", flag)) ?? !isServer,
      console: (yield* optional(environment, "LASTRO_CONSOLE", flag)) ?? true,
      docs: (yield* optional(environment, "LASTRO_DOCS", flag)) ?? true,
      rate_limit: (yield* optional(environment, "LASTRO_RATE_LIMIT", rateLimit)) ?? defaultRateLimit,
      token_rate_limit: yield* tokenRateLimit(environment),
      request_timeout: (yield* optional(environment, "LASTRO_REQUEST_TIMEOUT", duration)) ?? Duration.seconds(15),
      concurrency: yield* readConcurrency(environment, workers),
      lenders: yield* readLenders(environment, isServer),
      lender_settings: yield* lenderSettings(environment),
      commission_settings: {
        hold_ms: Duration.toMillis(
          (yield* optional(environment, "LASTRO_COMMISSION_HOLD", orZero(durationOfYear))) ??
            Duration.millis(defaultCommissionSettings.hold_ms)
        )
      },
      privacy: {
        retention_years: (yield* optional(environment, "LASTRO_RETENTION_YEARS", integer(0, 50))) ??
          defaultRetentionYears,
        deleted_retention: (yield* optional(environment, "LASTRO_DELETED_RETENTION", duration)) ??
          Duration.millis(defaultDeletedRetentionMs),
        application_retention: yield* optional(environment, "LASTRO_APPLICATION_RETENTION", duration)
      },
      events_retention: (yield* optional(environment, "LASTRO_EVENTS_RETENTION", duration)) ??
        Duration.millis(defaultEventRetentionMs),
      audit_retention: yield* optional(environment, "LASTRO_AUDIT_RETENTION", duration),
      node: (yield* optional(environment, "LASTRO_NODE", text)) ?? nodeLabel(listen),
      issuer: yield* issuer(environment, isServer, host, listen),
      signing_keys_file: yield* optional(environment, "LASTRO_SIGNING_KEYS", text),
      stop_delay: (yield* optional(environment, "LASTRO_STOP_DELAY", stopDelay)) ?? Duration.seconds(isServer ? 5 : 0),
      trusted_proxies: (yield* optional(environment, "LASTRO_TRUSTED_PROXIES", networks)) ?? [],
      metrics_port: yield* metricsPort(environment, listen),
      log_format: (yield* optional(environment, "LASTRO_LOG_FORMAT", choice(["pretty", "json"]))) ?? "json",
      log_level: levels[(yield* optional(environment, "LASTRO_LOG_LEVEL", choice(levelNames))) ?? "info"],
      telemetry: yield* readTelemetry(environment),
      webhooks: yield* readWebhooks(environment, isServer)
    } satisfies Settings
  })

const levels = { error: "Error", warn: "Warn", info: "Info", debug: "Debug" } as const
const levelNames = ["error", "warn", "info", "debug"] as const

/** Returns the default label of this node: the host name with the port, or with the process id if the port is 0. */
const nodeLabel = (listen: number): string => `${hostname()}:${listen === 0 ? `pid-${process.pid}` : listen}`

const refuseUnknown = (environment: Environment): Result.Result<void, SettingRefused> => {
  const named = namedLenderVariables(environment)
  const unknown = Object.keys(environment).find((name) =>
    name.startsWith("LASTRO_") && !knownNames.includes(name) && !named.includes(name) &&
    !isServiceVariable(name, environment[name])
  )
  return unknown === undefined
    ? Result.void
    : refuse(unknown, `is not a setting. The settings are ${knownNames.join(", ")}`)
}

/**
 * Reads the rate limit of the token endpoint. Default: off if the rate limit of a caller is off. Otherwise the lower
 * rate and the lower burst of two limits: `defaultTokenRateLimit`, and that of a caller, if it is set.
 */
const tokenRateLimit = (environment: Environment): Result.Result<RateLimit, SettingRefused> =>
  Result.gen(function*() {
    const ofCaller = yield* optional(environment, "LASTRO_RATE_LIMIT", rateLimit)
    const own = yield* optional(environment, "LASTRO_TOKEN_RATE_LIMIT", rateLimit)
    if (own !== undefined) return own
    if (ofCaller === "off") return "off"
    return ofCaller === undefined ? defaultTokenRateLimit : lowerRateLimit(defaultTokenRateLimit, ofCaller)
  })

/** Reads the port of the metrics. It must differ from the port of the API. Both can be 0, which selects free ports. */
const metricsPort = (environment: Environment, listen: number): Result.Result<number | undefined, SettingRefused> =>
  Result.flatMap(
    optional(environment, "LASTRO_METRICS_PORT", port),
    (metrics) =>
      metrics === listen && metrics !== 0
        ? refuse("LASTRO_METRICS_PORT", "must differ from PORT. Choose a port that you do not publish, such as 9464")
        : Result.succeed(metrics)
  )

/**
 * Reads the issuer. It is required with PostgreSQL, because all nodes must have the same issuer, also after a restart.
 */
const issuer = (
  environment: Environment,
  required: boolean,
  host: string,
  listen: number
): Result.Result<string, SettingRefused> =>
  Result.flatMap(optional(environment, "LASTRO_ISSUER", issuerUrl), (issuer) => {
    if (issuer !== undefined) return Result.succeed(issuer)
    return required
      ? refuse("LASTRO_ISSUER", "is required with PostgreSQL. Set it to the URL at which clients reach this server")
      : issuerUrl("LASTRO_ISSUER", `http://${host.includes(":") ? `[${host}]` : host}:${listen}`)
  })
