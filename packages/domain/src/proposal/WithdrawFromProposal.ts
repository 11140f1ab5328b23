import { Result } from "effect"
import { decideWithdraw } from "../fgts/application/decideWithdraw.ts"
import { WithdrawFromProposalRequest } from "../fgts/origination/ExitRequests.ts"
import { type ProposalId } from "../id/ids.ts"
import { type Allowed } from "../identity/Authorization.ts"
import { decode } from "../validation/decode.ts"
import { changeProposal } from "./changeProposal.ts"

const decodeRequest = decode(WithdrawFromProposalRequest)

/** Withdraws from a paid contract in the caller's subtree (right of regret). The body is untrusted. */
export const withdrawFromProposal = (
  allowed: Allowed<"fgts:write">,
  proposal_id: ProposalId,
  body: unknown
) =>
  changeProposal(allowed, proposal_id, {
    action: "proposal.withdrawal",
    decide: (application, at, exits) =>
      Result.flatMap(
        decodeRequest(body),
        ({ reason }) => decideWithdraw(application, { _tag: "WithdrawFromProposal", at, reason, exits })
      )
  })
