import { type CommissionBasis, type FrozenCommission } from "../loan/ContractFacts.ts"
import { saoPauloDate } from "../values/CalendarDate.ts"
import { type Centavos, subtractCentavos, zeroCentavos } from "../values/Centavos.ts"
import { type ProposalId } from "../values/ids.ts"
import { addMillis, type Timestamp } from "../values/Timestamp.ts"
import { type DraftEntry } from "./entries.ts"
import { commissionOf, type Share } from "./Share.ts"

/** The fields of a contract's payment that the ledger needs. */
export interface PaidContract {
  readonly proposal_id: ProposalId
  readonly frozen: FrozenCommission
  /** The basis amount of the lender's final terms, or else of the offer. */
  readonly basis_amount: Centavos
  /** The lender's reference of the contract. */
  readonly reference: string | null
  /** The amount that was paid to the customer; null if it is unknown. */
  readonly paid_amount: Centavos | null
  /** The time of the payment. */
  readonly paid_at: Timestamp
  /** The time at which the payment is recorded. */
  readonly at: Timestamp
}

/** The amounts of a contract to which a commission rate can apply. */
export interface ContractAmounts {
  /** The sum of the instalments. */
  readonly gross_amount: Centavos
  readonly principal_amount: Centavos
  /** The amount paid to the customer. */
  readonly net_amount: Centavos
}

const basisOf: Readonly<Record<CommissionBasis, (amounts: ContractAmounts) => Centavos>> = {
  GROSS: ({ gross_amount }) => gross_amount,
  PRINCIPAL: ({ principal_amount }) => principal_amount,
  NET: ({ net_amount }) => net_amount
}

/** Returns the amount of a contract to which the commission rates apply. */
export const basisAmountOf = (basis: CommissionBasis, amounts: ContractAmounts): Centavos => basisOf[basis](amounts)

/**
 * Each partner of the frozen chain of a paid contract gets one ACCRUAL, unless its amount is 0. The amount is the
 * commission that reaches the partner, less the commission that reaches the next partner below. The seller is the last
 * partner and passes nothing on. No amount is negative, and their sum is the commission that reaches the root. An
 * ACCRUAL is payable after the hold.
 * @rule COMM-12
 */
export const accrualsOf = (
  { at, basis_amount, frozen, paid_amount, paid_at, proposal_id, reference }: PaidContract,
  hold_ms: number
): ReadonlyArray<DraftEntry> => {
  const { chain, lender, table } = frozen
  const reaching = amountsReaching(chain, basis_amount)
  const path = chain.map(({ partner_id }) => partner_id)
  const seller_partner_id = path.at(-1) ?? null
  return chain.flatMap(({ partner_id }, index) => {
    const amount = keptBy(index, reaching)
    return amount === 0 ? [] : [{
      partner_id,
      // The partner and its ancestors, nearest first.
      viewers: path.slice(0, index + 1).toReversed(),
      proposal_id,
      kind: "ACCRUAL" as const,
      amount,
      basis_amount,
      lender,
      table,
      seller_partner_id,
      payable_on: saoPauloDate(addMillis(paid_at, hold_ms)),
      status: "OPEN" as const,
      payout_id: null,
      occurred_at: at,
      note: null,
      reference,
      paid_amount,
      happened_on: saoPauloDate(paid_at)
    }]
  })
}

/** Returns the commission that reaches each partner of a chain, from the root to the seller. */
const amountsReaching = (chain: FrozenCommission["chain"], basis_amount: Centavos): ReadonlyArray<Centavos> =>
  chain.map((_, index) =>
    // A frozen share is stored as a number. It was a `Share` when it was frozen.
    commissionOf(basis_amount, chain.slice(0, index + 1).map(({ share }) => share as Share))
  )

/** Returns the commission that the partner at this index keeps. The seller passes nothing on. */
const keptBy = (index: number, reaching: ReadonlyArray<Centavos>): Centavos =>
  subtractCentavos(reaching[index] ?? zeroCentavos, reaching[index + 1] ?? zeroCentavos)
