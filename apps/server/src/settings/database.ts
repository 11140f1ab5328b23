import { type PgDatabase, validateDatabaseUrl, validateSchemaName } from "@lastro/adapters-sql"
import { Redacted, Result } from "effect"
import { duration, type Environment, integer, optional, type Reader, refuse, SettingRefused, text } from "./readers.ts"

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

/** Reads the database. Without DATABASE_URL it is PGlite. */
export const readDatabase = (environment: Environment): Result.Result<DatabaseSetting, SettingRefused> =>
  Result.gen(function*() {
    const url = yield* optional(environment, "DATABASE_URL", databaseUrl)
    const waits = yield* databaseWaits(environment)
    const schema = yield* databaseSchema(environment, url)
    return url === undefined
      ? { kind: "pglite", folder: yield* dataFolder(environment), ...schema }
      : { kind: "postgres", url, ...waits, ...schema }
  })
