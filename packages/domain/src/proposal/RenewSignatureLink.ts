import { Result } from "effect"
import { decideRenewLink } from "../fgts/application/decideWithdraw.ts"
import { RenewSignatureLinkRequest } from "../fgts/origination/ExitRequests.ts"
import { type ProposalId } from "../id/ids.ts"
import { type Allowed } from "../identity/Authorization.ts"
import { decode } from "../validation/decode.ts"
import { changeProposal } from "./changeProposal.ts"

const decodeRequest = decode(RenewSignatureLinkRequest)

/** Requests a new signature link for a contract in the caller's subtree. The body is untrusted. If present, it must be empty. */
export const renewSignatureLink = (
  allowed: Allowed<"fgts:write">,
  proposal_id: ProposalId,
  body: unknown
) =>
  changeProposal(allowed, proposal_id, {
    action: "proposal.signature_link",
    decide: (application, at, exits) =>
      Result.flatMap(
        decodeRequest(body ?? {}),
        () => decideRenewLink(application, { _tag: "RenewSignatureLink", at, exits })
      )
  })
