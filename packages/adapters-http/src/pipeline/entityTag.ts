import { anyState, type Precondition } from "@lastro/domain/transaction"
import { canonicalJson } from "@lastro/domain/validation"
import { Option } from "effect"
import { hash } from "node:crypto"

/** Base64url characters of the SHA-256 in a tag: 132 bits. */
const tagLength = 22

/** Computes the strong entity tag of a record (RFC 9110 §8.8.3). Equal records have equal tags on every node and in every version. */
export const entityTag = (record: unknown): string =>
  `"${hash("sha256", canonicalJson(record), "base64url").slice(0, tagLength)}"`

/** Splits at commas. Tags of this API contain none, so the parts of a foreign tag with a comma match nothing. */
const tagsOf = (header: string): ReadonlyArray<string> => header.split(",").map((tag) => tag.trim())

/**
 * Parses an `If-Match` header (RFC 9110 §13.1.1). Without the header or with `*`, every state matches. Otherwise the current record
 * must have one of the tags. Weak tags never match.
 */
export const ifMatch = (header: string | undefined): Precondition<unknown> => {
  if (header === undefined || header.trim() === "*") return anyState
  const tags = tagsOf(header)
  return (current) => tags.includes(entityTag(current))
}

/** Returns whether an `If-None-Match` header (RFC 9110 §13.1.2) matches a tag by weak comparison. The response is then 304. */
export const ifNoneMatch = (header: string | undefined, tag: string): boolean => {
  if (header === undefined) return false
  if (header.trim() === "*") return true
  return tagsOf(header).some((candidate) => (candidate.startsWith("W/") ? candidate.slice(2) : candidate) === tag)
}

/** Returns whether the caller already has a record, by its `If-None-Match` header. None without the header. */
export const knownBy = (header: string | undefined) => (record: unknown): Option.Option<boolean> =>
  header === undefined ? Option.none() : Option.some(ifNoneMatch(header, entityTag(record)))
