import { Schema } from "effect"
import { PartnerDetail } from "../../src/partner/PartnerDetail.ts"

/** A partner with every group and no null, in canonical form. */
export const completePartner = Schema.decodeUnknownSync(PartnerDetail)({
  partner_id: "0197f3a2-5b1c-7d3e-8f4a-00000000000a",
  name: "Ana Ltda",
  status: "active",
  email: "ana@example.com",
  phone: "11987654321",
  pix: { key: "52998224725", type: "CPF" },
  address: {
    zipcode: "01310100",
    uf: "SP",
    city: "São Paulo",
    district: "Centro",
    neighborhood: "Sé",
    street: "Rua A",
    number: "10",
    complement: "Apto 1"
  },
  document_number: "11222333000181",
  person_type: "pj",
  created_at: "2026-01-31T12:00:00.000Z",
  parent_id: "0197f3a2-5b1c-7d3e-8f4a-00000000000b",
  bank_account: {
    type: "CC",
    agency: "0001",
    bank_code: "341",
    agency_digit: "X",
    account_number: "00123",
    account_digit: "7"
  },
  metadata: { plan: "gold" }
})

/** The same partner without its groups. */
export const barePartner: PartnerDetail = { ...completePartner, pix: null, address: null, bank_account: null }
