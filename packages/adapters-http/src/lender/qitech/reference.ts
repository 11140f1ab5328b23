import { type ProposalId } from "@lastro/domain/values"

/** The parts of a contract reference: the key of the debt, and the payment attempt. */
interface DebtReference {
  readonly key: string
  /** The number of the payment attempt, starting at 1. */
  readonly attempt: number
}

/**
 * Makes the reference of a contract: the key of its debt. From the second payment attempt on, `/` and the number of the
 * attempt follow, because QI Tech does not number attempts.
 */
export const referenceOf = ({ attempt, key }: DebtReference): string => attempt === 1 ? key : `${key}/${attempt}`

/** Splits a contract reference into the key of the debt and the payment attempt. */
export const readReference = (reference: string): DebtReference => {
  const [key = "", attempt] = reference.split("/")
  return { key, attempt: attempt === undefined ? 1 : Number(attempt) }
}

/** The index of the version digit in a UUID. */
const versionAt = 14

/**
 * Returns the requester identifier key of a proposal: its id with the version digit 4 instead of 7. QI Tech documents
 * this key as a UUID of version 4, and may reject version 7. All other bits stay the same. So the key is as unique as
 * the id, equal at each attempt, and can be converted back.
 */
export const requesterKeyOf = (proposal_id: ProposalId): string => withVersion(proposal_id, "4")

/** Returns the proposal id of a requester identifier key. Null if the text is not such a key. */
export const proposalOfRequesterKey = (key: string): ProposalId | null =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(key)
    ? withVersion(key, "7") as ProposalId
    : null

const withVersion = (id: string, version: string): string =>
  `${id.slice(0, versionAt)}${version}${id.slice(versionAt + 1)}`
