import { defectOf, describeDefect } from "@lastro/adapters-http"
import { connectionFailureOf } from "@lastro/adapters-sql"
import { Cause, Predicate } from "effect"
import { CliError } from "effect/cli"
import { SqlError } from "effect/sql"
import { WorkerFailed } from "../workers/Supervisor.ts"
import { CommandRefused, EndedOnServer } from "./refused.ts"

/** The exit codes of all commands. docs/commands.md lists them for the operator. */
export const exitCodes = {
  fine: 0,
  /**
   * `check` found a violation, no record has the given id, an application cannot be read, or `privacy erase` found a
   * contract in progress.
   */
  finding: 1,
  /** The arguments or settings are wrong, or nodes of an older version are running. A retry does not help. */
  misuse: 2,
  /** The database is unreachable, busy, damaged, in use, or not installed. */
  databaseUnavailable: 3,
  /** The schema of the database is newer than this program. */
  newerSchema: 4,
  /** A bug in the program. */
  internal: 70,
  /** The command was interrupted with Ctrl-C (128 + SIGINT). */
  interrupted: 130
} as const

type ExitCode = typeof exitCodes[keyof typeof exitCodes]

/** The exit codes of errors whose message is one line for the operator, by the name of the error. */
const describedErrors: Readonly<Record<string, ExitCode>> = {
  ApplicationUnreadable: exitCodes.finding,
  FolderExposed: exitCodes.misuse,
  FolderInUse: exitCodes.databaseUnavailable,
  FolderUnusable: exitCodes.databaseUnavailable,
  OlderNodesRunning: exitCodes.misuse,
  SchemaBusy: exitCodes.databaseUnavailable,
  SchemaTooNew: exitCodes.newerSchema,
  SchemaUnusable: exitCodes.misuse,
  SettingRefused: exitCodes.misuse
}

/** The exit codes of other errors, by the name of the error. */
const otherErrors: Readonly<Record<string, ExitCode>> = {
  Busy: exitCodes.databaseUnavailable,
  ServeError: exitCodes.misuse
}

const nameOf = (error: unknown): string => textAt(error, "_tag") || (error instanceof Error ? error.name : "")

const textAt = (error: unknown, field: string): string =>
  Predicate.hasProperty(error, field) && typeof error[field] === "string" ? error[field] : ""

/** The SQLSTATEs of a missing database, and of a database without Lastro's tables. */
const missingStates: ReadonlySet<unknown> = new Set(["3D000", "3F000", "42P01"])

/** The SQLSTATEs (classes and codes) of a database that temporarily cannot run statements. */
const unavailableStates = /^(?:08|28|40|53|57P|25006|25P03|55P03|57014)/

const isDatabaseUnavailable = ({ reason }: SqlError.SqlError): boolean => {
  if (reason._tag === "ConnectionError" || reason._tag === "AuthenticationError") return true
  const state = Predicate.hasProperty(reason.cause, "code") ? reason.cause.code : undefined
  return missingStates.has(state) || typeof state === "string" && unavailableStates.test(state)
}

/** Returns whether a statement failed because the database temporarily could not run it. */
const isTransientFailure = (error: unknown): boolean =>
  Predicate.hasProperty(error, "isTransient") && error.isTransient === true

/**
 * Returns whether a statement failed because the role lacks a privilege. Accepts an `SqlError`, or an error with the
 * same `reason`, such as the defect of a repository.
 */
const isPrivilegeMissing = (error: unknown): boolean =>
  Predicate.hasProperty(error, "reason") &&
  (error.reason === "AuthorizationError" || Predicate.isTagged(error.reason, "AuthorizationError"))

/**
 * Describes a failed file operation of Node.js. Undefined for any other error. The paths of all files are settings, so
 * a failed operation means a wrong setting.
 */
