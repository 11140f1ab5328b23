import { type Group, groupBySlug, groupRecord, groups, type PartnerDetail, type UserDetail } from "@lastro/domain"

/** A partner as examples show it. */
export const partner: typeof PartnerDetail.Encoded = {
  partner_id: "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40",
  name: "Correspondente Paulista Ltda",
  status: "active",
  email: "contato@paulista.example",
  phone: "1133334444",
  pix: { key: "11222333000181", type: "CNPJ" },
  address: {
    zipcode: "01310100",
    uf: "SP",
    city: "São Paulo",
    district: null,
    neighborhood: "Bela Vista",
    street: "Avenida Paulista",
    number: "1578",
    complement: "Conjunto 42"
  },
  document_number: "11222333000181",
  person_type: "pj",
  created_at: "2026-01-31T12:00:00.000Z",
  parent_id: "0197f3a2-4a0b-7c2d-9e3f-8a9b0c1d2e3f",
  bank_account: {
    type: "CC",
    agency: "0001",
    bank_code: "341",
    agency_digit: null,
    account_number: "1234567",
    account_digit: "8"
  }
}

/** A user as examples show it. */
export const user: typeof UserDetail.Encoded = {
  user_id: "0197f3a2-6c2d-7e4f-9a5b-0c1d2e3f4051",
  name: "Maria da Conceição",
  email: "maria.silva@example.com",
  phone: "11987654321",
  cpf: "52998224725",
  status: "ACTIVE",
  group: groupRecord(groupBySlug("operator")),
  must_change_password: false,
  created_at: "2026-01-31T12:30:00.000Z",
  partner_id: partner.partner_id,
  partners: [{ partner_id: partner.partner_id, name: partner.name }]
}

/** The groups as examples show them: as they are. */
export const everyGroup: ReadonlyArray<typeof Group.Encoded> = groups
