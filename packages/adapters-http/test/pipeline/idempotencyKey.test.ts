import { assert, describe, it } from "@effect/vitest"
import { type Fingerprinted, idempotencyKey } from "../../src/pipeline/idempotencyKey.ts"

const request: Fingerprinted = { method: "POST", path: "/api/v1/partners", body: { a: 1, b: [1, 2] } }

const read = (header: string | undefined, other: Partial<Fingerprinted> = {}) =>
  idempotencyKey(header, { ...request, ...other })

const fingerprint = (other: Partial<Fingerprinted> = {}): unknown => Object(read("key", other)).fingerprint

describe("idempotencyKey", () => {
  it("reads 1 to 255 visible ASCII characters", () => {
    const readable = ["k", "!", "~", "a".repeat(255), "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40", "a,b"]
    for (const key of readable) assert.deepInclude(read(key), { key })
    assert.isUndefined(read(undefined))
  })

  it("refuses anything else on header.Idempotency-Key, without repeating it", () => {
    for (const key of ["", " ", "a b", "a".repeat(256), "é", "a\tb", "\u0000"]) {
      assert.deepStrictEqual(Object(read(key)).problems, [{ field: "header.Idempotency-Key", code: "INVALID_FORMAT" }])
    }
  })

  it("tells requests apart by method, path and body, but not by how the body was written", () => {
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
