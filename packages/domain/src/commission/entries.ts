import { type CommissionBasis, type FrozenCommission } from "../loan/ContractFacts.ts"
import { saoPauloDate } from "../values/CalendarDate.ts"
import { type Centavos, centavos, subtractCentavos, zeroCentavos } from "../values/Centavos.ts"
import { type PartnerId, type ProposalId } from "../values/ids.ts"
import { addMillis, type Timestamp } from "../values/Timestamp.ts"
import { type StoredEntry } from "./CommissionEntry.ts"
import { commissionOf, type Share } from "./Share.ts"

/** An entry without its id and its period. */
export type DraftEntry = Omit<StoredEntry, "entry_id" | "period">

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

/**
 * A CLAWBACK negates an ACCRUAL. The reversal of a paid contract writes one for each ACCRUAL of the contract. It is
 * payable on the day of the reversal, but not before the ACCRUAL.
 * @rule COMM-13
 */
export const clawbacksOf = (accruals: ReadonlyArray<DraftEntry>, at: Timestamp): ReadonlyArray<DraftEntry> => {
  const today = saoPauloDate(at)
  return accruals.map((accrual) => ({
    ...accrual,
    kind: "CLAWBACK",
    amount: negated(accrual.amount),
    paid_amount: accrual.paid_amount === null ? null : negated(accrual.paid_amount),
    payable_on: today > accrual.payable_on ? today : accrual.payable_on,
    status: "OPEN",
    payout_id: null,
    occurred_at: at,
    happened_on: today
  }))
}

const negated = (amount: Centavos): Centavos => centavos(-amount)

/**
 * An ADJUSTMENT corrects the balance of a partner by an amount that is not 0. It is payable on its own day. The partner
 * and its ancestors at that time can see it. `path` begins with the partner and ends with the root.
 * @rule COMM-14
 */
export const adjustmentOf = (
  { amount, note, proposal_id }: Pick<StoredEntry, "amount" | "note" | "proposal_id">,
  path: ReadonlyArray<PartnerId>,
  partner_id: PartnerId,
  at: Timestamp
): DraftEntry => ({
  partner_id,
  viewers: path,
  proposal_id,
  kind: "ADJUSTMENT",
  amount,
  basis_amount: null,
  lender: null,
  table: null,
  seller_partner_id: null,
  payable_on: saoPauloDate(at),
  status: "OPEN",
  payout_id: null,
  occurred_at: at,
  note,
  reference: null,
  paid_amount: null,
  happened_on: saoPauloDate(at)
})
