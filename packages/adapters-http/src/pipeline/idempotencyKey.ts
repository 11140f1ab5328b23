import { canonicalJson, type IdempotencyKey, readIdempotencyKey, type ValidationFailed } from "@lastro/domain"
import { hash } from "node:crypto"

/** A request as far as it matters for telling it from another one under the same key. */
export interface Fingerprinted {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** Equal for requests that ask for the same thing; says nothing about the body, of which it is a SHA-256. */
const fingerprint = ({ body, method, path }: Fingerprinted): string =>
  hash("sha256", `${method} ${path}\n${body === undefined ? "" : canonicalJson(body)}`, "base64url")

/** Reads an `Idempotency-Key` header, if there is one. */
export const idempotencyKey = (
  header: string | undefined,
  request: Fingerprinted
): IdempotencyKey | ValidationFailed | undefined =>
  header === undefined
    ? undefined
    : readIdempotencyKey(header, "header.Idempotency-Key", () => fingerprint(request))
