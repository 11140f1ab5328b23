import { anyState, canonicalJson, type Precondition } from "@lastro/domain"
import { Option } from "effect"
import { hash } from "node:crypto"

/** Characters of base64url that are kept of the SHA-256: 132 bits. */
const kept = 22

/** The strong entity tag of a record (RFC 9110 §8.8.3): equal records have equal tags, on every node and for ever. */
export const entityTag = (record: unknown): string =>
  `"${hash("sha256", canonicalJson(record), "base64url").slice(0, kept)}"`

/** A tag of ours holds no comma, so that a foreign tag that does falls into pieces that match nothing. */
const tagsOf = (header: string): ReadonlyArray<string> => header.split(",").map((tag) => tag.trim())

/**
 * What an `If-Match` header (RFC 9110 §13.1.1) expects of the present record: any state without one and with `*`, else
 * that it has one of the tags. A weak tag is never the one of a record.
 */
export const ifMatch = (header: string | undefined): Precondition<unknown> => {
  if (header === undefined || header.trim() === "*") return anyState
  const tags = tagsOf(header)
  return (current) => tags.includes(entityTag(current))
}

/** Whether an `If-None-Match` header (RFC 9110 §13.1.2) names this tag, weakly compared: then the answer is 304. */
export const ifNoneMatch = (header: string | undefined, tag: string): boolean => {
  if (header === undefined) return false
  if (header.trim() === "*") return true
  return tagsOf(header).some((candidate) => (candidate.startsWith("W/") ? candidate.slice(2) : candidate) === tag)
}

/** What an `If-None-Match` header says of a record: whether the caller has it already; nothing where there is no header. */
export const knownBy = (header: string | undefined) => (record: unknown): Option.Option<boolean> =>
  header === undefined ? Option.none() : Option.some(ifNoneMatch(header, entityTag(record)))
