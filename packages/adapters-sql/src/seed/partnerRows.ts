import {
  type Address,
  type BankAccount,
  type PartnerDetail,
  type PartnerId,
  type Pix,
  timestampOf
} from "@lastro/domain"
import { partnerValues } from "../partner/partnerRow.ts"
import { bankOf } from "./banks.ts"
import { cnpjOf, cpfOf } from "./documents.ts"
import { inOrder } from "./inOrder.ts"
import { companyName, personName } from "./names.ts"
import { addressOf, phoneOf } from "./places.ts"
import { type PartnerPlan, placeIn } from "./planPartners.ts"
import { type Randomness, randomness } from "./Randomness.ts"

const accountOf = (random: Randomness): BankAccount => {
  const { account_type, ...account } = bankOf(random)
  return { type: account_type, ...account } as BankAccount
}

const partnerOf = (index: number, partner_id: PartnerId, plan: PartnerPlan, random: Randomness): PartnerDetail => {
  const isPerson = random.chance(0.15)
  const email = `parceiro.${index.toString(36)}@rede.example`
  return {
    partner_id,
    name: isPerson ? personName(random) : companyName(random),
    // An inactive root would shut everybody out.
    status: index > 0 && random.chance(0.03) ? "inactive" : "active",
    email,
    phone: phoneOf(random),
    pix: random.chance(0.6) ? { key: email, type: "EMAIL" } as Pix : null,
    address: random.chance(0.7) ? { ...addressOf(random), district: null } as Address : null,
    document_number: isPerson ? cpfOf("partner", index) : cnpjOf(index),
    person_type: isPerson ? "pf" : "pj",
    created_at: timestampOf(plan.joined[index] ?? 0),
    parent_id: plan.ids[plan.parents[index] ?? -1] ?? null,
    bank_account: random.chance(0.4) ? accountOf(random) : null
  }
}

/** The rows of planned partners in the order in which they joined, a parent before its children. */
export function* partnerRows(plan: PartnerPlan, seed: number) {
  const random = randomness(seed, "partner rows")
  for (const index of inOrder(plan.joined)) {
    const { partner_id, region_id, root_id } = placeIn(plan, index)
    const partner = partnerOf(index, partner_id, plan, random)
    yield { id: partner_id, parent_id: partner.parent_id, root_id, region_id, ...partnerValues(partner) }
  }
}
