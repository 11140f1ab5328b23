import { Result } from "effect"
import { type Reader, refuse } from "./readers.ts"

/** The supported values of OTEL_TRACES_SAMPLER. */
export const samplerNames = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio"
] as const

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.trim())
  } catch {
    return undefined
  }
}

/** Reads pairs in the format of W3C Baggage: `key1=value1,key2=value2`, with percent-encoded values. */
export const pairs: Reader<Readonly<Record<string, string>>> = (name, value) => {
  const read = value.split(",").filter((pair) => pair.trim() !== "").map((pair) => {
    const at = pair.indexOf("=")
    return [at < 0 ? undefined : decode(pair.slice(0, at)), at < 0 ? undefined : decode(pair.slice(at + 1))] as const
  })
  const found = read.flatMap(([key, text]) =>
    key === undefined || key === "" || text === undefined ? [] : [[key, text]]
  )
  return found.length === read.length
    ? Result.succeed(Object.fromEntries(found) as Readonly<Record<string, string>>)
    : refuse(name, "must be a list such as key1=value1,key2=value2 with percent-encoded values")
}
