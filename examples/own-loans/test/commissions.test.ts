import { orThrow } from "@lastro/domain/promises"
import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { test } from "node:test"
import { openNetwork } from "../src/network.ts"

/** The current day in São Paulo, YYYY-MM-DD. */
const today = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Sao_Paulo" }).format(new Date())

test("each partner of the chain earns its part of a loan, and loses it when the loan is reversed", async (t) => {
  const network = await openNetwork("memory")
  t.after(() => network[Symbol.asyncDispose]())
  const { commissions, partners } = network
  const newPartner = (name: string, document_number: string, parent_uuid?: string) => ({
    partner: {
      type: "pj" as const,
      name,
      email: "loja@example.com",
      phone: "1133334444",
      document_number,
      ...parent_uuid === undefined ? {} : { parent_uuid }
    }
  })
  const root = orThrow(await partners.createRootPartner(newPartner("Promotora", "11222333000181")))
  const admin = orThrow(await partners.callerAt(root.partner_id, { subject: "back-office", group: "admin" }))
  const shop = orThrow(await partners.createPartner(admin, newPartner("Loja", "11444777000161", root.partner_id)))

  // The lender pays 10 % of the amount that the customer gets. The shop receives 60 % of that commission.
  const valid_from = today
  orThrow(
    await commissions.createCommissionPlan(admin, root.partner_id, {
      valid_from,
      basis: "NET",
      rates: [{ percent: 10 }]
    })
  )
  orThrow(await commissions.createCommissionPlan(admin, shop.partner_id, { valid_from, rates: [{ of_parent: 60 }] }))

  const contract_id = randomUUID()
  const terms = { gross_amount: 1300, principal_amount: 1020, net_amount: 1000 }
  orThrow(
    await commissions.recordAcceptance(admin, {
      contract_id,
      partner_id: shop.partner_id,
      lender: "bank",
      table: "gold",
      ...terms
    })
  )
  const paid_at = new Date().toISOString()
  orThrow(await commissions.recordPayment(admin, { contract_id, paid_at, reference: "C-1" }))
  const earned = orThrow(await commissions.listCommissions(admin)).content
  assert.deepEqual(
    Object.fromEntries(earned.map(({ amount, partner_id }) => [partner_id, amount])),
    { [root.partner_id]: 40, [shop.partner_id]: 60 }
  )

  orThrow(await commissions.recordReversal(admin, { contract_id }))
  const { total } = orThrow(await commissions.summarizeCommissions(admin))
  assert.equal(total.balance, 0)
})
