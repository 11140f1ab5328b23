import { defectOf } from "@lastro/adapters-http"
import { ApplicationUnreadable, FolderInUse, FolderUnusable, SchemaUnusable } from "@lastro/adapters-sql"
import { Cause, Predicate } from "effect"
import { CliError } from "effect/cli"
import { SqlError } from "effect/sql"
import { SettingRefused } from "../settings/readers.ts"
import { isPrivilegeMissing } from "./isPrivilegeMissing.ts"
import { CommandRefused } from "./refused.ts"

/** The exit codes of every command. docs/commands.md lists them for the operator. */
export const exitCodes = {
  /** The command succeeded. */
  fine: 0,
  /**
   * `check` found a violation, no record has the given id, an application cannot be read, or `privacy erase` found a
   * contract in progress.
   */
  finding: 1,
  /**
   * The arguments or the settings are wrong, or nodes of an older version are running. Running the same command again
   * does not help.
   */
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

/** An exit code of a command. */
export type ExitCode = typeof exitCodes[keyof typeof exitCodes]

/** The errors whose class alone determines the exit code, by tag. */
const codesByTag: Readonly<Record<string, ExitCode>> = {
  Busy: exitCodes.databaseUnavailable,
  OlderNodesRunning: exitCodes.misuse,
  SchemaBusy: exitCodes.databaseUnavailable,
  SchemaTooNew: exitCodes.newerSchema,
  ServeError: exitCodes.misuse
}

/** The SQLSTATEs of a database without Lastro's tables, and of a missing database. */
const missingStates: ReadonlySet<unknown> = new Set(["3D000", "3F000", "42P01"])

/** The SQLSTATEs of a database that is temporarily unable to run statements, as classes and single codes. */
const unavailableStates = /^(?:08|28|40|53|57P|25006|25P03|55P03|57014)/

const isDatabaseUnavailable = ({ reason }: SqlError.SqlError): boolean => {
  if (reason._tag === "ConnectionError" || reason._tag === "AuthenticationError") return true
  const state = Predicate.hasProperty(reason.cause, "code") ? reason.cause.code : undefined
  return missingStates.has(state) || typeof state === "string" && unavailableStates.test(state)
}

/** Returns whether a statement failed because the database was temporarily unable to run it. */
const isTransientFailure = (error: unknown): boolean =>
  Predicate.hasProperty(error, "isTransient") && error.isTransient === true

/**
 * Returns whether a file operation of Node.js failed. Such an error is a wrong setting, because the paths of all files
 * are settings.
 */
const isFileError = (error: unknown): boolean =>
  ["syscall", "path", "code"].every((field) => Predicate.hasProperty(error, field) && typeof error[field] === "string")

const codeOf = (error: unknown): ExitCode => {
  if (error instanceof CommandRefused) return exitCodes[error.exit]
  if (error instanceof ApplicationUnreadable) return exitCodes.finding
  if (error instanceof FolderInUse || error instanceof FolderUnusable) return exitCodes.databaseUnavailable
  if (error instanceof SettingRefused || error instanceof SchemaUnusable || isFileError(error)) return exitCodes.misuse
  if (isPrivilegeMissing(error)) return exitCodes.misuse
  if (SqlError.isSqlError(error)) {
    return isDatabaseUnavailable(error) ? exitCodes.databaseUnavailable : exitCodes.internal
  }
  if (isTransientFailure(error)) return exitCodes.databaseUnavailable
  if (Predicate.isTagged(error, "MigrationError") && Predicate.hasProperty(error, "cause")) return codeOf(error.cause)
  const tag = Predicate.hasProperty(error, "_tag") ? error._tag : undefined
  return typeof tag === "string" ? codesByTag[tag] ?? exitCodes.internal : exitCodes.internal
}

/** Returns the exit code of a command that failed with a cause. */
export const exitCodeOf = (cause: Cause.Cause<unknown>): ExitCode => {
  if (Cause.hasInterruptsOnly(cause)) return exitCodes.interrupted
  const error = defectOf(cause)
  if (!CliError.isCliError(error)) return codeOf(error)
  // A request for help is not an error.
  return error._tag === "ShowHelp" && error.errors.length === 0 ? exitCodes.fine : exitCodes.misuse
}
