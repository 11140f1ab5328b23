import { defectOf, describeDefect } from "@lastro/adapters-http"
import {
  ApplicationUnreadable,
  connectionFailureOf,
  FolderInUse,
  FolderUnusable,
  OlderNodesRunning,
  SchemaBusy,
  SchemaTooNew,
  SchemaUnusable
} from "@lastro/adapters-sql"
import { Cause, Predicate } from "effect"
import { CliError } from "effect/cli"
import { SqlError } from "effect/sql"
import { SettingRefused } from "../settings/readers.ts"
import { isPrivilegeMissing } from "./isPrivilegeMissing.ts"
import { CommandRefused } from "./refused.ts"

const isServeError = (error: unknown): error is { readonly cause: { readonly code: string; readonly port?: number } } =>
  Predicate.isTagged(error, "ServeError") && Predicate.hasProperty(error, "cause") &&
  Predicate.hasProperty(error.cause, "code") && typeof error.cause.code === "string"

const serveErrorText = (code: string, port: number | undefined): string => {
  const address = port === undefined ? "at HOST" : `on port ${port}`
  return code === "EADDRINUSE"
    ? `Cannot listen ${address}: the port is in use by another process. Set PORT to a free port.`
    : `Cannot listen ${address}: ${code}.`
}

const textAt = (error: unknown, field: string): string =>
  Predicate.isObject(error) && typeof error[field] === "string" ? error[field] : ""

/** Describes a failed file operation of Node.js. Returns undefined for any other error. */
const fileErrorText = (error: unknown): string | undefined => {
  const [call, path, code] = ["syscall", "path", "code"].map((field) => textAt(error, field))
  return call && path && code ? `Cannot ${call} ${path}: ${code}.` : undefined
}

/**
 * Describes in one line why a command failed. Returns undefined after an interruption, and after a command-line error,
 * because that is already printed. With `verbose`, adds the whole cause of an unexpected failure. The messages in that
 * cause may contain personal data.
 */
export const failureText = (cause: Cause.Cause<unknown>, verbose: boolean): string | undefined => {
  if (Cause.hasInterruptsOnly(cause)) return undefined
  const error = defectOf(cause)
  if (CliError.isCliError(error)) return undefined
  if (error instanceof CommandRefused || error instanceof SettingRefused) return error.message
  if (error instanceof FolderInUse || error instanceof FolderUnusable || error instanceof SchemaUnusable) {
    return error.message
  }
  if (error instanceof OlderNodesRunning || error instanceof SchemaBusy || error instanceof SchemaTooNew) {
    return error.message
  }
  if (error instanceof ApplicationUnreadable) return error.message
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
