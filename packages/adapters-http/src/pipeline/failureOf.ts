import { Cause, Predicate, Result } from "effect"

/** An error's class, and the code it carries if that is one for programs: what may be said of it in a log. */
const nameOf = (error: unknown): string => {
  if (!Predicate.isObject(error)) return typeof error
  const tag = Predicate.hasProperty(error, "_tag") && typeof error._tag === "string" ? error._tag : undefined
  const name = tag ?? (error instanceof Error ? error.name : "object")
  const code =
    Predicate.hasProperty(error, "code") && typeof error.code === "string" && /^[A-Z0-9_]{1,32}$/.test(error.code)
      ? ` ${error.code}`
      : ""
  return `${name}${code}`
}

const nested = ["reason", "cause"] as const

/** The error and those it was caused by, outermost first. */
const chain = (error: unknown): ReadonlyArray<unknown> => {
  const found: Array<unknown> = []
  for (let current = error; current !== undefined && found.length < 8;) {
    found.push(current)
    const outer: unknown = current
    current = Predicate.isObject(outer)
      ? nested.map((key) => Predicate.hasProperty(outer, key) ? outer[key] : undefined).find((inner) =>
        inner !== undefined
      )
      : undefined
  }
  return found
}

const framesOf = (error: unknown): ReadonlyArray<string> =>
  error instanceof Error && error.stack !== undefined
    ? error.stack.split("\n").map((line) => line.trim()).filter((line) => line.startsWith("at ")).slice(0, 12)
    : []

/** What a log may say about a defect. Messages are left out: a database puts the rejected values into them. */
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
