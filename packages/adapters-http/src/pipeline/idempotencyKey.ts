import { parseIdempotencyKey, type SentKey } from "@lastro/domain/idempotency"
import { canonicalJson } from "@lastro/domain/input"
import { hash } from "node:crypto"

/** The parts of a request that distinguish it from other requests with the same key. */
export interface Fingerprinted {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/**
 * Computes a fingerprint of a request. Equal requests have equal fingerprints. It is an unkeyed SHA-256, so anyone who
 * can read the stored fingerprint can check whether a guessed body is correct.
 */
const fingerprint = ({ body, method, path }: Fingerprinted): string =>
  hash("sha256", `${method} ${path}\n${body === undefined ? "" : canonicalJson(body)}`, "base64url")

/** Parses the optional `Idempotency-Key` header of a request. */
export const idempotencyKey = (header: string | undefined, request: Fingerprinted): SentKey | undefined =>
  header === undefined
    ? undefined
    : parseIdempotencyKey(header, "header.Idempotency-Key", () => fingerprint(request))
