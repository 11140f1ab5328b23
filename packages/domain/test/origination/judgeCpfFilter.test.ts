import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { permissions } from "../../src/access/Permission.ts"
import { judgeCpfFilter } from "../../src/origination/ListApplications.ts"
import { makeCaller } from "../hierarchy/callers.ts"

describe("judgeCpfFilter", () => {
  it("FGTS-51 only callers with kyc:read can filter by CPF; an empty filter is ignored", () => {
    fc.assert(
      fc.property(
        fc.subarray([...permissions]),
        fc.option(fc.oneof(fc.string(), fc.array(fc.string())), { nil: undefined }),
        (held, cpf) => {
          const first = Array.isArray(cpf) ? cpf[0] : cpf
          const isAllowed = held.includes("kyc:read") || first === undefined || first === ""
          const judged = judgeCpfFilter(makeCaller({ permissions: new Set(held) }), cpf === undefined ? {} : { cpf })
          assert.strictEqual(Result.isSuccess(judged), isAllowed)
        }
      )
    )
  })
})
