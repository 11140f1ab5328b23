import { hash } from "node:crypto"

const canonicalJson = (value: unknown): string => {
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null"
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  const members = Object.entries(value).filter(([, inner]) => inner !== undefined)
    .toSorted(([a], [b]) => a < b ? -1 : 1)
  return `{${members.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(",")}}`
}

/** Computes the strong entity tag of a record. */
export const entityTag = (record: unknown): string =>
  `"${hash("sha256", canonicalJson(record), "base64url").slice(0, 22)}"`

const tagsOf = (header: string): ReadonlyArray<string> => header.split(",").map((tag) => tag.trim())

/** Returns whether an `If-None-Match` header matches a tag. */
export const isKnown = (header: string | undefined, tag: string): boolean =>
  header !== undefined &&
  (header.trim() === "*" || tagsOf(header).some((known) => known.replace(/^W\//, "") === tag))

/** Returns whether a record matches an `If-Match` header. */
export const isExpected = (header: string | undefined, record: unknown): boolean =>
  header === undefined || header.trim() === "*" || tagsOf(header).includes(entityTag(record))
