import { type PartnerDetail } from "../partner/PartnerDetail.ts"
import { type UserListItem } from "../user/UserDetail.ts"

/**
 * An anonymised user keeps its id, partner, group, status and times, because audit entries and applications refer to
 * its id. Name, CPF, e-mail address, phone number, password and metadata are removed.
 * @rule PRIV-07
 */
export const eraseUser = (user: UserListItem): UserListItem => ({
  ...user,
  name: "",
  email: "",
  phone: "",
  cpf: "",
  metadata: {}
})

/**
 * An anonymised partner keeps its id, its place in the tree, its status and times. Contact data, address, PIX key, bank
 * account and metadata are removed. A natural person also loses its name and CPF. A legal entity keeps its name and
 * CNPJ, which are public.
 * @rule PRIV-09
 */
export const erasePartner = (partner: PartnerDetail): PartnerDetail => ({
  ...partner,
  ...(partner.person_type === "pf" ? { name: "", document_number: "" } : {}),
  email: "",
  phone: "",
  pix: null,
  address: null,
  bank_account: null,
  metadata: {}
})
