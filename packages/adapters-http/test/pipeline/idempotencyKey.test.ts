import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { type Fingerprinted, idempotencyKey } from "../../src/pipeline/conditionalHeaders.ts"

const request: Fingerprinted = { method: "POST", path: "/api/v1/partners", body: { a: 1, b: [1, 2] } }

const read = (header: string | undefined, other: Partial<Fingerprinted> = {}) =>
  idempotencyKey(header, { ...request, ...other })

const parsed = (header: string, other: Partial<Fingerprinted> = {}) =>
  read(header, other) ?? assert.fail("The header is present")

const fingerprint = (other: Partial<Fingerprinted> = {}) => Result.getOrThrow(parsed("key", other)).fingerprint

describe("idempotencyKey", () => {
  it("parses the header if present", () => {
    assert.strictEqual(Result.getOrThrow(parsed("0197f3a2-5b1c")).key, "0197f3a2-5b1c")
    assert.isUndefined(read(undefined))
    assert.deepStrictEqual(Result.getOrThrow(Result.flip(parsed("a b"))).problems, [
      {
        field: "header.Idempotency-Key",
        code: "INVALID_FORMAT",
        params: { expected: "1 to 255 visible ASCII characters" }
      }
    ])
  })

  it("fingerprints method, path and body, but not the spelling of the body", () => {
    assert.strictEqual(fingerprint(), fingerprint({ body: { b: [1, 2], a: 1 } }))
    const others = [
      fingerprint(),
      fingerprint({ method: "PATCH" }),
      fingerprint({ path: "/api/v1/users" }),
      fingerprint({ body: { a: 1, b: [2, 1] } }),
      fingerprint({ body: {} }),
      fingerprint({ body: null }),
      fingerprint({ body: undefined })
    ]
    assert.strictEqual(new Set(others).size, others.length)
  })
})
