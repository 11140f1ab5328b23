import { assert, describe, it } from "@effect/vitest"
import { brCode } from "../../../src/adapters/sandbox/brCode.ts"
import { centavos } from "../../../src/values/Centavos.ts"

const payee = { key: "123e4567-e12b-12d1-a456-426655440000", name: "Fulano de Tal", city: "BRASILIA", txid: "***" }

describe("brCode", () => {
  it("equals the example of the Banco Central, checksum included", () => {
    assert.strictEqual(
      brCode({ ...payee, amount: null }),
      "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000" +
        "5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D"
    )
  })

  it("names the amount in reais", () => {
    assert.include(brCode({ ...payee, amount: centavos(1_234_50) }), "54071234.50")
  })
})
