import { Data } from "effect"

/** The method that Node.js calls to print a value. */
export const inspectCustom = Symbol.for("nodejs.util.inspect.custom")

/** Prints an error with its message and its stack. Effect's errors print only their fields otherwise. */
export const inspectError = (error: Error): string => error.stack ?? String(error)

type RefusalClass<Tag extends string> = ReturnType<typeof Data.TaggedError<Tag>>

/** Formats a field of an error. Returns an empty list for a value that is not short text, a number or a list of them. */
const describeField = ([name, value]: readonly [string, unknown]): ReadonlyArray<string> =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string")
    ? [`${name}: ${value.join(", ")}`]
    : typeof value === "string" || typeof value === "number"
    ? [`${name}: ${value}`]
    : []

/** Appends the fields of an error, such as its reason, to its sentence. */
const describe = (sentence: string, fields: object): string => {
  const described = Object.entries(fields).flatMap(describeField)
  return described.length === 0 ? sentence : `${sentence} (${described.join("; ")})`
}

/**
 * Creates the class of a tagged error, like `Data.TaggedError`. Its `message` is a sentence that states the problem, then the remedy, followed
 * by the fields of the error. It is printed with the error, and is part of its JSON form. It is not an enumerable property. The fields must
 * not contain personal data.
 */
export const Refusal = <Tag extends string>(tag: Tag, sentence: string): RefusalClass<Tag> => {
  class Described extends Data.TaggedError(tag)<Record<string, unknown>> {
    constructor(fields: Record<string, unknown> = {}) {
      super({ message: describe(sentence, fields), ...fields })
      Object.defineProperty(this, "message", { enumerable: false })
    }

    [inspectCustom](): string {
      return inspectError(this)
    }
  }
  return Described as RefusalClass<Tag>
}
