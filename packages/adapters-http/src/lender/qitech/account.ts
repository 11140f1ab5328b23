import { type Disbursement } from "@lastro/domain/kyc"
import { type InvalidField } from "@lastro/domain/lender"
import { Result } from "effect"

/** The receiver of a payment. */
export interface Receiver {
  readonly name: string
  readonly document_number: string
}

/** QI Tech's names of account types. Other types have no published name, so they are not sent. */
const accountTypes: Readonly<Record<string, string>> = { CC: "checking_account", PG: "payment_account" }

/**
 * Converts the disbursement data to QI Tech's format of a bank account. A PIX key is sent without its type. A bank
 * account is paid by PIX, or by TED if the operator chose it. QI Tech requires a COMPE code, so an ISPB is rejected. QI
 * Tech also requires a check digit: a missing one and `X` are sent as 0.
 */
export const accountOf = (
  disbursement: Disbursement,
  receiver: Receiver,
  transfer: "pix" | "ted"
): Result.Result<object, ReadonlyArray<InvalidField>> => {
  if (disbursement.method === "PIX") {
    return Result.succeed({ ...receiver, pix_key: disbursement.pix.key, pix_transfer_type: "key" })
  }
  const { account_digit, account_number, account_type, agency, bank_code } = disbursement.bank
  if (bank_code === null || bank_code.length !== 3) {
    return Result.fail([{ field: "bank.bank_code", code: "COMPE_REQUIRED" }])
  }
  if (account_number === null || account_number.length > 10) {
    return Result.fail([{ field: "bank.account_number", code: "TOO_LONG" }])
  }
  const type = account_type === null ? undefined : accountTypes[account_type]
  return Result.succeed({
    ...receiver,
    ...(transfer === "ted" ? { transfer_method: "ted" } : { pix_transfer_type: "manual" }),
    bank_code,
    branch_number: (agency ?? "").padStart(4, "0"),
    account_number,
    account_digit: account_digit === null || account_digit === "X" ? "0" : account_digit,
    ...(type === undefined ? {} : { account_type: type }),
    percentage_receivable: 100
  })
}
