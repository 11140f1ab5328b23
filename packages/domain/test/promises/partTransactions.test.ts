import { assert, describe, it } from "@effect/vitest"
import { layerMemory, MemoryClient } from "@lastro/testkit"
import { orThrow } from "../../src/promises/LastroTransaction.ts"
import { openAdministration } from "../../src/promises/openAdministration.ts"
import { openOrigination } from "../../src/promises/openOrigination.ts"
import { partnerBody, success } from "./opened.ts"

const loan = {
  external_id: "loan",
  customer: { cpf: "111.444.777-35", birth_date: "1990-05-17", name: "Maria da Conceição" }
}

describe("transactions of the parts", () => {
  it("administration and origination roll back and commit, by `atomically` and by `within`", async () => {
    await using administration = await openAdministration(layerMemory)
    await success(administration.bootstrap({ client_id: "erp" }))
    await using origination = await openOrigination(administration.layer)
    const caller = await success(administration.callerOfClient("erp"))
    const partners = async () => orThrow(await administration.listPartners(caller)).page.total_elements
    const loans = async () => orThrow(await origination.listApplications(caller)).page.total_elements
    const client = new MemoryClient()
    const undo = new Error("undo")

    const failed = administration.atomically(async (tx) => {
      orThrow(await tx.createPartner(caller, partnerBody("11222333000181")))
      assert.strictEqual(orThrow(await tx.listPartners(caller)).page.total_elements, 2)
      throw undo
    })
    assert.strictEqual(await failed.catch((error: unknown) => error), undo)
    assert.strictEqual(await partners(), 1)
    await administration.atomically(async (tx) =>
      orThrow(await tx.createPartner(caller, partnerBody("11222333000181")))
    )
    assert.strictEqual(await partners(), 2)

    for (const [end, count] of [["ROLLBACK", 0], ["COMMIT", 1]] as const) {
      // oxlint-disable-next-line eslint/no-await-in-loop -- the second transaction follows the first
      await client.query("BEGIN")
      // oxlint-disable-next-line eslint/no-await-in-loop -- the second transaction follows the first
      orThrow(await origination.within(client).createApplication(caller, loan))
      // oxlint-disable-next-line eslint/no-await-in-loop -- the second transaction follows the first
      await client.query(end)
      // oxlint-disable-next-line eslint/no-await-in-loop -- the second transaction follows the first
      assert.strictEqual(await loans(), count)
    }
    await origination.atomically(async (tx) =>
      orThrow(await tx.createApplication(caller, { ...loan, external_id: "b" }))
    )
    assert.strictEqual(await loans(), 2)
  })
})
