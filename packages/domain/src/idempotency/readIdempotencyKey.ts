import { MutableRef } from "effect"
import { problem, ValidationFailed } from "../validation/FieldProblem.ts"
import { type IdempotencyKey } from "./once.ts"

const shape = /^[\x21-\x7e]{1,255}$/

/**
 * An idempotency key has 1 to 255 visible ASCII characters. One that has not is a problem on `field`, which is for the use case to
 * refuse once it has judged what comes before keys. `fingerprint` tells the request from another under the same key.
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
