import { deepestBody } from "@lastro/domain"
import { Result } from "effect"
import { MalformedBody, PayloadTooLarge } from "../errors/HttpRefusals.ts"

const quote = 0x22
const backslash = 0x5c

/** Whether a JSON text nests deeper than `max`: looks at brackets outside of strings only, and never recurs. */
const nestsDeeper = (text: string, max: number): boolean => {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === backslash) index++
      else if (code === quote) inString = false
    } else if (code === quote) inString = true
    else if (code === 0x7b || code === 0x5b) {
      depth++
      if (depth > max) return true
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return false
}

/**
 * Reads a JSON body. What nests deeper than any body has to is refused before it is parsed, so that nothing that walks
 * the value later can exhaust the stack. A key that comes twice counts as it came last.
 */
export const parseJson = (text: string): Result.Result<unknown, MalformedBody | PayloadTooLarge> =>
  nestsDeeper(text, deepestBody)
    ? Result.fail(new PayloadTooLarge())
    : Result.try({ try: (): unknown => JSON.parse(text), catch: () => new MalformedBody() })
