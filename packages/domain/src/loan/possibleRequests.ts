import { Result } from "effect"
import { type Timestamp } from "../values/Timestamp.ts"
import { type Application } from "./Application.ts"
import { decide } from "./decide.ts"
import { isQuotable } from "./decideQuote.ts"
import { type LenderExits } from "./LenderContract.ts"
import { type LoanCommand } from "./LoanCommand.ts"

/** The requests of a caller that would change an application now. */
export interface PossibleRequests {
  readonly quote: boolean
  readonly cancellation: boolean
  readonly withdrawal: boolean
  readonly signature_link: boolean
}

/**
 * A request is offered to a user exactly if it would be accepted now and change the application. A request that the
 * lender does not support is not offered. If the lender's support is unknown, the request is offered.
 * @rule FGTS-77
 */
export const possibleRequests = (
  application: Application,
  at: Timestamp,
  exits: LenderExits | null
): PossibleRequests => {
  const changes = (command: LoanCommand): boolean =>
    Result.match(decide(command, application), {
      onSuccess: ({ length }) => length > 0,
      onFailure: () => false
    })
  return {
    quote: isQuotable(application, at),
    cancellation: changes({ _tag: "CancelApplication", at, reason: "OTHER", exits }),
    withdrawal: changes({ _tag: "WithdrawFromProposal", at, reason: "OTHER", exits }),
    signature_link: changes({ _tag: "RenewSignatureLink", at, exits })
  }
}
