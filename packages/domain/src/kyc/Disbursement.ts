import { type Pix } from "../values/Pix.ts"
import { type FgtsKycBank, type KycValues } from "./KycValues.ts"

/** The account to which a contract is paid. */
export type Disbursement =
  | { readonly method: "PIX"; readonly pix: Pix; readonly bank: null }
  | { readonly method: "BANK_TRANSFER"; readonly pix: null; readonly bank: FgtsKycBank }

/**
 * A contract is paid to the PIX key or to the bank account of the KYC, whichever method was chosen. Throws a RangeError
 * if the KYC is not complete.
 * @rule KYC-08
 */
export const disbursementOf = ({ bank, disbursement_method, pix }: KycValues): Disbursement => {
  if (disbursement_method === "PIX" && pix !== null) return { method: "PIX", pix: pix as Pix, bank: null }
  if (disbursement_method === "BANK_TRANSFER" && bank !== null) return { method: "BANK_TRANSFER", pix: null, bank }
  throw new RangeError("the KYC is not complete: its disbursement data is missing")
}
