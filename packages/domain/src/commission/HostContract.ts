import { Result, Schema } from "effect"
import { field } from "../input/field.ts"
import { Refusal } from "../input/Refusal.ts"
import { textSchema } from "../input/Text.ts"
import { type FrozenCommission } from "../loan/ContractFacts.ts"
import { PositiveReais } from "../values/Centavos.ts"
import { PartnerId, ProposalId } from "../values/ids.ts"
import { timestamp } from "../values/parseTimestamp.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type ContractAmounts } from "./accruals.ts"

/** The status of a host's contract. ENDED: it ended without a payment. */
export type HostContractStatus = "ACCEPTED" | "PAID" | "REVERSED" | "ENDED"

/** A contract of a host that has loans of its own. Its commission was frozen at its acceptance. */
export interface StoredHostContract {
  readonly contract_id: ProposalId
  readonly root_id: PartnerId
  readonly partner_id: PartnerId
  readonly status: HostContractStatus
  /** Null if nobody earns a commission. */
  readonly frozen: FrozenCommission | null
  readonly amounts: ContractAmounts
  readonly accepted_at: Timestamp
}

/** A contract of the host, in its form in answers. */
export interface HostContract {
  readonly contract_id: ProposalId
  /** The partner that sold the contract. */
  readonly partner_id: PartnerId
  readonly status: HostContractStatus
}

/** The current status of the contract does not allow the step. */
export class ContractStepRefused extends Refusal(
  "ContractStepRefused",
  "The status of the contract does not allow this step.",
  ["status"]
)<{ readonly status: HostContractStatus }> {}

const contract_id = field(ProposalId, "The host's id of the contract, a UUID")

const amounts = {
  gross_amount: field(PositiveReais, "The sum of the instalments", 1300),
  principal_amount: field(PositiveReais, "The principal", 1020),
  net_amount: field(PositiveReais, "The amount paid to the customer", 1000)
}

/** The body that records the acceptance of a contract. */
export const AcceptanceRequest = Schema.Struct({
  contract_id,
  partner_id: field(PartnerId, "The partner that sold the contract"),
  lender: field(textSchema({ min: 1, max: 64 }), "The lender's code", "bank"),
  table: field(textSchema({ min: 1, max: 64 }), "The code of the lender's fee table", "gold"),
  ...amounts
})
/** The JSON form of the body that records the acceptance of a contract. */
export type RecordAcceptanceRequest = typeof AcceptanceRequest.Encoded

/** The body that records the payment of a contract to the customer. */
export const PaymentRequest = Schema.Struct({
  contract_id,
  paid_at: field(timestamp, "When the customer was paid"),
  reference: field(
    Schema.optionalKey(textSchema({ min: 1, max: 200 })),
    "The lender's reference of the contract, which its statements name",
    "C-1"
  ),
  amounts: field(
    Schema.optionalKey(Schema.Struct(amounts)),
    "The final amounts, if they differ from those of the acceptance"
  )
})
/** The JSON form of the body that records the payment of a contract. */
export type RecordPaymentRequest = typeof PaymentRequest.Encoded

/** The body that records the reversal of a paid contract, or the end of an unpaid one. */
export const ContractRequest = Schema.Struct({ contract_id })
/** The JSON form of the body that records the reversal or the end of a contract. */
export type RecordContractRequest = typeof ContractRequest.Encoded

/**
 * A contract of the host is accepted, then paid once, and then reversed at most once. Before its payment, it can end
 * without a commission. A repeated step changes nothing, and neither does a payment after the reversal. Returns whether
 * the step changes the contract.
 * @rule COMM-26
 */
export const judgeContractStep = (
  status: HostContractStatus,
  step: Exclude<HostContractStatus, "ACCEPTED">
): Result.Result<boolean, ContractStepRefused> => {
  if (status === step || (status === "REVERSED" && step === "PAID")) return Result.succeed(false)
  const needed = step === "REVERSED" ? "PAID" : "ACCEPTED"
  return status === needed ? Result.succeed(true) : Result.fail(new ContractStepRefused({ status }))
}
