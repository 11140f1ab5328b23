import { Result } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { type SentKey } from "../idempotency/runOnce.ts"
import { decodeBody } from "../input/decode.ts"
import { type ProposalId } from "../values/ids.ts"
import { WithdrawFromProposalRequest } from "./ApplicationRequests.ts"
import { changeProposal } from "./changeProposal.ts"

const decodeRequest = decodeBody(WithdrawFromProposalRequest)

/** Withdraws from a paid contract in the caller's subtree (right of regret). The body is untrusted. */
export const withdrawFromProposal = (
  allowed: Allowed<"fgts:write">,
  proposal_id: ProposalId,
  body: unknown,
  key?: SentKey
) =>
  changeProposal(
    allowed,
    proposal_id,
    "proposal.withdrawal",
    key,
    (at, exits) =>
      Result.map(decodeRequest(body), ({ reason }) => ({ _tag: "WithdrawFromProposal", at, reason, exits } as const))
  )
