import { Equal } from "effect"
import { snapshotOf } from "./Evidence.ts"
import { type LoanRule, onEveryStep } from "./LoanRule.ts"
import { findQuote } from "./quoteRules.ts"

const isFinal = (status: string): boolean => ["CANCELLED", "REJECTED", "REFUNDED", "SETTLED"].includes(status)

/** Rule 7: data that was returned to callers is stored, pending work has a job, and changes are recorded in order. */
export const durabilityRules: ReadonlyArray<LoanRule> = [
  {
    rule: 7,
    statement: "Every quote in a response is stored",
    isKept: ({ application, responses }) =>
      responses.every((response) => response._tag !== "Quoting" || findQuote(application, response) !== undefined)
  },
  {
    rule: 7,
    statement: "Every pending quote has a job",
    isKept: ({ application: { quotes }, pending }) =>
      quotes.every(({ outcome, quote_id }) =>
        outcome !== "PENDING" || pending.some((work) => work.kind === "quote" && work.id === quote_id)
      )
  },
  {
    rule: 7,
    statement: "Every contract and payment that the lender has not received has a job",
    isKept: ({ application: { proposal }, contracts, pending }) => {
      if (proposal === null) return true
      const { disbursement_attempt, proposal_id } = proposal
      const received = contracts[0]?.contract.disbursement_attempt ?? 0
      const isWaiting = proposal.status === "SUBMITTING"
        ? proposal.contract === null
        : proposal.status === "DISBURSING" && received < disbursement_attempt
      return !isWaiting || pending.some((work) => work.kind === "contract" && work.id === proposal_id)
    }
  },
  onEveryStep(
    7,
    "A contract never changes after its end",
    ({ after, before: { proposal } }) =>
      proposal === null || !isFinal(proposal.status) || Equal.equals(proposal, after.proposal)
  ),
  onEveryStep(7, "`updated_at` never decreases", ({ after, before }) => after.updated_at >= before.updated_at),
  onEveryStep(
    7,
    "`version` increases with every change, and only then",
    ({ after, before }) =>
      Equal.equals(before, after) ? after.version === before.version : after.version > before.version
  ),
  {
    rule: 7,
    statement:
      "Each audited change starts from the result of the previous one, and the last result is the stored state",
    isKept: ({ application, audit }) =>
      audit === null ||
      (audit.every(({ before }, index) => Equal.equals(before, audit[index - 1]?.after ?? null)) &&
        Equal.equals(audit.at(-1)?.after, snapshotOf(application)))
  }
]
