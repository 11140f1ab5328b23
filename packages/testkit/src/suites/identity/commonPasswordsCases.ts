import { CommonPasswords } from "@lastro/domain/identity"
import { assert } from "chai"
import { type ContractCases } from "../suite/ContractSuite.ts"

/** Contract cases for CommonPasswords. */
export const commonPasswordsCases: ContractCases<CommonPasswords> = (it) => {
  it("`includes` returns true for a common password, in any letter case", function*() {
    const { includes } = yield* CommonPasswords
    for (const common of ["1q2w3e4r5t6y", "administrator", "Administrator", "QWERTY123456"]) {
      assert.isTrue(yield* includes(common), common)
    }
  })

  it("`includes` returns false for any other password", function*() {
    const { includes } = yield* CommonPasswords
    for (
      const other of ["", "coração é sempre ágil", "administrator ", "nEyelS3JTJpW1T77QKMR-GFHIShrf2eT_mcWFHIB4AI"]
    ) {
      assert.isFalse(yield* includes(other), other)
    }
  })
}
