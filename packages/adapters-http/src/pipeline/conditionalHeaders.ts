import { parseIdempotencyKey, type SentKey } from "@lastro/domain/idempotency"
import { anyState, canonicalJson, type Precondition } from "@lastro/domain/input"
import { Option } from "effect"
import { hash } from "node:crypto"
import { languages } from "../errors/Language.ts"
import { localizeRejections } from "../errors/rejectionMessages.ts"

/** Length of a tag in characters. A tag is the start of a SHA-256 in base64url (132 bits). */
const tagLength = 22

/**
 * Computes the strong entity tag of a record (RFC 9110 §8.8.3). Equal records have equal tags on every node, even after
 * an upgrade.
 */
export const entityTag = (record: unknown): string =>
  `"${hash("sha256", canonicalJson(record), "base64url").slice(0, tagLength)}"`

/**
 * Splits a header at its commas. No tag of this API contains a comma. A foreign tag with a comma is split into parts
 * that match no tag of this API.
 */
const tagsOf = (header: string): ReadonlyArray<string> => header.split(",").map((tag) => tag.trim())

/**
 * Parses an `If-Match` header (RFC 9110 §13.1.1). Without the header or with `*`, every record matches. Otherwise, the
 * current record must have one of the tags. A record with a rejection by Lastro has one tag per language, all of which
 * match. Weak tags never match.
 */
export const ifMatch = (header: string | undefined): Precondition<unknown> => {
  if (header === undefined || header.trim() === "*") return anyState
  const tags = tagsOf(header)
  return (current) => languages.some((language) => tags.includes(entityTag(localizeRejections(current, language))))
}

/**
 * Returns whether an `If-None-Match` header (RFC 9110 §13.1.2) matches a tag by weak comparison, so that the response
 * is 304.
 */
export const ifNoneMatch = (header: string | undefined, tag: string): boolean => {
  if (header === undefined) return false
  if (header.trim() === "*") return true
  return tagsOf(header).some((candidate) => (candidate.startsWith("W/") ? candidate.slice(2) : candidate) === tag)
}

/**
 * Returns a function that compares a record with `If-None-Match`. It returns whether the caller already has the record,
 * or none without the header.
 */
export const knownBy = (header: string | undefined) => (record: unknown): Option.Option<boolean> =>
  header === undefined ? Option.none() : Option.some(ifNoneMatch(header, entityTag(record)))

/** The parts of a request that distinguish it from other requests with the same idempotency key. */
export interface Fingerprinted {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/**
 * Computes a fingerprint of a request. Equal requests have equal fingerprints. It is a SHA-256 without a key, so anyone
 * who can read it can check whether a guessed body is correct.
 */
const fingerprint = ({ body, method, path }: Fingerprinted): string =>
  hash("sha256", `${method} ${path}\n${body === undefined ? "" : canonicalJson(body)}`, "base64url")

/** Parses the optional `Idempotency-Key` header of a request. */
export const idempotencyKey = (header: string | undefined, request: Fingerprinted): SentKey | undefined =>
  header === undefined
    ? undefined
    : parseIdempotencyKey(header, "header.Idempotency-Key", () => fingerprint(request))
