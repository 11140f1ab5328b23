import { type LenderContractStatus } from "@lastro/domain/loan"

/** The statuses of a contract in the order in which a lender can reach them. */
const ranks: Readonly<Record<LenderContractStatus, number>> = {
  AWAITING_SIGNATURE: 0,
  GUARANTEE_PENDING: 1,
  DISBURSING: 2,
  DISBURSEMENT_FAILED: 3,
  PAID: 4,
  REFUND_PENDING: 5,
  CANCELLED: 6,
  REJECTED: 6,
  REFUNDED: 6
}

/** Returns whether a contract can have a status at a later time. Repeated payments and expired refunds are not considered. */
export const isContractStep = (from: LenderContractStatus, to: LenderContractStatus): boolean =>
  from === to || ranks[from] < ranks[to]
