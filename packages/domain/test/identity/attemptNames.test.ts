import { assert, describe, it } from "@effect/vitest"
import { email } from "@lastro/testkit/arbitraries"
import * as fc from "fast-check"
import { clientAttempts, userAttempts } from "../../src/identity/verifySecret.ts"
import { emailKey } from "../../src/values/Email.ts"

/** The same e-mail in other letter cases and Unicode forms that are still equal. */
const spellings = (one: string): ReadonlyArray<string> =>
  [one.toUpperCase(), one.toLowerCase(), one.normalize("NFD"), one.normalize("NFC"), one.toUpperCase().normalize("NFD")]
    .filter((other) => emailKey(other) === emailKey(one))

const anyText = fc.string({
  unit: fc.constantFrom(..."aAéÉ\u0301İIıiΣσς\u0307ßẞ@.\u212aKkÅ\u212b\u030a\u0345ᾳͅ"),
  maxLength: 8
})

describe("userAttempts", () => {
  it("T36 AUTH-09 all spellings of an e-mail share one counter", () => {
    fc.assert(
      fc.property(fc.oneof(email, anyText), (one) => {
        for (const other of spellings(one)) assert.strictEqual(userAttempts(other), userAttempts(one))
      }),
      { numRuns: 3_000 }
    )
  })

  it("AUTH-09 users and clients with the same name have separate counters", () => {
    assert.notStrictEqual(userAttempts("erp"), clientAttempts("erp"))
    assert.notStrictEqual(userAttempts("a"), userAttempts("b"))
    assert.notStrictEqual(clientAttempts("a"), clientAttempts("A"))
  })
})
