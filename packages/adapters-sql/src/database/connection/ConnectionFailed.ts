/** The reason why a connection cannot be opened or used. */
export type ConnectionProblem =
  | "host_unknown"
  | "refused"
  | "unreachable"
  | "timeout"
  | "closed"
  | "tls_not_offered"
  | "tls_failed"
  | "certificate_untrusted"
  | "certificate_expired"
  | "certificate_host_mismatch"
  | "client_certificate_rejected"
  | "file_unusable"
  | "role_missing"
  | "password_missing"
  | "password_rejected"
  | "not_admitted"
  | "database_missing"
  | "privilege_missing"
  | "too_many_connections"
  | "not_ready"
  | "pooler_parameters"
  | "pooler_mode"
  | "replica_mismatch"
  | "read_only"
  | "session_attrs"
  | "former_primary"
  | "other_cluster"
  | "other"

/**
 * A connection to the database cannot be opened. The message states the problem and the remedy, with the server, the
 * role and the database. It contains no password or key. In an `SqlError`, this error is `reason.cause`.
 */
export class ConnectionFailed extends Error {
  override readonly name = "ConnectionFailed"
  readonly _tag = "ConnectionFailed"
  readonly problem: ConnectionProblem
  /** The SQLSTATE, if the server reported the problem. */
  readonly code: string | undefined
  constructor(problem: ConnectionProblem, message: string, { cause, code }: { cause?: unknown; code?: string } = {}) {
    super(message, { cause })
    this.problem = problem
    this.code = code
  }
}

/**
 * Returns the {@link ConnectionFailed} in an error or a defect: the error itself, or one in its chain of causes and
 * reasons.
 */
export const connectionFailureOf = (error: unknown): ConnectionFailed | undefined => {
  let current = error
  for (let depth = 0; depth < 8 && typeof current === "object" && current !== null; depth++) {
    if (current instanceof ConnectionFailed) return current
    const reason: unknown = Reflect.get(current, "reason")
    current = typeof reason === "object" ? reason : Reflect.get(current, "cause")
  }
  return undefined
}
