import { Equal } from "effect"
import { acceptedOffer, type Application } from "./Application.ts"
import { contractOf } from "./Proposal.ts"

const amounts = ["gross_amount", "net_amount"] as const

/**
 * The operator is warned of final terms with another net or gross amount than the accepted offer. The terms are
 * recorded, because the contract at the lender has them. Returns the changed amounts: the customer receives the
 * `net_amount`, and pays the `gross_amount`. Empty if the terms are not new.
 * @rule FGTS-80
 */
export const changedAmounts = (before: Application, after: Application): ReadonlyArray<typeof amounts[number]> => {
  const terms = termsOf(after)
  const offered = acceptedOffer(after)?.terms
  if (terms === null || offered === undefined || Equal.equals(terms, termsOf(before))) return []
  return amounts.filter((name) => terms[name] !== offered[name])
}

const termsOf = ({ proposal }: Application) => proposal === null ? null : contractOf(proposal)?.terms ?? null
