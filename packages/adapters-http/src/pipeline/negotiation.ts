/** A part of an `Accept` or `Accept-Encoding` header, such as `text/*;q=0.8`. */
interface Range {
  readonly range: string
  readonly quality: number
}

const parseRange = (text: string): Range => {
  const [range = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase())
  const weight = Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1)
  return { range, quality: weight >= 0 && weight <= 1 ? weight : 0 }
}

/** Parses a header with a list of ranges. Reads at most 1 024 characters. */
export const parseRanges = (header: string): ReadonlyArray<Range> => header.slice(0, 1_024).split(",").map(parseRange)

/** Returns the quality value of a media type. If several ranges include it, the most specific one decides. */
const qualityOf = (type: string, ranges: ReadonlyArray<Range>): number => {
  const name = type.split(";", 1)[0] ?? ""
  for (const range of [name, `${name.split("/", 1)[0]}/*`, "*/*"]) {
    const found = ranges.find((candidate) => candidate.range === range)
    if (found !== undefined) return found.quality
  }
  return 0
}

/**
 * Returns the media type that an `Accept` header prefers (RFC 9110 §12.5.1). Of types with the same quality, returns
 * the first. Also returns the first type if the header is absent or accepts none of the types.
 */
export const preferredType = <A extends { readonly type: string }>(
  header: string | undefined,
  [first, ...others]: readonly [A, ...ReadonlyArray<A>]
): A => {
  if (header === undefined) return first
  const ranges = parseRanges(header)
  let best = { candidate: first, quality: qualityOf(first.type, ranges) }
  for (const candidate of others) {
    const quality = qualityOf(candidate.type, ranges)
    if (quality > best.quality) best = { candidate, quality }
  }
  return best.candidate
}

/** The content codings of responses, in the order of preference. */
const codings = ["br", "gzip", "identity"] as const

export type Coding = typeof codings[number]

/**
 * Returns the content coding that an `Accept-Encoding` header prefers (RFC 9110 §12.5.3). Of codings with the same
 * quality, returns the one that compresses best. Without the header, returns `identity`: no compression.
 */
export const preferredCoding = (header: string | undefined): Coding => {
  if (header === undefined) return "identity"
  const ranges = parseRanges(header)
  let best: { readonly coding: Coding; readonly quality: number } = { coding: "identity", quality: 0 }
  for (const coding of codings) {
    const range = ranges.find(({ range }) => range === coding) ?? ranges.find(({ range }) => range === "*")
    const quality = range?.quality ?? 0
    if (quality > best.quality) best = { coding, quality }
  }
  return best.coding
}
