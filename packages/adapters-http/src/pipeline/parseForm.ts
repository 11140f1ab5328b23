import { Result } from "effect"

/** Decodes a name or a value of a form. Throws if it is not percent-encoded UTF-8. */
export const formDecode = (text: string): string => decodeURIComponent(text.replaceAll("+", " "))

const component = (text: string): Result.Result<string, string> =>
  Result.try({ try: () => formDecode(text), catch: () => "The form is not valid percent-encoded UTF-8." })

/** Parses form fields. Rejects a repeated field (RFC 6749 §3.2). Fails with a description of the problem. */
export const parseForm = (text: string): Result.Result<Readonly<Record<string, string>>, string> => {
  const fields = new Map<string, string>()
  for (const pair of text.split("&")) {
    if (pair === "") continue
    const equals = pair.indexOf("=")
    const name = component(equals < 0 ? pair : pair.slice(0, equals))
    const value = component(equals < 0 ? "" : pair.slice(equals + 1))
    if (Result.isFailure(name)) return Result.fail(name.failure)
    if (Result.isFailure(value)) return Result.fail(value.failure)
    if (fields.has(name.success)) return Result.fail("A parameter is repeated.")
    fields.set(name.success, value.success)
  }
  return Result.succeed(Object.fromEntries(fields))
}
