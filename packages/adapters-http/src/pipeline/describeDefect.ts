import { Cause, Predicate, Result } from "effect"

/**
 * An error whose `logMessage` is safe to log. Declare this property only if the text contains no value from a request
 * or the database. The log detects it by the property alone, so adapters need not import each other.
 */
export interface SafeToLog {
  /**
   * A description of the failure, without values from the request or the database. The log keeps its first 300
   * characters.
   */
  readonly logMessage: string
}

/**
 * A temporary error: a dependency is unreachable. The response is 503 instead of 500. The server detects it by the
 * property `isTransient` alone, so adapters need not import each other.
 */
export interface Transient {
  readonly isTransient: true
}

/**
 * An error after which a change may or may not have been made: a dependency was lost while the change was being saved.
 * The response explains how the client can find out. The server detects it by the property `isOutcomeUnknown` alone, so
 * adapters need not import each other.
 */
export interface Undecided {
  readonly isOutcomeUnknown: true
}

const isSafeToLog = (error: object): error is SafeToLog =>
  Predicate.hasProperty(error, "logMessage") && typeof error.logMessage === "string"

export const isTransient = (defect: unknown): defect is Transient =>
  Predicate.hasProperty(defect, "isTransient") && defect.isTransient === true

/** Returns whether a defect leaves it unknown if a change was made. */
export const isUndecided = (defect: unknown): defect is Undecided =>
  Predicate.hasProperty(defect, "isOutcomeUnknown") && defect.isOutcomeUnknown === true

/** Describes an error for the log by its class, its machine-readable code and its `logMessage`. */
const describeError = (error: unknown): string => {
  if (!Predicate.isObject(error)) return typeof error
  const tag = Predicate.hasProperty(error, "_tag") && typeof error._tag === "string" ? error._tag : undefined
  const name = tag ?? (error instanceof Error ? error.name : "object")
  const code =
    Predicate.hasProperty(error, "code") && typeof error.code === "string" && /^[A-Z0-9_]{1,32}$/.test(error.code)
      ? ` ${error.code}`
      : ""
  const message = isSafeToLog(error) ? `: ${error.logMessage.slice(0, 300)}` : ""
  return `${name}${code}${message}`
}

const causeOf = (error: unknown): object | undefined =>
  ["reason", "cause"]
    .map((key) => Predicate.hasProperty(error, key) ? error[key] : undefined)
    .find(Predicate.isObject)

/** Returns the error and its causes, outermost first, at most 8. */
const causesOf = (error: unknown): ReadonlyArray<unknown> => {
  const causes: Array<unknown> = []
  for (let cause = error; cause !== undefined && causes.length < 8; cause = causeOf(cause)) causes.push(cause)
  return causes
}

const framesOf = (error: unknown): ReadonlyArray<string> =>
  error instanceof Error && error.stack !== undefined
    ? error.stack.split("\n").map((line) => line.trim()).filter((line) => line.startsWith("at ")).slice(0, 12)
    : []

/**
 * The description of a defect for the log. It omits error messages, because databases quote rejected values in them. It
 * includes the `logMessage` of {@link SafeToLog} errors.
 */
export interface DefectSummary {
  /** The descriptions of the error and its causes, outermost first. */
  readonly defect: ReadonlyArray<string>
  /** The stack frames of the defect, at most 12. */
  readonly at: ReadonlyArray<string>
}

/** Returns the defect of a cause, or else its failure. */
export const defectOf = (cause: Cause.Cause<unknown>): unknown =>
  Result.getOrElse(Cause.findDefect(cause), () => Cause.squash(cause))

/** Describes a defect without error messages, because they could contain personal data. */
export const describeDefect = (defect: unknown): DefectSummary => ({
  defect: causesOf(defect).map(describeError),
  at: framesOf(defect)
})
