import { Result } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { type SentKey } from "../idempotency/runOnce.ts"
import { decodeBody } from "../input/decode.ts"
import { type ProposalId } from "../values/ids.ts"
import { RenewSignatureLinkRequest } from "./ApplicationRequests.ts"
import { changeProposal } from "./changeProposal.ts"

const decodeRequest = decodeBody(RenewSignatureLinkRequest)

/**
 * Requests a new signature link for a contract in the caller's subtree. The body is untrusted, and must be absent or
 * empty.
 */
export const renewSignatureLink = (
  allowed: Allowed<"fgts:write">,
  proposal_id: ProposalId,
  body: unknown,
  key?: SentKey
) =>
  changeProposal(
    allowed,
    proposal_id,
    "proposal.signature_link",
    key,
    (at, exits) => Result.map(decodeRequest(body ?? {}), () => ({ _tag: "RenewSignatureLink", at, exits } as const))
  )
