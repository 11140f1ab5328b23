import { Effect } from "effect"
import { AuthenticationError, ConnectionError, SqlError, UnknownError } from "effect/sql/SqlError"
import { readField } from "../client/sqlErrors.ts"
import { ConnectionFailed, type ConnectionProblem } from "./ConnectionFailed.ts"
import { type ConnectionTarget } from "./ConnectionTarget.ts"
import { TlsFileUnusable } from "./TlsSettings.ts"

type Described = readonly [problem: ConnectionProblem, message: string]

/**
 * The startup parameters that PgBouncer must be configured to ignore. By default, it rejects parameters that it does
 * not support.
 */
export const ignoredByPgBouncer =
  "ignore_startup_parameters = max_parallel_workers_per_gather, jit, statement_timeout, lock_timeout, " +
  "idle_in_transaction_session_timeout, tcp_keepalives_idle, tcp_keepalives_interval, tcp_keepalives_count"

const trust =
  "Set sslrootcert to the certificate of the authority that signed it, or sslmode=require to accept every certificate"

/** Returns the problem and the message for an error of the network or of TLS, by the error code of Node.js. */
const ofNode = (code: string, { address, host }: ConnectionTarget): Described | undefined => {
  switch (code) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EAI_FAIL":
      return ["host_unknown", `The host ${host} of the database has no address. Check its name and the DNS server.`]
    case "ECONNREFUSED":
      return [
        "refused",
        `Nothing accepts connections at ${address}. Check the host and the port, and start the database.`
      ]
    case "ENOENT":
    case "EACCES":
      return [
        "refused",
        `The socket ${address} of the database cannot be opened. Check the path, and start the database.`
      ]
    case "EHOSTUNREACH":
    case "ENETUNREACH":
    case "EADDRNOTAVAIL":
      return ["unreachable", `No route leads to the database at ${address}. Check the host, routes and firewalls.`]
    case "ETIMEDOUT":
      return ["timeout", timeoutText(address)]
    case "CERT_HAS_EXPIRED":
      return [
        "certificate_expired",
        `The certificate of the database at ${address} has expired. Renew it on the server.`
      ]
    case "CERT_NOT_YET_VALID":
      return [
        "certificate_expired",
        `The certificate of the database at ${address} is not valid yet. Check the clocks of both machines.`
      ]
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return [
        "certificate_host_mismatch",
        `The certificate of the database at ${address} does not name the host ${host}. ` +
        "Connect by a name in the certificate, or set sslmode=verify-ca and sslrootcert."
      ]
    case "ECONNRESET":
    case "EPIPE":
      return ["closed", closedText(address)]
  }
  if (/SELF_SIGNED|UNABLE_TO|CERT_UNTRUSTED|INVALID_CA|CERT_SIGNATURE_FAILURE|CERT_CHAIN_TOO_LONG/.test(code)) {
    return [
      "certificate_untrusted",
      `The certificate of the database at ${address} is not trusted (${code}). ${trust}.`
    ]
  }
  if (/ALERT_(?:UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE|UNSUPPORTED_CERTIFICATE)|_CERTIFICATE_REQUIRED/.test(code)) {
    return [
      "client_certificate_rejected",
      `The database at ${address} rejected the client certificate. Check sslcert and sslkey.`
    ]
  }
  if (/^(?:ERR_SSL|ERR_OSSL|ERR_TLS|EPROTO|CERT_|CRL_|OCSP_)/.test(code)) {
    return [
      "tls_failed",
      `The connection to the database at ${address} cannot be encrypted (${code}). ` +
      "Check sslrootcert, sslcert and sslkey, and the TLS settings of the server."
    ]
  }
  return undefined
}

const timeoutText = (address: string): string =>
  `The database at ${address} did not respond in time. Check the host, the port and firewalls.`

const closedText = (address: string): string =>
  `The server at ${address} closed the connection at once. Check that it is PostgreSQL, and read its log.`

/**
 * Returns the SQLSTATE that PostgreSQL would report for an error of PgBouncer. PgBouncer reports every error as 08P01.
 */
const poolerState = (message: string): string => {
  if (/no such database/i.test(message)) return "3D000"
  if (/no such user|auth(?:entication)? failed/i.test(message)) return "28P01"
  if (/no more connections allowed/i.test(message)) return "53300"
  if (/statement pooling/i.test(message)) return "pooler_mode"
  return "08P01"
}

