import { defectOf, describeDefect, LogCauses } from "@lastro/adapters-http"
import { timestampOf } from "@lastro/domain/values"
import { Cause, Formatter, Layer, Logger, References } from "effect"
import { inspect, stripVTControlCharacters, styleText } from "node:util"
import { withSourcePlaces } from "../program/sourcePlaces.ts"
import { type LogFormat } from "../settings/Settings.ts"
import { stdoutLines } from "./LineWriter.ts"

/** Control characters and line separators that JSON does not escape, but terminals interpret. */
const unescapedControls = /[\u007f-\u009f\u2028\u2029]/

const escapeCharacter = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/**
 * Returns a part of a log message in a form that is safe to log. Describes errors without their messages, which may
 * contain personal data.
 */
const toLoggable = (part: unknown): unknown => {
  if (typeof part === "string" || typeof part === "number" || typeof part === "boolean") return part
  if (Cause.isCause(part)) return describeDefect(defectOf(part)).defect
  if (part instanceof Error) return describeDefect(part).defect
  return typeof part
}

const partsOf = (message: unknown): ReadonlyArray<unknown> => Array.isArray(message) ? message : [message]

const hasOnlyPrimitives = (fields: Readonly<Record<string, unknown>>): boolean => {
  for (const key in fields) {
    const type = typeof fields[key]
    if (type !== "string" && type !== "number" && type !== "boolean") return false
  }
  return true
}

/** Formats a log entry as one line of JSON, with its trace id and annotations. Omits error messages. */
export const jsonLine: Logger.Logger<unknown, string> = Logger.make(({ cause, date, fiber, logLevel, message }) => {
  const parts = partsOf(message).map(toLoggable)
  const span = fiber.cache.span
  const fields: Record<string, unknown> = {
    timestamp: timestampOf(date.getTime()),
    level: logLevel.toUpperCase(),
    message: parts.length === 1 ? parts[0] : parts
  }
  if (span !== undefined) fields["trace_id"] = span.traceId
  Object.assign(fields, fiber.getRef(References.CurrentLogAnnotations))
  if (cause.reasons.length > 0) Object.assign(fields, describeDefect(defectOf(cause)))
  // The formatter redacts secrets and tolerates cycles, but takes four times as long. Primitive values need neither.
  const line = hasOnlyPrimitives(fields) ? JSON.stringify(fields) : Formatter.formatJson(fields)
  // A search without the flag `g` is faster, and few lines have such a character.
  return unescapedControls.test(line) ? line.replaceAll(new RegExp(unescapedControls, "g"), escapeCharacter) : line
})

const colors = { Fatal: "red", Error: "red", Warn: "yellow", Info: "green" } as const

const colorOf = (logLevel: string) => logLevel in colors ? colors[logLevel as keyof typeof colors] : "gray"

const prettyPart = (part: unknown): string => {
  if (typeof part === "string") return stripVTControlCharacters(part)
  return Cause.isCause(part)
    ? `\n${Cause.pretty(part)}`
    : inspect(part)
}

/**
 * Formats a log entry for a terminal: one line with the time, level, message and annotations, then the whole cause. For
 * development only, because error messages may contain personal data.
 */
export const prettyLine: Logger.Logger<unknown, string> = Logger.make(({ cause, date, fiber, logLevel, message }) => {
  const annotations = Object.entries(fiber.getRef(References.CurrentLogAnnotations)).map(([key, value]) =>
    `${key}=${typeof value === "string" ? prettyPart(value) : inspect(value)}`
  )
  const line = [
    styleText("gray", date.toISOString().slice(11, 23)),
    styleText(colorOf(logLevel), logLevel.toUpperCase().padEnd(5)),
    ...partsOf(message).map(prettyPart),
    ...(annotations.length === 0 ? [] : [styleText("gray", annotations.join(" "))])
  ].join(" ")
  return cause.reasons.length === 0 ? line : `${line}\n${Cause.pretty(cause)}`
})

/** Writes log entries to standard output, or to standard error for commands that print results. */
export const layerLogs = (format: LogFormat, stream: "stdout" | "stderr" = "stdout") => {
  const lines = Logger.map(format === "pretty" ? prettyLine : jsonLine, (line) => withSourcePlaces(line))
  const written = Logger.map(lines, (line) => stdoutLines().add(line))
  return Layer.merge(
    Logger.layer([stream === "stdout" ? written : Logger.withConsoleError(lines)]),
    Layer.succeed(LogCauses, format === "pretty")
  )
}
