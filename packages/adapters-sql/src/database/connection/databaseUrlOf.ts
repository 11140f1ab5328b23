import { type Redacted, Result, Schema } from "effect"
import { type InvalidDatabaseUrl, validateDatabaseUrl, validateIncompleteUrl } from "./databaseUrl.ts"
import { problemOfValue, type UrlParameter } from "./urlParameters.ts"

/**
 * A variable that describes the connection is invalid. `problem` completes a sentence that starts with the name of the
 * variable.
 */
export class InvalidDatabaseVariable extends Schema.TaggedError<InvalidDatabaseVariable>()("InvalidDatabaseVariable", {
  variable: Schema.String,
  problem: Schema.String
}) {
  override get message(): string {
    return `${this.variable} ${this.problem}`
  }
}

type Variables = Readonly<Record<string, string | undefined>>

/** The environment variables of libpq that Lastro reads, each with its URL parameter. */
const parameterOf = {
  PGHOST: "host",
  PGPORT: "port",
  PGUSER: "user",
  PGPASSWORD: "password",
  PGDATABASE: "dbname",
  PGAPPNAME: "application_name",
  PGCONNECT_TIMEOUT: "connect_timeout",
  PGOPTIONS: "options",
  PGSSLMODE: "sslmode",
  PGSSLROOTCERT: "sslrootcert",
  PGSSLCERT: "sslcert",
  PGSSLKEY: "sslkey",
  PGCHANNELBINDING: "channel_binding",
  PGCLIENTENCODING: "client_encoding",
  PGGSSENCMODE: "gssencmode",
  PGSSLNEGOTIATION: "sslnegotiation",
  PGTARGETSESSIONATTRS: "target_session_attrs",
  PGLOADBALANCEHOSTS: "load_balance_hosts"
} as const satisfies Readonly<Record<string, UrlParameter>>

type Variable = keyof typeof parameterOf

const variables = Object.entries(parameterOf) as ReadonlyArray<readonly [Variable, UrlParameter]>

/** The variables of certificate files, each with its URL parameter. */
const certificates = variables.filter(([, parameter]) => ["sslrootcert", "sslcert", "sslkey"].includes(parameter))

const certificateWithoutMode =
  "requires PGSSLMODE, or sslmode in the URL. Set it to verify-full, or to disable for a connection without TLS"

/**
 * Variables of libpq that change which server, role or certificate is accepted. It would be unsafe to ignore them, so
 * they are rejected.
 */
const refused: Readonly<Record<string, string>> = {
  PGHOSTADDR: "Set PGHOST",
  PGPASSFILE: "Set PGPASSWORD, PGPASSWORD_FILE or DATABASE_URL_FILE",
  PGSERVICE: "Set DATABASE_URL, or PGHOST and the variables for the other values",
  PGSERVICEFILE: "Set DATABASE_URL, or PGHOST and the variables for the other values",
  PGREQUIRESSL: "Set PGSSLMODE=require",
  PGREQUIREAUTH: "Unset it",
  PGREQUIREPEER: "Unset it",
  PGSSLCRL: "Unset it",
  PGSSLCRLDIR: "Unset it",
  PGSSLCERTMODE: "Unset it",
  PGSSLMINPROTOCOLVERSION: "Unset it. Node.js requires TLS 1.2",
  PGSSLMAXPROTOCOLVERSION: "Unset it"
}

const refuse = (variable: string, problem: string): Result.Result<never, InvalidDatabaseVariable> =>
  Result.fail(new InvalidDatabaseVariable({ variable, problem }))

/**
 * Returns whether a URL has the value of a parameter outside of its query, for example the host. For `sslmode`, returns
 * whether it has the parameter `ssl`, which means the same.
 */
const hasValue = (url: URL, parameter: UrlParameter): boolean => {
  switch (parameter) {
    case "host":
      return url.hostname !== ""
    case "port":
      return url.port !== ""
    case "user":
      return url.username !== ""
    case "password":
      return url.password !== ""
    case "dbname":
      return url.pathname.length > 1
    case "sslmode":
      return url.searchParams.has("ssl")
    default:
      return false
  }
}

/** Adds the variables to a URL. The values of the URL take precedence. */
const addVariables = (given: URL, environment: Variables): Result.Result<string, InvalidDatabaseVariable> => {
  const url = new URL(given)
  for (const [variable, parameter] of variables) {
    const value = environment[variable] ?? ""
    if (value === "" || hasValue(url, parameter) || url.searchParams.has(parameter)) continue
    const problem = problemOfValue(parameter, value)
    if (problem !== undefined) return refuse(variable, problem)
    url.searchParams.set(parameter, value)
  }
  if (url.searchParams.has("ssl")) return Result.succeed(url.href)
  const mode = url.searchParams.get("sslmode")
  for (const [variable, parameter] of certificates) {
    if (given.searchParams.has(parameter) || !url.searchParams.has(parameter)) continue
    // Without a TLS mode, Lastro would not encrypt the connection and would ignore the certificate.
    if (mode === null) return refuse(variable, certificateWithoutMode)
    // TLS is disabled, so certificate files from the environment have no use.
    if (mode === "disable") url.searchParams.delete(parameter)
  }
  return Result.succeed(url.href)
}

/**
 * Returns the database URL from the environment: `DATABASE_URL`, completed with variables of libpq such as
 * `PGPASSWORD`, `PGSSLMODE` and `PGSSLROOTCERT`. A value in the URL takes precedence. An empty variable counts as
 * absent. Returns undefined if none of `DATABASE_URL`, `PGHOST` and `PGDATABASE` is set. `name` is the name of the
 * variable with the URL.
 *
 * Fails with {@link InvalidDatabaseVariable}, whose message contains no value: for a certificate without a TLS mode,
 * and for `PGPASSFILE`, `PGSERVICE` and other variables that Lastro does not support.
 */
export const databaseUrlOf = (
  environment: Variables,
  name = "DATABASE_URL"
): Result.Result<Redacted.Redacted | undefined, InvalidDatabaseVariable> => {
  const isSet = (variable: string) => (environment[variable] ?? "") !== ""
  const given = environment[name] ?? ""
  const isDefault = name === "DATABASE_URL"
  if (given === "" && !(isDefault && (isSet("PGHOST") || isSet("PGDATABASE")))) return Result.succeed(undefined)
  const unsupported = Object.keys(refused).find(isSet)
  if (unsupported !== undefined) {
    return refuse(unsupported, `must not be set, because Lastro does not support it. ${refused[unsupported]}`)
  }
  const orRefuse = <A>(judged: Result.Result<A, InvalidDatabaseUrl>) =>
    Result.mapError(judged, ({ problem }) => new InvalidDatabaseVariable({ variable: name, problem }))
  if (!variables.some(([variable]) => isSet(variable))) return orRefuse(validateDatabaseUrl(given))
  return Result.gen(function*() {
    const url = given === "" ? new URL("postgres:///") : yield* orRefuse(validateIncompleteUrl(given))
    const completed = yield* addVariables(url, environment)
    return yield* orRefuse(validateDatabaseUrl(completed))
  })
}
