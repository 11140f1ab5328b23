import { Result } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { type SentKey } from "../idempotency/runOnce.ts"
import { decode } from "../input/decode.ts"
import { decideWithdraw } from "../loan/decideWithdraw.ts"
import { type ProposalId } from "../values/ids.ts"
import { changeProposal } from "./changeProposal.ts"
import { WithdrawFromProposalRequest } from "./ExitRequests.ts"

const decodeRequest = decode(WithdrawFromProposalRequest)

/** Withdraws from a paid contract in the caller's subtree (right of regret). The body is untrusted. */
export const withdrawFromProposal = (
  allowed: Allowed<"fgts:write">,
  proposal_id: ProposalId,
  body: unknown,
  key?: SentKey
) =>
  changeProposal(allowed, proposal_id, {
    key,
    action: "proposal.withdrawal",
    decide: (application, at, exits) =>
      Result.flatMap(
        decodeRequest(body),
        ({ reason }) => decideWithdraw(application, { _tag: "WithdrawFromProposal", at, reason, exits })
      )
  })
