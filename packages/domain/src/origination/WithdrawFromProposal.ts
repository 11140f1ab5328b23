import { Result } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { decode } from "../input/decode.ts"
import { decide } from "../loan/decide.ts"
import { type ProposalId } from "../values/ids.ts"
import { changeProposal } from "./changeProposal.ts"
import { WithdrawFromProposalRequest } from "./ExitRequests.ts"

const decodeRequest = decode(WithdrawFromProposalRequest)

/** Withdraws from a paid contract in the caller's subtree (right of regret). The body is untrusted. */
export const withdrawFromProposal = (
  allowed: Allowed<"fgts:write">,
  proposal_id: ProposalId,
  body: unknown
) =>
  changeProposal(allowed, proposal_id, {
    action: "proposal.withdrawal",
    decideFor: (application, at, exits) =>
      Result.flatMap(
        decodeRequest(body),
        ({ reason }) => decide({ _tag: "WithdrawFromProposal", at, reason, exits }, application)
      )
  })
