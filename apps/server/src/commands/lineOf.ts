import { defectOf, describeDefect } from "@lastro/adapters-http"
import { FolderInUse } from "@lastro/adapters-sql"
import { Cause, Predicate } from "effect"
import { CliError } from "effect/cli"
import { SqlError } from "effect/sql"
import { SettingRefused } from "../settings/readers.ts"
import { CommandRefused } from "./refused.ts"

const isListening = (error: unknown): error is { readonly cause: { readonly code: string; readonly port?: number } } =>
  Predicate.isTagged(error, "ServeError") && Predicate.hasProperty(error, "cause") &&
  Predicate.hasProperty(error.cause, "code") && typeof error.cause.code === "string"

const listening = (code: string, port: number | undefined): string => {
  const where = port === undefined ? "at HOST" : `on port ${port}`
  return code === "EADDRINUSE"
    ? `The server cannot listen ${where}: another process does.`
    : `The server cannot listen ${where}: ${code}.`
}

const textAt = (error: unknown, field: string): string =>
  Predicate.isObject(error) && typeof error[field] === "string" ? error[field] : ""

/** Node says of a failed file operation what it was and where. */
const fileTrouble = (error: unknown): string | undefined => {
  const [call, path, code] = ["syscall", "path", "code"].map((field) => textAt(error, field))
  return call && path && code ? `Cannot ${call} ${path}: ${code}.` : undefined
}

/**
 * What ended a command, in one line for the operator; undefined where there is nothing to say: it was interrupted, or
 * the command line was wrong, which is shown already.
 */
export const lineOf = (cause: Cause.Cause<unknown>): string | undefined => {
  if (Cause.hasInterruptsOnly(cause)) return undefined
  const error = defectOf(cause)
  if (CliError.isCliError(error)) return undefined
  if (error instanceof CommandRefused || error instanceof SettingRefused || error instanceof FolderInUse) {
    return error.message
  }
  if (isListening(error)) return listening(error.cause.code, error.cause.port)
  if (Predicate.isTagged(error, "MigrationError")) return "The database's schema could not be brought up to date."
  if (SqlError.isSqlError(error)) {
    return error.reason._tag === "ConnectionError" || error.reason._tag === "AuthenticationError"
      ? "The database of DATABASE_URL cannot be reached, or refuses this user."
      : `The database refused: ${describeDefect(error).defect.join(", ")}. Is its schema up to date?`
  }
  return fileTrouble(error) ?? `It failed: ${describeDefect(error).defect.join(", ")}.`
}
