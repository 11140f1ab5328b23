import { Data } from "effect"

/** The method that Node.js calls to print a value. */
export const inspectCustom = Symbol.for("nodejs.util.inspect.custom")

/** Returns the message and the stack of an error, for printing. By default, Effect's errors print only their fields. */
export const inspectError = (error: Error): string => error.stack ?? String(error)

type RefusalClass<Tag extends string> = ReturnType<typeof Data.TaggedError<Tag>>

/** Formats a field of an error. Empty unless its value is a short text, a number or a list of them. */
const describeField = ([name, value]: readonly [string, unknown]): ReadonlyArray<string> => {
  if (typeof value === "string" || typeof value === "number") return [`${name}: ${value}`]
  const isTextList = Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string")
  return isTextList ? [`${name}: ${value.join(", ")}`] : []
}

/** Formats the named fields of an error: ` (reason: EXPIRED)`. Empty if there are none. */
const describe = (fields: object, isNamed: (name: string) => boolean): string => {
  const described = Object.entries(fields).filter(([name]) => isNamed(name)).flatMap(describeField)
  return described.length === 0 ? "" : ` (${described.join("; ")})`
}

/** Matches the full stop at the end of the first sentence. */
const firstFullStop = /\.(?= |$)/

/**
 * Creates the class of a tagged error, like `Data.TaggedError`. Its `message` states the problem, then the remedy. It
 * is printed with the error and is part of its JSON form, but is not enumerable.
 *
 * `shown` names the fields that are added to the first sentence. Hosts can send the message to their clients, so list
 * only fields that clients can see. Node.js prints the other fields, too. Never put personal data into a field.
 */
export const Refusal = <Tag extends string>(
  tag: Tag,
  sentence: string,
  shown: ReadonlyArray<string> = []
): RefusalClass<Tag> => {
  class Described extends Data.TaggedError(tag)<Record<string, unknown>> {
    constructor(fields: Record<string, unknown> = {}) {
      const named = describe(fields, (name) => shown.includes(name))
      super({ message: sentence.replace(firstFullStop, () => `${named}.`), ...fields })
      Object.defineProperty(this, "message", { enumerable: false })
    }

    [inspectCustom](): string {
      return `${inspectError(this)}${describe(this, (name) => name !== "_tag" && !shown.includes(name))}`
    }
  }
  return Described as RefusalClass<Tag>
}
