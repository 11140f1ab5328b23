import { maskAccountNumber } from "../../documents/AccountNumber.ts"
import { type Cpf, maskCpf } from "../../documents/Cpf.ts"
import { maskTail } from "../../documents/maskTail.ts"
import { type Caller } from "../../identity/Caller.ts"
import { type FgtsKycBank } from "../kyc/KycValues.ts"

/** How much of a person's data is shown. */
export type PersonalDataView = "full" | "masked"

/**
 * Whoever may not read KYC is shown CPFs masked; keys and accounts are shown in full to nobody but in the KYC itself.
 * @rule KYC-03
 */
export const personalDataView = ({ permissions }: Pick<Caller, "permissions">): PersonalDataView =>
  permissions.has("kyc:read") ? "full" : "masked"

/** A CPF as it is shown. */
export const shownCpf = (cpf: Cpf, view: PersonalDataView): string => view === "full" ? cpf : maskCpf(cpf)

/** A PIX key masked to its last four characters. */
export const maskedKey = <A extends { readonly key: string | null }>(pix: A): A => ({
  ...pix,
  key: pix.key === null ? null : maskTail(pix.key)
})

/** A bank account masked to the last four digits of its number. */
export const maskedBank = (bank: FgtsKycBank): FgtsKycBank => ({
  ...bank,
  account_number: bank.account_number === null ? null : maskAccountNumber(bank.account_number),
  account_digit: bank.account_digit === null ? null : "*"
})
