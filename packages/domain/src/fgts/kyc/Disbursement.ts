import { type Pix } from "../../documents/Pix.ts"
import { type FgtsKycBank, type KycValues } from "./KycValues.ts"

/** Where the customer is paid. */
export type Disbursement =
  | { readonly method: "PIX"; readonly pix: Pix; readonly bank: null }
  | { readonly method: "BANK_TRANSFER"; readonly pix: null; readonly bank: FgtsKycBank }

/**
 * Where the customer is paid is what the chosen method uses of a complete KYC; the other account, if one was told, is left
 * out. Throws for a KYC that is not complete: a defect.
 * @rule KYC-08
 */
export const disbursementOf = ({ bank, disbursement_method, pix }: KycValues): Disbursement => {
  if (disbursement_method === "PIX" && pix !== null) return { method: "PIX", pix: pix as Pix, bank: null }
  if (disbursement_method === "BANK_TRANSFER" && bank !== null) return { method: "BANK_TRANSFER", pix: null, bank }
  throw new RangeError("no disbursement without a complete KYC")
}
