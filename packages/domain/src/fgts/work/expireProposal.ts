import { Effect } from "effect"
import { currentTimestamp } from "../../time/Timestamp.ts"
import { type Application } from "../application/Application.ts"
import { decideExpire, isProposalExpired } from "../application/decideExpire.ts"
import { recordFromLender } from "./recordFromLender.ts"

/** Ends a proposal that has expired (FGTS-54). Returns the stored application. Its proposal has not ended if the data was corrected meanwhile. */
export const expireProposal = Effect.fnUntraced(function*(application: Application) {
  if (!isProposalExpired(application, yield* currentTimestamp)) return application
  return yield* recordFromLender(
    application,
    "application.expiry",
    (present, at) => decideExpire(present, { _tag: "ExpireProposal", at })
  )
})
