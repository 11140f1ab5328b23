import { type IdempotencyKey, problem, ValidationFailed } from "@lastro/domain"
import { MutableRef } from "effect"
import { hash } from "node:crypto"
import { canonicalJson } from "./canonicalJson.ts"

const shape = /^[\x21-\x7e]{1,255}$/

/** A request as far as it matters for telling it from another one under the same key. */
export interface Fingerprinted {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** Equal for requests that ask for the same thing; says nothing about the body, of which it is a SHA-256. */
const fingerprint = ({ body, method, path }: Fingerprinted): string =>
  hash("sha256", `${method} ${path}\n${body === undefined ? "" : canonicalJson(body)}`, "base64url")

/**
 * Reads an `Idempotency-Key` header: 1 to 255 visible ASCII characters, else a problem on `header.Idempotency-Key`, which is
 * for the use case to refuse once it has judged what comes before keys.
 */
export const idempotencyKey = (
  header: string | undefined,
  request: Fingerprinted
): IdempotencyKey | ValidationFailed | undefined =>
  header === undefined
    ? undefined
    : shape.test(header)
    ? { key: header, fingerprint: fingerprint(request), replayed: MutableRef.make(false) }
    : new ValidationFailed({ problems: [{ field: "header.Idempotency-Key", ...problem("INVALID_FORMAT") }] })
