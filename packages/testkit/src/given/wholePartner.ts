import { type Address, type BankAccount, type PartnerDetail, type Pix } from "@lastro/domain"
import { Effect } from "effect"
import { aPartner } from "./aPartner.ts"

const pix = { key: "maria.silva@example.com", type: "EMAIL" } as Pix

const address = {
  zipcode: "01310100",
  uf: "SP",
  city: "São Paulo",
  district: null,
  neighborhood: "Bela Vista",
  street: "Avenida Paulista",
  number: "1578",
  complement: "Apto 42"
} as Address

const bankAccount = {
  type: "CC",
  agency: "1234",
  bank_code: "341",
  agency_digit: null,
  account_number: "00012345",
  account_digit: "X"
} as BankAccount

/** A partner that has every group, with values that are easily lost: accents, quotes, leading zeros, milliseconds. */
export const wholePartner: Effect.Effect<PartnerDetail> = Effect.suspend(() =>
  aPartner({
    name: "João D'Ávila & Filhos \"Ζ\" 100%_\\ 🏦",
    status: "inactive",
    email: "João.D'Ávila@Exemplo.com.br",
    phone: "1133334444",
    pix,
    address,
    document_number: "12ABC34501DE35",
    person_type: "pj",
    created_at: "2024-02-29T23:59:59.987Z" as PartnerDetail["created_at"],
    bank_account: bankAccount
  })
)
