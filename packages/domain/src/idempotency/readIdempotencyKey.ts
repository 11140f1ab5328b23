import { MutableRef } from "effect"
import { problem, ValidationFailed } from "../validation/FieldProblem.ts"
import { type IdempotencyKey } from "./once.ts"

const shape = /^[\x21-\x7e]{1,255}$/

/**
 * An idempotency key has 1 to 255 visible ASCII characters. A malformed key is returned as ValidationFailed on `field`, which the use
 * case raises when it is the key's turn in the order of checks. `fingerprint` computes the fingerprint of the request.
 * @rule IDEM-02
 */
export const readIdempotencyKey = (
  key: string,
  field: string,
  fingerprint: () => string
): IdempotencyKey | ValidationFailed =>
  shape.test(key)
    ? { key, fingerprint: fingerprint(), replayed: MutableRef.make(false) }
    : new ValidationFailed({ problems: [{ field, ...problem("INVALID_FORMAT") }] })
