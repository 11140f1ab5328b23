import { Result } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { decode } from "../input/decode.ts"
import { decide } from "../loan/decide.ts"
import { type ProposalId } from "../values/ids.ts"
import { changeProposal } from "./changeProposal.ts"
import { RenewSignatureLinkRequest } from "./ExitRequests.ts"

const decodeRequest = decode(RenewSignatureLinkRequest)

/** Requests a new signature link for a contract in the caller's subtree. The body is untrusted. If present, it must be empty. */
export const renewSignatureLink = (
  allowed: Allowed<"fgts:write">,
  proposal_id: ProposalId,
  body: unknown
) =>
  changeProposal(allowed, proposal_id, {
    action: "proposal.signature_link",
    decideFor: (application, at, exits) =>
      Result.flatMap(decodeRequest(body ?? {}), () => decide({ _tag: "RenewSignatureLink", at, exits }, application))
  })
