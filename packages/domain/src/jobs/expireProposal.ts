import { Effect } from "effect"
import { type Application } from "../loan/Application.ts"
import { decideExpire, isProposalExpired } from "../loan/decideExpire.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { recordFromLender } from "./recordFromLender.ts"

/**
 * Ends a proposal that has expired (FGTS-54). Returns the stored application. If the customer's data was corrected meanwhile, the
 * proposal does not end.
 */
export const expireProposal = Effect.fnUntraced(function*(application: Application) {
  if (!isProposalExpired(application, yield* currentTimestamp)) return application
  return yield* recordFromLender(
    application,
    "application.expiry",
    (present, at) => decideExpire(present, { _tag: "ExpireProposal", at })
  )
})