/** Returns the problem and the message for an error that the server reported, by its SQLSTATE. */
const ofServer = (
  code: string,
  message: string,
  { address, database, role }: ConnectionTarget
): Described | undefined => {
  if (/unsupported startup parameter/i.test(message)) {
    return [
      "pooler_parameters",
      `PgBouncer at ${address} refuses a startup parameter of Lastro. Set ${ignoredByPgBouncer}.`
    ]
  }
  switch (code === "08P01" ? poolerState(message) : code) {
    case "pooler_mode":
      return ["pooler_mode", poolerModeText(address)]
    case "28P01":
      return ["password_rejected", `The database at ${address} rejected the password of the role ${role} (28P01).`]
    case "28000":
      return [
        "not_admitted",
        `The database at ${address} does not admit the role ${role} to the database ${database} (28000). Check that the role exists ` +
        "and may log in, and pg_hba.conf: its rules depend on the address, on TLS (sslmode) and on the client certificate (sslcert)."
      ]
    case "3D000":
      return [
        "database_missing",
        `The server at ${address} has no database ${database} (3D000). Create it, or correct its name.`
      ]
    case "42501":
      return [
        "privilege_missing",
        `The role ${role} may not connect to the database ${database} at ${address} (42501). ` +
        `Run GRANT CONNECT ON DATABASE ${database} TO ${role} as an administrator.`
      ]
    case "53300":
      return [
        "too_many_connections",
        `The database at ${address} has no free connection for the role ${role} (53300). Lower LASTRO_DB_POOL, ` +
        "or raise max_connections, max_client_conn of PgBouncer, or the limit of the role or the database."
      ]
    case "57P03":
    case "57P01":
    case "57P02":
      return ["not_ready", `The database at ${address} is starting or stopping (${code}). Try again in a moment.`]
  }
  return undefined
}

/** Returns the message for a connection pooler that moves sessions between connections. */
export const poolerModeText = (address: string): string =>
  `A connection pooler at ${address} gives each transaction or statement another connection, which loses settings and LISTEN. ` +
  "Set pool_mode = session for this database, or connect to PostgreSQL directly."

/** Returns the message for a session without a response to its first statement. */
export const silentSessionText = (address: string): string =>
  `The database at ${address} opened a session, and then did not respond in time. Check that it runs. ` +
  "If it is a connection pooler, all of its connections are in use: raise default_pool_size of PgBouncer."

const describe = (cause: unknown, summary: string, target: ConnectionTarget): Described => {
  const { address } = target
  const message = readField(cause, "message") ?? ""
  if (cause instanceof TlsFileUnusable) {
    return [
      "file_unusable",
      `The file in ${cause.parameters} cannot be used: ${cause.reason}. It must be readable and in PEM.`
    ]
  }
  const code = readField(cause, "code") ?? ""
  const known = ofNode(code, target) ?? ofServer(code, message, target)
  if (known !== undefined) return known
  if (/did not respond|timed out/.test(message)) return ["timeout", timeoutText(address)]
  if (/does not support TLS/.test(message)) {
    return [
      "tls_not_offered",
      `The database at ${address} does not support TLS. Enable ssl on the server, or set sslmode=disable.`
    ]
  }
  if (/closed unexpectedly|socket disconnected/.test(message)) return ["closed", closedText(address)]
  if (/No password configured/.test(summary)) {
    return ["password_missing", `The database at ${address} requires a password for the role ${target.role}. Set one.`]
  }
  if (/SCRAM|Unsupported SASL|authentication method/i.test(`${summary} ${message}`)) {
    return [
      "not_admitted",
      `The database at ${address} requires an authentication that Lastro does not support. ` +
      "Use scram-sha-256, md5, password, cert or trust in pg_hba.conf."
    ]
  }
  if (/No username configured/.test(summary)) {
    return ["role_missing", "The database URL names no role. Write postgres://ROLE:PASSWORD@HOST/DATABASE."]
  }
  return [
    "other",
    `The connection to the database at ${address} failed${code === "" ? "" : ` (${code})`}. Read the log of the server.`
  ]
}

/** Describes why a connection failed. `summary` is the message of the client; `cause` is the underlying error. */
export const describeFailure = (cause: unknown, summary: string, target: ConnectionTarget): ConnectionFailed => {
  if (cause instanceof ConnectionFailed) return cause
  const [problem, message] = describe(cause, summary, target)
  const code = readField(cause, "code") ?? ""
  return new ConnectionFailed(problem, message, { cause, ...(/^[0-9][0-9A-Z]{4}$/.test(code) ? { code } : {}) })
}

/**
 * Turns the error of an invalid option into an `SqlError`. It is not a `ConnectionError`, because a retry cannot
 * succeed.
 */
export const refuseOption = <A, R>(effect: Effect.Effect<A, Error, R>): Effect.Effect<A, SqlError, R> =>
  Effect.mapError(
    effect,
    (cause) => new SqlError({ reason: new UnknownError({ cause, message: cause.message, operation: "connect" }) })
  )

/**
 * Makes the `SqlError` of a connection that cannot be opened. A retry may succeed after the operator has removed the
 * problem.
 */
export const toSqlError = (failed: ConnectionFailed): SqlError => {
  const reason = { cause: failed, message: failed.message, operation: "connect" }
  return new SqlError({
    reason: failed.problem === "password_rejected" || failed.problem === "not_admitted"
      ? new AuthenticationError(reason)
      : new ConnectionError(reason)
  })
}

/** Replaces the error of a connection attempt by one that states the problem and the remedy. */
export const describeSqlError = (target: ConnectionTarget) => ({ reason }: SqlError): SqlError =>
  toSqlError(describeFailure(reason.cause, reason.message ?? "", target))
