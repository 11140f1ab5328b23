import { Cause, Predicate, Result } from "effect"

/**
 * An error that says of itself what a log may say of it. It is known by this property alone, so that no adapter has to
 * import another: declare it only where the text holds nothing that anybody sent or stored.
 */
export interface Discreet {
  /** What happened, without a value that somebody sent or stored; of more than 300 characters the first count. */
  readonly logMessage: string
}

const isDiscreet = (error: object): error is Discreet =>
  Predicate.hasProperty(error, "logMessage") && typeof error.logMessage === "string"

/**
 * An error's class, the code it carries if that is one for programs, and what it declares to be safe: what may be said
 * of it in a log.
 */
const nameOf = (error: unknown): string => {
  if (!Predicate.isObject(error)) return typeof error
  const tag = Predicate.hasProperty(error, "_tag") && typeof error._tag === "string" ? error._tag : undefined
  const name = tag ?? (error instanceof Error ? error.name : "object")
  const code =
    Predicate.hasProperty(error, "code") && typeof error.code === "string" && /^[A-Z0-9_]{1,32}$/.test(error.code)
      ? ` ${error.code}`
      : ""
  const told = isDiscreet(error) ? `: ${error.logMessage.slice(0, 300)}` : ""
  return `${name}${code}${told}`
}

const nested = ["reason", "cause"] as const

/** The error and those it was caused by, outermost first. */
const chain = (error: unknown): ReadonlyArray<unknown> => {
  const found: Array<unknown> = []
  for (let current = error; current !== undefined && found.length < 8;) {
    found.push(current)
    const outer: unknown = current
    current = Predicate.isObject(outer)
      ? nested.map((key) => Predicate.hasProperty(outer, key) ? outer[key] : undefined).find(Predicate.isObject)
      : undefined
  }
  return found
}

const framesOf = (error: unknown): ReadonlyArray<string> =>
  error instanceof Error && error.stack !== undefined
    ? error.stack.split("\n").map((line) => line.trim()).filter((line) => line.startsWith("at ")).slice(0, 12)
    : []

/**
 * What a log may say about a defect. Messages are left out, but those of {@link Discreet} errors: a database puts the
 * rejected values into them.
 */
export interface Failure {
  readonly defect: ReadonlyArray<string>
  readonly at: ReadonlyArray<string>
}

/** The defect, or unexpected failure, that a cause is about. */
export const defectOf = (cause: Cause.Cause<unknown>): unknown =>
  Result.getOrElse(Cause.findDefect(cause), () => Cause.squash(cause))

/** Describes a defect without a word of what it was about. */
export const describeDefect = (defect: unknown): Failure => ({
  defect: chain(defect).map(nameOf),
  at: framesOf(defect)
})
