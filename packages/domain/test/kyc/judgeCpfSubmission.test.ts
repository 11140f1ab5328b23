import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { permissions } from "../../src/access/Permission.ts"
import { emptyKyc, type KycValues } from "../../src/kyc/KycValues.ts"
import { judgeCpfSubmission } from "../../src/kyc/patchKyc.ts"
import { makeCaller } from "../hierarchy/callers.ts"

const types = fc.constantFrom("CPF", "EMAIL", "PHONE", null)

const stored: fc.Arbitrary<KycValues | null> = fc.option(
  types.map((type): KycValues => ({ ...emptyKyc, pix: type === null ? null : { type, key: null } }))
)

describe("judgeCpfSubmission", () => {
  it("KYC-11 without kyc:read, a CPF is accepted only from the creator of the application", () => {
    fc.assert(
      fc.property(
        fc.subarray([...permissions]),
        fc.constantFrom("me", "somebody else"),
        stored,
        fc.record({
          name: fc.string(),
          cpf: fc.constantFrom("52998224725", "nonsense", null),
          pix: fc.oneof(fc.constant(null), fc.record({ type: types, key: fc.string() }, { requiredKeys: [] }))
        }, { requiredKeys: [] }),
        (held, created_by, kyc, body) => {
          const type = body.pix?.type ?? kyc?.pix?.type
          const mentions = typeof body.cpf === "string" ||
            (type === "CPF" && body.pix !== null && body.pix !== undefined)
          const isAllowed = held.includes("kyc:read") || created_by === "me" || !mentions
          const judged = judgeCpfSubmission(
            makeCaller({ permissions: new Set(held), subject: "me" }),
            { created_by, kyc },
            body
          )
          assert.strictEqual(Result.isSuccess(judged), isAllowed)
        }
      ),
      { numRuns: 1000 }
    )
  })
})
