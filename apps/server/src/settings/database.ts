import { databaseUrlOf, type PgDatabase, validateSchemaName } from "@lastro/adapters-sql"
import { Redacted, Result } from "effect"
import {
  duration,
  type Environment,
  isSet,
  optional,
  parsedBy,
  type Reader,
  refuse,
  SettingRefused,
  text
} from "./readers.ts"

/**
 * The database: a PostgreSQL server, or PGlite in a folder. Without a folder, PGlite keeps its data in memory. `schema`
 * is absent if the tables are in the default schema.
 */
export type DatabaseSetting =
  & (
    | { readonly kind: "postgres"; readonly url: Redacted.Redacted; readonly readUrl?: Redacted.Redacted }
      & DatabaseWaits
    | { readonly kind: "pglite"; readonly folder: string | undefined }
  )
  & { readonly schema?: string }

/**
 * The limits of the connections to a PostgreSQL server. An absent value means the default of `PgOptions`.
 * `maxConnections` is the limit of all workers together. It does not include the connections for durable jobs.
 */
type DatabaseWaits = Pick<
  PgDatabase.PgOptions,
  "maxConnections" | "poolTimeout" | "connectTimeout" | "statementTimeout"
>

const dataFolder = (environment: Environment): Result.Result<string | undefined, SettingRefused> =>
  Result.map(
    optional(environment, "LASTRO_DATA_DIR", text),
    (folder) => folder === "memory" ? undefined : folder ?? ".data"
  )

/** Reads the time limits of the connections to PostgreSQL. PGlite ignores them. */
const databaseWaits = (environment: Environment): Result.Result<DatabaseWaits, SettingRefused> =>
  Result.gen(function*() {
    return {
      poolTimeout: yield* optional(environment, "LASTRO_DB_POOL_TIMEOUT", duration),
      connectTimeout: yield* optional(environment, "LASTRO_DB_CONNECT_TIMEOUT", duration),
      statementTimeout: yield* optional(environment, "LASTRO_DB_STATEMENT_TIMEOUT", duration)
    }
  })

/** Reads a PostgreSQL URL from the variable `name`. Variables of libpq complete the URL. */
const databaseUrl = (
  environment: Environment,
  name: string
): Result.Result<Redacted.Redacted | undefined, SettingRefused> =>
  Result.mapError(
    databaseUrlOf(environment, name),
    ({ problem, variable }) => new SettingRefused({ variable, problem })
  )

const databaseUrls = (environment: Environment) =>
  Result.gen(function*() {
    // Without DATABASE_URL, LASTRO_DATA_DIR selects PGlite, even if variables of libpq are set for other programs.
    const isFolder = !isSet(environment, "DATABASE_URL") && isSet(environment, "LASTRO_DATA_DIR")
    const url = isFolder ? undefined : yield* databaseUrl(environment, "DATABASE_URL")
    const readUrl = yield* databaseUrl(environment, "LASTRO_READ_DATABASE_URL")
    if (readUrl !== undefined && url === undefined) {
      return yield* refuse("LASTRO_READ_DATABASE_URL", "requires DATABASE_URL, the URL of the primary database")
    }
    return { url, ...readUrl === undefined ? {} : { readUrl } }
  })

const schemaName: Reader<string> = parsedBy(validateSchemaName, ({ problem }) => problem)

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

/** Reads the database. It is PGlite if none of DATABASE_URL, PGHOST and PGDATABASE is set. */
export const readDatabase = (environment: Environment): Result.Result<DatabaseSetting, SettingRefused> =>
  Result.gen(function*() {
    const { url, ...replica } = yield* databaseUrls(environment)
    const waits = yield* databaseWaits(environment)
    const schema = yield* databaseSchema(environment, url)
    return url === undefined
      ? { kind: "pglite", folder: yield* dataFolder(environment), ...schema }
      : { kind: "postgres", url, ...replica, ...waits, ...schema }
  })
