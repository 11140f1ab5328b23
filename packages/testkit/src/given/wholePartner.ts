import { aPartner, type PartnerBuilder } from "./aPartner.ts"

/** A partner that has every group, with values that are easily lost: accents, quotes, leading zeros, milliseconds. */
export const wholePartner: PartnerBuilder = aPartner({
  name: "João D'Ávila & Filhos \"Ζ\" 100%_\\ 🏦",
  email: "João.D'Ávila@Exemplo.com.br",
  phone: "1133334444",
  created_at: "2024-02-29T23:59:59.987Z"
}).inactive().withCnpj("12ABC34501DE35").withPix("EMAIL", "maria.silva@example.com").withAddress().withBankAccount()
