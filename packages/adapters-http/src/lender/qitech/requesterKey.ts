import { type ProposalId } from "@lastro/domain/values"

const versionAt = 14

/**
 * Returns the requester identifier key of a proposal: its id with the version digit 4 instead of 7. QI Tech documents
 * this key as a UUID of version 4 and may reject version 7. All other bits stay the same. So the key is as unique as
 * the id, is the same at each attempt, and can be converted back.
 */
export const requesterKeyOf = (proposal_id: ProposalId): string => withVersion(proposal_id, "4")

/** Returns the proposal id of a requester identifier key; null if the text is not such a key. */
export const proposalOfRequesterKey = (key: string): ProposalId | null =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(key)
    ? withVersion(key, "7") as ProposalId
    : null

const withVersion = (id: string, version: string): string =>
  `${id.slice(0, versionAt)}${version}${id.slice(versionAt + 1)}`
