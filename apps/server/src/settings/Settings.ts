import { defaultRateLimit, defaultTokenRateLimit, lowerRateLimit, type RateLimit } from "@lastro/adapters-http"
import { type LenderSettingsValues } from "@lastro/domain/lender"
import { Duration, type LogLevel, type Redacted, Result } from "effect"
import { type IpNetwork } from "effect/net"
import { hostname } from "node:os"
import { type DatabaseSetting, readDatabase } from "./database.ts"
import { isServiceVariable } from "./kubernetes.ts"
import { type LenderSetting, readLender } from "./lender.ts"
import { lenderSettings } from "./lenderSettings.ts"
import { qitechNames } from "./qitech.ts"
import {
  choice,
  clientId,
  clientSecret,
  duration,
  email,
  type Environment,
  flag,
  httpUrl,
  integer,
  issuerUrl,
  networks,
  optional,
  password,
  port,
  rateLimit,
  refuse,
  type SettingRefused,
  text
} from "./readers.ts"

/** The format of log entries: pretty text for development, or JSON lines for production. */
export type LogFormat = "pretty" | "json"

/** The validated settings of the server. */
export interface Settings {
  readonly host: string
  readonly port: number
  readonly database: DatabaseSetting
  readonly bootstrap: {
    readonly admin_email: string | undefined
    readonly admin_password: Redacted.Redacted | undefined
    readonly client_id: string | undefined
    readonly client_secret: Redacted.Redacted | undefined
  }
  readonly demo: boolean
  readonly rate_limit: RateLimit
  readonly token_rate_limit: RateLimit
  /** Maximum time of a request. */
  readonly request_timeout: Duration.Duration
  /** Maximum number of requests that run at the same time. */
  readonly concurrency: number
  readonly lender: LenderSetting
  /** The deadline of quotes, the limits of the calls to the lender, and the maximum rate of its offers. */
  readonly lender_settings: LenderSettingsValues
  /** The label of this node in `lastro check --live`. It need not be unique. */
  readonly node: string
  readonly issuer: string
  readonly signing_keys_file: string | undefined
  readonly trusted_proxies: ReadonlyArray<IpNetwork.IpNetwork>
  readonly metrics_port: number | undefined
  readonly log_format: LogFormat
  readonly log_level: LogLevel.LogLevel
  readonly otlp_endpoint: string | undefined
}

const knownNames: ReadonlyArray<string> = [
  "LASTRO_BOOTSTRAP_ADMIN_EMAIL",
  "LASTRO_BOOTSTRAP_ADMIN_PASSWORD",
  "LASTRO_BOOTSTRAP_CLIENT_ID",
  "LASTRO_BOOTSTRAP_CLIENT_SECRET",
  "LASTRO_CONCURRENCY",
  "LASTRO_DATA_DIR",
  "LASTRO_DB_CONNECT_TIMEOUT",
  "LASTRO_DB_POOL",
  "LASTRO_DB_POOL_TIMEOUT",
  "LASTRO_DB_STATEMENT_TIMEOUT",
  "LASTRO_DEMO",
  "LASTRO_ISSUER",
  "LASTRO_LENDER",
  "LASTRO_LENDER_MAX_IN_FLIGHT",
  "LASTRO_LENDER_RATE",
  "LASTRO_LENDER_CALLBACK_SECRET",
  "LASTRO_LENDER_TOKEN",
  "LASTRO_LENDER_URL",
  "LASTRO_LOG_FORMAT",
  "LASTRO_LOG_LEVEL",
  "LASTRO_MAX_MONTHLY_RATE",
  "LASTRO_METRICS_PORT",
  "LASTRO_NODE",
  ...qitechNames,
  "LASTRO_QUOTE_DEADLINE",
  "LASTRO_RATE_LIMIT",
  "LASTRO_REQUEST_TIMEOUT",
  "LASTRO_SANDBOX_STEP_MS",
  "LASTRO_SCHEMA",
  "LASTRO_SIGNING_KEYS",
  "LASTRO_TOKEN_RATE_LIMIT",
  "LASTRO_TRUSTED_PROXIES"
]

