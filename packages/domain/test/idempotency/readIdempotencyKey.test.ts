import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { parseIdempotencyKey } from "../../src/idempotency/runOnce.ts"

const read = (key: string) => parseIdempotencyKey(key, "header.Idempotency-Key", () => "fingerprint")

const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code))

describe("readIdempotencyKey", () => {
  it("IDEM-02 1 to 255 visible ASCII characters are a key", () => {
    fc.assert(fc.property(fc.string({ unit: visible, minLength: 1, maxLength: 255 }), (key) => {
      assert.deepStrictEqual(read(key), Result.succeed({ key, fingerprint: "fingerprint" }))
    }))
  })

  it("IDEM-02 anything else is a problem on its field that does not repeat the value", () => {
    const wrong = fc.tuple(
      fc.string({ unit: visible, maxLength: 100 }),
      fc.oneof(fc.constantFrom(" ", "\t", "\u0000", "\u007f", "é", "😀"), fc.constant("x".repeat(256))),
      fc.string({ unit: visible, maxLength: 100 })
    ).map((parts) => parts.join(""))
    fc.assert(fc.property(fc.oneof(fc.constant(""), wrong), (key) => {
      assert.deepStrictEqual(Result.getOrThrow(Result.flip(read(key))).problems, [
        {
          field: "header.Idempotency-Key",
          code: "INVALID_FORMAT",
          params: { expected: "1 to 255 visible ASCII characters" }
        }
      ])
    }))
  })
})
