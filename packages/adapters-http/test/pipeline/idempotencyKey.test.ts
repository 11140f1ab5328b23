import { assert, describe, it } from "@effect/vitest"
import { type Fingerprinted, idempotencyKey } from "../../src/pipeline/conditionalHeaders.ts"

const request: Fingerprinted = { method: "POST", path: "/api/v1/partners", body: { a: 1, b: [1, 2] } }

const read = (header: string | undefined, other: Partial<Fingerprinted> = {}) =>
  idempotencyKey(header, { ...request, ...other })

const fingerprint = (other: Partial<Fingerprinted> = {}): unknown => Object(read("key", other)).fingerprint

describe("idempotencyKey", () => {
  it("parses the header if present", () => {
    assert.deepInclude(read("0197f3a2-5b1c"), { key: "0197f3a2-5b1c" })
    assert.isUndefined(read(undefined))
    assert.deepStrictEqual(Object(read("a b")).problems, [{ field: "header.Idempotency-Key", code: "INVALID_FORMAT" }])
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
