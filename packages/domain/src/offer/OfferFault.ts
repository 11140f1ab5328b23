import { Refusal } from "../input/Refusal.ts"
import { rejectionByLastro } from "./rejectionByLastro.ts"
import { type RejectionReason } from "./RejectionReason.ts"

/** A rule that an offer of the lender can break. `detail` is for the log and contains no personal data. */
interface BrokenRule {
  readonly rule: string
  readonly detail: string
}

/** The rules that offers can break, each under the name of its fault. */
const faults = {
  COSTS_TOO_HIGH: { rule: "FGTS-16", detail: "the net amount is not positive" },
  AGAINST_POLICY: { rule: "POLICY-07", detail: "the instalments do not comply with the policy" },
  TOO_MANY_INSTALLMENTS: { rule: "FGTS-16", detail: "there are more instalments than requested" },
  WRONG_SUM: { rule: "FGTS-16", detail: "the amounts do not add up" },
  NEGATIVE_AMOUNT: { rule: "FGTS-16", detail: "a tax or a fee is negative, or the principal exceeds the gross amount" },
  NOT_NUMBERED: { rule: "FGTS-38", detail: "the instalments are not numbered 1, 2, 3 and so on" },
  DUE_TOO_EARLY: { rule: "FGTS-38", detail: "a due date is not after the release day" },
  DUE_TOO_LATE: { rule: "FGTS-38", detail: "a due date is more than 20 years after the release day" },
  NOT_ASCENDING: { rule: "FGTS-38", detail: "the due dates are not in ascending order" },
  OUTSIDE_BIRTH_MONTH: { rule: "FGTS-38", detail: "a due date is not in the customer's birth month" },
  TWO_IN_ONE_YEAR: { rule: "FGTS-38", detail: "two due dates are in the same year" },
  NOT_NEXT: { rule: "POLICY-08", detail: "a due date is not that of one of the next annual withdrawals" },
  WRONG_DAYS: { rule: "FGTS-38", detail: "the calendar days of an instalment do not match its due date" },
  WRONG_CET: { rule: "FGTS-39", detail: "the total effective cost does not match the net amount and the instalments" },
  WRONG_RATE: { rule: "FGTS-40", detail: "the monthly rate does not match the principal and the instalments" },
  RATE_TOO_HIGH: { rule: "FGTS-41", detail: "the monthly rate exceeds the limit in force" },
  NEGATIVE_PRINCIPAL: {
    rule: "FGTS-42",
    detail: "a principal is negative, but it is not the instalment less the interest since the previous due date"
  },
  FEE_NOT_STATED: { rule: "FGTS-58", detail: "the table states that it has no fee, but the fee is not 0" },
  REGISTRATION_REPEATED: { rule: "FGTS-58", detail: "the customer has already had a contract with this lender" }
} as const satisfies Readonly<Record<string, BrokenRule>>

/** The name of a fault in an offer of the lender. */
export type OfferFault = keyof typeof faults

/** The names of all faults of offers. */
export const offerFaults = Object.keys(faults) as ReadonlyArray<OfferFault>

/** An offer of the lender breaks a rule. Customers never see this offer. */
export class UnlawfulOffer
  extends Refusal("UnlawfulOffer", "An offer of the lender breaks a rule.", ["fault"])<{ readonly fault: OfferFault }>
{
  /** The id of the rule. */
  get rule(): string {
    return faults[this.fault].rule
  }

  /** The broken rule in words. For the log, without personal data. */
  get detail(): string {
    return faults[this.fault].detail
  }

  /** The rejection of the fee table: FEES_EXCEED_PRINCIPAL if the costs are too high, otherwise LENDER_POLICY. */
  get rejection(): RejectionReason {
    return rejectionByLastro(this.fault === "COSTS_TOO_HIGH" ? "COSTS_TOO_HIGH" : "UNLAWFUL_OFFER")
  }
}
