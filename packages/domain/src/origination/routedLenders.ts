import { Effect } from "effect"
import { type KycRequirements, unionOfRequirements } from "../kyc/KycRequirements.ts"
import { kycRequirementsOf } from "../lender/LenderRequirements.ts"
import { type LenderRegistry } from "../lender/Lenders.ts"
import { type QuotedLender, type QuoteRouting } from "../offer/QuotePart.ts"
import { type PartnerId } from "../values/ids.ts"

/** Returns the codes of the lenders that get new quotes of a partner now. */
export const callableLenders = (
  { lenders }: LenderRegistry,
  _partner_id: PartnerId
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.succeed(lenders.filter(({ status }) => status === "active").map(({ code }) => code))

/** Returns the codes of the lenders whose offers can be accepted now. */
export const contractingLenders = ({ lenders }: LenderRegistry): ReadonlyArray<string> =>
  lenders.filter(({ status }) => status !== "stopped").map(({ code }) => code)

/** The lenders of a new quote, its routing, and the requirements of its lenders together. */
interface QuotePlan {
  readonly lenders: ReadonlyArray<QuotedLender>
  readonly requirements: KycRequirements
  readonly routing?: QuoteRouting
}

/** Returns the plan of a new quote. In an installation that was composed with one `Lender`, it has no routing. */
export const planOf = ({ lenders, quote_patience_ms }: LenderRegistry): QuotePlan => {
  const quoted = lenders.filter(({ status }) => status === "active").map(({ code, label, lender }): QuotedLender => ({
    lender: { code, label },
    requirements: kycRequirementsOf(lender.requirements)
  }))
  return {
    lenders: quoted,
    requirements: unionOfRequirements(quoted.map(({ requirements }) => requirements)),
    ...(quote_patience_ms === null ? {} : { routing: { strategy: "ALL", patience_ms: quote_patience_ms } })
  }
}