/** Reads the settings from the environment. An empty variable counts as absent. Fails with the first invalid variable. */
export const readSettings = (environment: Environment): Result.Result<Settings, SettingRefused> =>
  Result.gen(function*() {
    yield* refuseUnknown(environment)
    const host = (yield* optional(environment, "HOST", text)) ?? "127.0.0.1"
    const listen = (yield* optional(environment, "PORT", port)) ?? 3000
    const database = yield* readDatabase(environment)
    const isServer = database.kind === "postgres"
    return {
      host,
      port: listen,
      database,
      bootstrap: {
        admin_email: yield* optional(environment, "LASTRO_BOOTSTRAP_ADMIN_EMAIL", email),
        admin_password: yield* optional(environment, "LASTRO_BOOTSTRAP_ADMIN_PASSWORD", password),
        client_id: yield* optional(environment, "LASTRO_BOOTSTRAP_CLIENT_ID", clientId),
        client_secret: yield* optional(environment, "LASTRO_BOOTSTRAP_CLIENT_SECRET", clientSecret)
      },
      demo: (yield* optional(environment, "LASTRO_DEMO", flag)) ?? !isServer,
      rate_limit: (yield* optional(environment, "LASTRO_RATE_LIMIT", rateLimit)) ?? defaultRateLimit,
      token_rate_limit: yield* tokenRateLimit(environment),
      request_timeout: (yield* optional(environment, "LASTRO_REQUEST_TIMEOUT", duration)) ?? Duration.seconds(15),
      concurrency: (yield* optional(environment, "LASTRO_CONCURRENCY", integer(4, 1_000))) ?? 8,
      lender: yield* readLender(environment, isServer),
      lender_settings: yield* lenderSettings(environment),
      node: (yield* optional(environment, "LASTRO_NODE", text)) ?? nodeLabel(listen),
      issuer: yield* issuer(environment, isServer, host, listen),
      signing_keys_file: yield* optional(environment, "LASTRO_SIGNING_KEYS", text),
      trusted_proxies: (yield* optional(environment, "LASTRO_TRUSTED_PROXIES", networks)) ?? [],
      metrics_port: yield* optional(environment, "LASTRO_METRICS_PORT", port),
      log_format: (yield* optional(environment, "LASTRO_LOG_FORMAT", choice(["pretty", "json"]))) ?? "json",
      log_level: levels[(yield* optional(environment, "LASTRO_LOG_LEVEL", choice(levelNames))) ?? "info"],
      otlp_endpoint: yield* optional(environment, "OTEL_EXPORTER_OTLP_ENDPOINT", httpUrl)
    } satisfies Settings
  })

const levels = { error: "Error", warn: "Warn", info: "Info", debug: "Debug" } as const
const levelNames = ["error", "warn", "info", "debug"] as const

/** Returns the default label of this node. With port 0, the label contains the process id. */
const nodeLabel = (listen: number): string => `${hostname()}:${listen === 0 ? `pid-${process.pid}` : listen}`

const refuseUnknown = (environment: Environment): Result.Result<void, SettingRefused> => {
  const unknown = Object.keys(environment).find((name) =>
    name.startsWith("LASTRO_") && !knownNames.includes(name) && !isServiceVariable(name, environment[name])
  )
  return unknown === undefined
    ? Result.void
    : refuse(unknown, `is not a setting. The settings are ${knownNames.join(", ")}`)
}

/** Reads the limit of the token endpoint. Without its own setting, it is at most the limit of a caller, and `off` with it. */
const tokenRateLimit = (environment: Environment): Result.Result<RateLimit, SettingRefused> =>
  Result.gen(function*() {
    const ofCaller = yield* optional(environment, "LASTRO_RATE_LIMIT", rateLimit)
    const own = yield* optional(environment, "LASTRO_TOKEN_RATE_LIMIT", rateLimit)
    return own ?? (ofCaller === "off" ? "off" : lowerRateLimit(defaultTokenRateLimit, ofCaller ?? "off"))
  })

/**
 * Reads the issuer. It is required with DATABASE_URL, because all nodes must use the same issuer, and must keep it after a
 * restart.
 */
const issuer = (
  environment: Environment,
  required: boolean,
  host: string,
  listen: number
): Result.Result<string, SettingRefused> =>
  Result.flatMap(optional(environment, "LASTRO_ISSUER", issuerUrl), (issuer) =>
    issuer !== undefined
      ? Result.succeed(issuer)
      : required
      ? refuse("LASTRO_ISSUER", "is required with DATABASE_URL. Set it to the URL at which clients reach this server")
      : issuerUrl("LASTRO_ISSUER", `http://${host.includes(":") ? `[${host}]` : host}:${listen}`))
