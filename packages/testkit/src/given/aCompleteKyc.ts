import { type Customer, type KycValues } from "@lastro/domain"

/** A complete KYC of a customer, who is paid by PIX to the own CPF; the fields given replace the example's. */
export const aCompleteKyc = (
  { birth_date, cpf, name }: Customer,
  fields: Partial<KycValues> = {}
): KycValues => ({
  name: name ?? ("Ana Exemplo" as KycValues["name"]),
  cpf,
  birth_date,
  gender: "F",
  civil_status: "MARRIED",
  mother_name: "Rita Exemplo" as KycValues["mother_name"],
  nationality: "Brasileira" as KycValues["nationality"],
  document: { type: "RG", number: "123456789", issuer: "SSP", uf: "SP", issued_at: "2010-03-01" } as KycValues[
    "document"
  ],
  email: "ana@example.com" as KycValues["email"],
  phone: "11987654321" as KycValues["phone"],
  is_pep: false,
  address: {
    zipcode: "01310100",
    uf: "SP",
    city: "São Paulo",
    neighborhood: "Bela Vista",
    street: "Avenida Paulista",
    number: "1578",
    complement: null
  } as KycValues["address"],
  disbursement_method: "PIX",
  pix: { type: "CPF", key: cpf },
  bank: null,
  ...fields
})

/** An account that a customer can be paid to. */
export const exampleBank = {
  bank_code: "341",
  account_type: "CC",
  agency: "1234",
  agency_digit: null,
  account_number: "00012345",
  account_digit: "X"
} as NonNullable<KycValues["bank"]>
