import { defaultRateLimit, defaultTokenRateLimit, lowerRateLimit, type RateLimit } from "@lastro/adapters-http"
import { type PgDatabase, validateDatabaseUrl, validateSchemaName } from "@lastro/adapters-sql"
import { type LenderSettingsValues } from "@lastro/domain/lender"
import { Duration, type LogLevel, Redacted, Result } from "effect"
import { type IpNetwork } from "effect/net"
import { hostname } from "node:os"
import { lenderSettings } from "./lenderSettings.ts"
import { qitechNames, type QitechSetting, readQitech } from "./qitech.ts"
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
  milliseconds,
  networks,
  optional,
  password,
  port,
  rateLimit,
  type Reader,
  refuse,
  secret,
  SettingRefused,
  text
} from "./readers.ts"

/**
 * The database: a PostgreSQL server, or PGlite in a folder. Without a folder, PGlite keeps its data in memory. `schema` is absent if the
 * tables are in the default schema.
 */
export type DatabaseSetting =
  & (
    | { readonly kind: "postgres"; readonly url: Redacted.Redacted } & DatabaseWaits
    | { readonly kind: "pglite"; readonly folder: string | undefined }
  )
  & { readonly schema?: string }

/** The limits of the connections to a PostgreSQL server. An absent value is the default of `PgOptions`. */
type DatabaseWaits = Pick<
  PgDatabase.PgOptions,
  "maxConnections" | "poolTimeout" | "connectTimeout" | "statementTimeout"
>

/** The lender: the sandbox, with the delay of each contract step in milliseconds, a lender over HTTP, or QI Tech. */
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
    const url = yield* optional(environment, "DATABASE_URL", databaseUrl)
    const waits = yield* databaseWaits(environment)
    const schema = yield* databaseSchema(environment, url)
    return {
      host,
      port: listen,
      database: url === undefined
        ? { kind: "pglite", folder: yield* dataFolder(environment), ...schema }
        : { kind: "postgres", url, ...waits, ...schema },
      bootstrap: {
        admin_email: yield* optional(environment, "LASTRO_BOOTSTRAP_ADMIN_EMAIL", email),
        admin_password: yield* optional(environment, "LASTRO_BOOTSTRAP_ADMIN_PASSWORD", password),
        client_id: yield* optional(environment, "LASTRO_BOOTSTRAP_CLIENT_ID", clientId),
        client_secret: yield* optional(environment, "LASTRO_BOOTSTRAP_CLIENT_SECRET", clientSecret)
      },
      demo: (yield* optional(environment, "LASTRO_DEMO", flag)) ?? url === undefined,
      rate_limit: (yield* optional(environment, "LASTRO_RATE_LIMIT", rateLimit)) ?? defaultRateLimit,
      token_rate_limit: yield* tokenRateLimit(environment),
      request_timeout: (yield* optional(environment, "LASTRO_REQUEST_TIMEOUT", duration)) ?? Duration.seconds(15),
      concurrency: (yield* optional(environment, "LASTRO_CONCURRENCY", integer(4, 1_000))) ?? 8,
      lender: yield* lender(environment, url !== undefined),
      lender_settings: yield* lenderSettings(environment),
      node: (yield* optional(environment, "LASTRO_NODE", text)) ?? nodeLabel(listen),
      issuer: yield* issuer(environment, url !== undefined, host, listen),
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
  const unknown = Object.keys(environment).find((name) => name.startsWith("LASTRO_") && !knownNames.includes(name))
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

const dataFolder = (environment: Environment): Result.Result<string | undefined, SettingRefused> =>
  Result.map(
    optional(environment, "LASTRO_DATA_DIR", text),
    (folder) => folder === "memory" ? undefined : folder ?? ".data"
  )

/**
 * Reads the limits of the connections to PostgreSQL. PGlite ignores them. The worker for durable jobs has connections of
 * its own.
 */
const databaseWaits = (environment: Environment): Result.Result<DatabaseWaits, SettingRefused> =>
  Result.gen(function*() {
    return {
      maxConnections: yield* optional(environment, "LASTRO_DB_POOL", integer(1, 1_000)),
      poolTimeout: yield* optional(environment, "LASTRO_DB_POOL_TIMEOUT", duration),
      connectTimeout: yield* optional(environment, "LASTRO_DB_CONNECT_TIMEOUT", duration),
      statementTimeout: yield* optional(environment, "LASTRO_DB_STATEMENT_TIMEOUT", duration)
    }
  })

const databaseUrl = (name: string, value: string): Result.Result<Redacted.Redacted, SettingRefused> =>
  Result.mapError(validateDatabaseUrl(value), ({ problem }) => new SettingRefused({ variable: name, problem }))

const schemaName: Reader<string> = (name, value) =>
  Result.mapError(validateSchemaName(value), ({ problem }) => new SettingRefused({ variable: name, problem }))

/** Reads the schema of the tables: LASTRO_SCHEMA, or the parameter `schema` of DATABASE_URL. They must not differ. */
const databaseSchema = (
  environment: Environment,
  url: Redacted.Redacted | undefined
): Result.Result<{ readonly schema?: string }, SettingRefused> =>
  Result.gen(function*() {
    const own = yield* optional(environment, "LASTRO_SCHEMA", schemaName)
    const ofUrl = url === undefined ? null : new URL(Redacted.value(url)).searchParams.get("schema")
    if (own !== undefined && ofUrl !== null && own !== ofUrl) {
      return yield* refuse(
        "LASTRO_SCHEMA",
        "must be the same as the parameter schema of DATABASE_URL. Set only one of them"
      )
    }
    const schema = own ?? ofUrl
    return schema === null ? {} : { schema }
  })

/** Reads the secret of callbacks: `whsec_` and the Base64 form of 24 to 64 bytes. */
const callbackSecret: Reader<Redacted.Redacted> = (name, value) =>
  /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/.test(value)
    ? Result.succeed(Redacted.make(value))
    : refuse(name, "must be whsec_ and the Base64 form of 24 to 64 bytes")

/** Reads the lender. It is required with DATABASE_URL, so that the sandbox cannot run in production by accident. */
const lender = (environment: Environment, required: boolean): Result.Result<LenderSetting, SettingRefused> =>
  Result.gen(function*() {
    const kind = yield* optional(environment, "LASTRO_LENDER", choice(["sandbox", "http", "qitech"]))
    const url = yield* optional(environment, "LASTRO_LENDER_URL", httpUrl)
    const token = yield* optional(environment, "LASTRO_LENDER_TOKEN", secret)
    const callback_secret = yield* optional(environment, "LASTRO_LENDER_CALLBACK_SECRET", callbackSecret)
    const step_ms = (yield* optional(environment, "LASTRO_SANDBOX_STEP_MS", milliseconds)) ?? 1000
    if (kind === undefined && required) {
      return yield* refuse("LASTRO_LENDER", "is required with DATABASE_URL. Set it to sandbox, http or qitech")
    }
    const qitechVariable = qitechNames.find((name) => (environment[name] ?? "") !== "")
    if (kind !== "qitech" && qitechVariable !== undefined) {
      return yield* refuse(qitechVariable, "requires LASTRO_LENDER=qitech")
    }
    if (kind !== "http") {
      // If the URL or token of a lender is set, the sandbox is most likely a mistake.
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
