import { defectOf, describeDefect } from "@lastro/adapters-http"
import { Cause, Exit, Tracer } from "effect"

/** A failure without a word of what it was about. */
const withoutWords = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return exit
  const [name = "unknown", ...causes] = describeDefect(defectOf(exit.cause)).defect
  const failure = new Error(causes.join(", "))
  failure.name = name
  return Exit.fail(failure)
}

/** A tracer whose spans say of a failure what it was and never its message, which may quote what somebody sent. */
export const discreet = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    ...tracer,
    span: (options) => {
      const span = tracer.span(options)
      const end = span.end.bind(span)
      span.end = (time, exit) => end(time, withoutWords(exit))
      return span
    }
  })
