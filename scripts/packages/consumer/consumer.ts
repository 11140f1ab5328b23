import { hierarchyOf } from "@lastro/domain/hierarchy"
import { priceOffer } from "@lastro/domain/offer"
import { openLastro } from "@lastro/domain/promises"
import { calendarDate, centavos, percent } from "@lastro/domain/values"
import { layerMemory } from "@lastro/testkit"
import assert from "node:assert/strict"
import { createRequire } from "node:module"

// `require` in a CommonJS program must load the same modules as `import`.
assert.equal(createRequire(import.meta.url)("@lastro/testkit").layerMemory, layerMemory)

// The program uses the main features with the installed versions of the peer dependencies: pricing, hierarchy, and
// in-memory ports.
const priced = priceOffer({
  released_on: calendarDate("2026-03-10"),
  monthly_rate: percent(1.8),
  fee: { kind: "none" },
  installments: [{ due_date: calendarDate("2026-05-01"), amount: centavos(500_00) }]
})
assert(priced._tag === "Success")
assert.equal(priced.success.gross_amount, 500_00)

const tree = hierarchyOf([["north", null], ["belem", "north"]])
assert(tree._tag === "Success")
assert(tree.success.isWithin("north", "belem"))

await using lastro = await openLastro(layerMemory)
const installed = await lastro.bootstrap()
assert(installed._tag === "Success" && installed.success !== null)
const caller = await lastro.callerOfClient(installed.success.client_id)
assert(caller._tag === "Success")
const body = {
  partner: {
    type: "pj",
    name: "Crédito Fácil",
    email: "contato@facil.example",
    phone: "(11) 98765-4321",
    document_number: "12.ABC.345/01DE-35"
  }
}
const made = await lastro.createPartner(caller.success, body)
assert(made._tag === "Success")
const page = await lastro.listPartners(caller.success, { name: "facil" })
assert(page._tag === "Success")
assert.deepEqual(page.success.content.map(({ partner_id }) => partner_id), [made.success.partner_id])
const again = await lastro.createPartner(caller.success, body)
assert(again._tag === "Failure")
