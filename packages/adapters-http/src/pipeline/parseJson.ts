import { maxBodyDepth } from "@lastro/domain/input"
import { Result } from "effect"
import { MalformedBody, PayloadTooLarge } from "../errors/HttpRefusals.ts"

const quote = 0x22
const backslash = 0x5c

/** Returns whether a JSON text is nested deeper than `max`. Counts brackets outside strings, without recursion. */
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
 * Parses a JSON body. Checks the nesting depth first, so that later code that walks through the value cannot overflow
 * the stack. If a key is repeated, its last value counts.
 */
export const parseJson = (text: string): Result.Result<unknown, MalformedBody | PayloadTooLarge> =>
  nestsDeeper(text, maxBodyDepth)
    ? Result.fail(new PayloadTooLarge())
    : Result.try({ try: (): unknown => JSON.parse(text), catch: () => new MalformedBody() })
