import { Equal } from "effect"
import { personOf } from "../rules/personOf.ts"
import { type Change, type Complaints, quoteIn, unless } from "./complaints.ts"
import { lastQuote } from "./naiveJudgments.ts"
import { type Observed } from "./Observed.ts"

/** 4. At most one offer is ever accepted: one proposal, one contract at the lender, the same answer again. */
export const acceptsOnce = ({ after, before, done, outcome, told }: Change): Complaints => {
  const [was, is] = [before.proposal, after.proposal]
  const again = done.does === "accept" && outcome === "done" && was !== null
  return [
    was !== null && unless(
      is !== null && is.proposal_id === was.proposal_id && is.offer_id === was.offer_id && is.number === was.number &&
        Equal.equals(is.acceptance, was.acceptance) && is.created_at === was.created_at,
      "the proposal is another one"
    ),
    again && unless(Equal.equals(before, after), "accepting again changed something"),
    told.proposal_id !== undefined && unless(told.proposal_id === is?.proposal_id, "told of another proposal")
  ]
}

/** 4. The lender has no contract but that of the proposal. */
export const contractedOnce = ({ contracts, observations }: Observed): Complaints => {
  const proposal = observations.at(-1)?.after.proposal ?? null
  return [
    unless(contracts.length <= 1, `${contracts.length} contracts at the lender`),
    ...contracts.map((one) => unless(one.proposal_id === proposal?.proposal_id, "a contract without a proposal"))
  ]
}

/** 5. KYC changes until an offer is accepted; then only where to pay, while paying failed, and that pays again. */
export const locks = ({ after, before, done, outcome }: Change): Complaints => {
  if (done.does !== "kyc") {
    const old = done.does === "contract" && done.earlier_payment && after.proposal?.status === "DISBURSEMENT_FAILED"
    return [
      unless(Equal.equals(before.kyc, after.kyc), "KYC that nobody submitted"),
      old && unless(Equal.equals(before, after), "an earlier payment's failure counted for the last one")
    ]
  }
  const [was, is] = [before.proposal, after.proposal]
  if (was === null) return [unless(outcome !== "KycLocked", "KYC was locked before an offer was accepted")]
  const failed = was.status === "DISBURSEMENT_FAILED"
  const paidAgain = is?.disbursement_attempt === was.disbursement_attempt + 1
  return [
    outcome === "done" && unless(failed, "KYC was not locked"),
    outcome === "KycLocked" && unless(!failed || !done.where_to_pay_only, "where to pay could not be mended"),
    unless(outcome === "done" || Equal.equals(before, after), "a refused KYC changed something"),
    before.kyc !== null && after.kyc !== null && unless(
      Equal.equals(personOf(before.kyc), personOf(after.kyc)),
      "who the customer is changed after the acceptance"
    ),
    unless(Equal.equals(before.kyc, after.kyc) || paidAgain, "another account, and no other payment"),
    paidAgain && unless(is.status === "DISBURSING", "another payment is not under way")
  ]
}

/** 7. What was told is never lost: it is there, it ends at most once, and until it has ended there is work on it. */
export const keeps = ({ contracts, observations, work }: Observed): Complaints => {
  const last = observations.at(-1)
  if (last === undefined) return []
  const { proposal } = last.after
  const quote = lastQuote(last.after)
  const isAtWork = (attempt: number) =>
    work.some((one) => one._tag === "Contract" && one.proposal_id === proposal?.proposal_id && one.attempt === attempt)
  const asked = contracts[0]?.contract.disbursement_attempt ?? 0
  return [
    ...observations.map(({ told: { quote_id } }) =>
      quote_id !== undefined && unless(quoteIn(last.after, { quote_id }) !== undefined, "a quote is lost")
    ),
    quote.outcome === "PENDING" && unless(
      work.some((one) => one._tag === "Quote" && one.quote_id === quote.quote_id),
      "nobody works on a pending quote"
    ),
    proposal?.status === "SUBMITTING" && unless(isAtWork(1), "nobody submits a contract"),
    proposal?.status === "DISBURSING" && asked < proposal.disbursement_attempt && unless(
      isAtWork(proposal.disbursement_attempt),
      "nobody asks for another payment"
    )
  ]
}

/** 7. Facts follow each other, each counted, and nothing follows the end. */
export const ends = ({ after, before }: Change): Complaints => {
  const final = new Set(["PAID", "CANCELLED", "REJECTED"])
  const { proposal } = before
  return [
    proposal !== null && final.has(proposal.status) &&
    unless(Equal.equals(proposal, after.proposal), "a contract changed after its end"),
    unless(after.updated_at >= before.updated_at, "a fact is older than the one before it"),
    unless(
      Equal.equals(before, after) ? after.version === before.version : after.version > before.version,
      "the version does not count the facts"
    )
  ]
}
