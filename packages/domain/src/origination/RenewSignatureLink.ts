import { Result } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { type SentKey } from "../idempotency/runOnce.ts"
import { decode } from "../input/decode.ts"
import { decideRenewLink } from "../loan/decideWithdraw.ts"
import { type ProposalId } from "../values/ids.ts"
import { changeProposal } from "./changeProposal.ts"
import { RenewSignatureLinkRequest } from "./ExitRequests.ts"

const decodeRequest = decode(RenewSignatureLinkRequest)

/** Requests a new signature link for a contract in the caller's subtree. The body is untrusted. If present, it must be empty. */
export const renewSignatureLink = (
  allowed: Allowed<"fgts:write">,
  proposal_id: ProposalId,
  body: unknown,
  key?: SentKey
) =>
  changeProposal(allowed, proposal_id, {
    key,
    action: "proposal.signature_link",
    decide: (application, at, exits) =>
      Result.flatMap(
        decodeRequest(body ?? {}),
        () => decideRenewLink(application, { _tag: "RenewSignatureLink", at, exits })
      )
  })
