import { defectOf, describeDefect } from "@lastro/adapters-http"
import { Cause, Formatter, Logger, References } from "effect"

/** Control characters that JSON leaves as they are, though a terminal obeys them or breaks the line at them. */
const unescaped = /[\u007f-\u009f\u2028\u2029]/g

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/** Texts and numbers as they are; of an error only what it was, because its message may quote what somebody sent. */
const said = (part: unknown): unknown => {
  if (typeof part === "string" || typeof part === "number" || typeof part === "boolean") return part
  if (Cause.isCause(part)) return describeDefect(defectOf(part)).defect
  return part instanceof Error ? describeDefect(part).defect : typeof part
}

/** A log entry as one line of JSON, with the ids of its request and its trace, and the annotations beside them. */
export const jsonLine: Logger.Logger<unknown, string> = Logger.make(({ cause, date, fiber, logLevel, message }) => {
  const parts = (Array.isArray(message) ? message : [message]).map(said)
  const span = fiber.cache.span
  const line = Formatter.formatJson({
    timestamp: date.toISOString(),
    level: logLevel.toUpperCase(),
    message: parts.length === 1 ? parts[0] : parts,
    ...(span === undefined ? {} : { trace_id: span.traceId }),
    ...fiber.getRef(References.CurrentLogAnnotations),
    ...(cause.reasons.length === 0 ? {} : describeDefect(defectOf(cause)))
  })
  return line.replace(unescaped, escaped)
})