const fileErrorText = (error: unknown): string | undefined => {
  const [call, path, code] = ["syscall", "path", "code"].map((field) => textAt(error, field))
  return call && path && code ? `Cannot ${call} ${path}: ${code}.` : undefined
}

const codeOf = (error: unknown): ExitCode => {
  if (error instanceof CommandRefused) return exitCodes[error.exit]
  const known = describedErrors[nameOf(error)] ?? otherErrors[nameOf(error)]
  if (known !== undefined) return known
  if (fileErrorText(error) !== undefined || isPrivilegeMissing(error)) return exitCodes.misuse
  if (SqlError.isSqlError(error)) {
    return isDatabaseUnavailable(error) ? exitCodes.databaseUnavailable : exitCodes.internal
  }
  if (isTransientFailure(error)) return exitCodes.databaseUnavailable
  return Predicate.isTagged(error, "MigrationError") && Predicate.hasProperty(error, "cause")
    ? codeOf(error.cause)
    : exitCodes.internal
}

/** Returns the exit code of a failed command. */
export const exitCodeOf = (cause: Cause.Cause<unknown>): number => {
  if (Cause.hasInterruptsOnly(cause)) return exitCodes.interrupted
  const error = defectOf(cause)
  if (error instanceof EndedOnServer || error instanceof WorkerFailed) return error.exit
  if (!CliError.isCliError(error)) return codeOf(error)
  // A request for help is not an error.
  return error._tag === "ShowHelp" && error.errors.length === 0 ? exitCodes.fine : exitCodes.misuse
}

const isServeError = (error: unknown): error is { readonly cause: { readonly code: string; readonly port?: number } } =>
  Predicate.isTagged(error, "ServeError") && Predicate.hasProperty(error, "cause") &&
  Predicate.hasProperty(error.cause, "code") && typeof error.cause.code === "string"

const serveErrorText = (code: string, port: number | undefined): string => {
  const address = port === undefined ? "at HOST" : `on port ${port}`
  return code === "EADDRINUSE"
    ? `Cannot listen ${address}: the port is in use by another process. Set PORT to a free port.`
    : `Cannot listen ${address}: ${code}.`
}

/**
 * Describes in one line why a command failed. Returns undefined after an interruption. Also returns undefined if the
 * reason is already printed: after a command-line error, or a failure in a server. With `verbose`, adds the whole cause
 * of an unexpected failure, whose messages may contain personal data.
 */
export const failureText = (cause: Cause.Cause<unknown>, verbose: boolean): string | undefined => {
  if (Cause.hasInterruptsOnly(cause)) return undefined
  const error = defectOf(cause)
  if (CliError.isCliError(error) || error instanceof EndedOnServer) return undefined
  if (error instanceof WorkerFailed) return error.message === "" ? undefined : error.message
  const isDescribed = error instanceof CommandRefused || nameOf(error) in describedErrors
  if (isDescribed && error instanceof Error) return error.message
  if (isServeError(error)) return serveErrorText(error.cause.code, error.cause.port)
  const details = verbose ? `\n${Cause.pretty(cause)}` : ""
  const connection = connectionFailureOf(error)
  if (connection !== undefined) return connection.message
  if (Predicate.isTagged(error, "MigrationError")) return `The database migration failed.${details}`
  if (isPrivilegeMissing(error)) {
    return "The role of the database URL lacks a privilege on a table of Lastro (42501). " +
      `Grant it: see "Schema and privileges" in docs/operating.md.${details}`
  }
  if (SqlError.isSqlError(error)) {
    return error.reason._tag === "ConnectionError" || error.reason._tag === "AuthenticationError"
      ? "Cannot connect to the database. Check that DATABASE_URL is correct and the server accepts its user."
      : `The database reported an error: ${describeDefect(error).defect.join(", ")}. ` +
        `Check that its schema is up to date: lastro migrate.${details}`
  }
  return fileErrorText(error) ?? `Unexpected failure: ${describeDefect(error).defect.join(", ")}.${details}`
}
