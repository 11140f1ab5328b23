import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { isTechnicalId, keptRequestId, parseRequestId } from "../../src/audit/AuditLog.ts"
import { completeCnpj } from "../../src/values/Cnpj.ts"
import { completeCpf } from "../../src/values/Cpf.ts"

describe("parseRequestId", () => {
  it("AUDIT-03 keeps an id that is safe to echo", () => {
    for (const id of ["r-1", "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40", "a".repeat(128), "trace.4711_b"]) {
      assert.strictEqual(parseRequestId(id), id)
    }
  })

  it("AUDIT-03 ignores an unsafe id or one that is a CPF or CNPJ", () => {
    for (const id of [undefined, "", " ", "a b", "a\nb", "a\u0000b", "é", "a".repeat(129), "<script>"]) {
      assert.isUndefined(parseRequestId(id))
    }
    fc.assert(fc.property(fc.stringMatching(/^[0-9]{9}$/), (digits) => {
      fc.pre(new Set(digits).size > 1)
      const cpf = completeCpf(digits)
      assert.isUndefined(parseRequestId(cpf))
      assert.isUndefined(parseRequestId(`${cpf.slice(0, 3)}.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-${cpf.slice(9)}`))
    }))
    assert.isUndefined(parseRequestId(completeCnpj("12ABC34501DE")))
  })
})

describe("keptRequestId", () => {
  it("AUDIT-04 keeps a UUID, a ULID and a trace id, and hashes every other id", () => {
    fc.assert(fc.property(fc.oneof(fc.uuid(), fc.ulid(), fc.stringMatching(/^[0-9a-f]{31}[a-f]$/)), (id) => {
      fc.pre(/[a-z]/i.test(id))
      assert.strictEqual(keptRequestId(id, () => assert.fail("hashed")), id)
    }))
    const hash = () => "h".repeat(43)
    const others = [
      "x11144477735",
      "Joao.Silva.1990-05-17",
      "r-1",
      "0".repeat(21) + "11144477735",
      "00000000-0000-0000-0000-011144477735",
      "maria-conceicao-4711",
      "0af7651916cd43dd",
      "a".repeat(33)
    ]
    for (const id of others) assert.strictEqual(keptRequestId(id, hash), `hash-${"h".repeat(22)}`, id)
    fc.assert(fc.property(fc.stringMatching(/^[A-Za-z0-9._-]{1,128}$/), (id) => {
      assert.strictEqual(keptRequestId(id, hash) === id, isTechnicalId(id))
    }))
  })
})
