import { type Customer } from "@lastro/domain"
import { kycBody } from "../arbitraries/kyc.ts"
import { aCompleteKyc, exampleBank } from "../given/aCompleteKyc.ts"
import { type ToldKyc } from "./Step.ts"

const toBank = { disbursement_method: "BANK_TRANSFER", bank: exampleBank } as const
const byPix = { disbursement_method: "PIX", pix: { type: "EMAIL", key: "ana@example.com" } } as const

/** The body that tells so much of a customer. */
export const toldBody = (customer: Customer, told: ToldKyc): Readonly<Record<string, unknown>> => {
  switch (told.tells) {
    case "all":
      return kycBody(aCompleteKyc({ ...(told.bank ? toBank : {}), is_pep: told.is_pep }).for(customer).build())
    case "all but":
      return { ...kycBody(aCompleteKyc().for(customer).build()), [told.field]: null }
    case "where to pay":
      return told.bank ? toBank : byPix
  }
}
