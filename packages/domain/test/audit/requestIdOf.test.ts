import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { parseRequestId } from "../../src/audit/AuditLog.ts"
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
