import { assert, describe, it } from "@effect/vitest"
import { type Proposal } from "../../src/loan/Proposal.ts"
import {
  ProposalUnreadable,
  readProposal,
  type StoredProposal,
  storeProposal
} from "../../src/origination/storedProposal.ts"
import { forHistories } from "../loan/randomHistories.ts"
import { type State, states } from "../loan/states.ts"
import { firstStatuses, laterFields } from "./firstVersion.ts"
import stored from "./storedProposals.json" with { type: "json" }

/** The proposals that version 0.1.0 stored for the states of the exhaustive table. */
const samples = Object.entries(stored.samples).map(([name, sample]) =>
  [name, { ...stored.facts, ...sample } as unknown as StoredProposal] as const
)

const proposalIn = (name: string): Proposal => {
  const { proposal } = (states as Readonly<Record<string, State>>)[name]?.application ?? { proposal: null }
  return proposal ?? assert.fail(`${name} has no proposal`)
}

describe("stored proposals", () => {
  it("a proposal is read as it was stored, in every state of a random history", () => {
    forHistories((played) => {
      for (const { after: { proposal } } of played) {
        if (proposal === null) continue
        const text = JSON.stringify(storeProposal(proposal))
        assert.deepStrictEqual(readProposal(JSON.parse(text) as StoredProposal), proposal)
      }
    })
  })

  it.each(samples)("a proposal of version 0.1.0 is read: %s", (name, sample) => {
    const expected = proposalIn(name)
    const read = readProposal(sample)
    // The example of a conflict has had another reference since.
    const conflict = "conflicting_reference" in read && read.conflicting_reference !== null
    assert.deepStrictEqual(conflict ? { ...read, conflicting_reference: "taken" } : read, expected)
    assert.deepStrictEqual(readProposal(storeProposal(read)), read)
  })

  it("a proposal of the first version is read, and the lender may have its contract", () => {
    let seen = 0
    for (const [name, sample] of samples) {
      if (!firstStatuses.includes(sample.status)) continue
      seen += 1
      const old = Object.fromEntries(Object.entries(sample).filter(([field]) => !laterFields.includes(field)))
      const read = readProposal(old as unknown as StoredProposal)
      assert.strictEqual(read.status, sample.status, name)
      assert.deepInclude(read, { submitted_at: sample.created_at, invisible_events: 0, origin: null })
    }
    assert.isAbove(seen, 8)
  })

  it("a proposal without the contract that its status requires is unreadable", () => {
    for (const [, sample] of samples) {
      if (sample.reference === null) continue
      if (sample.status === "CANCELLED" || sample.cancellation?.from === "SUBMITTING") continue
      assert.throws(() => readProposal({ ...sample, reference: null }), ProposalUnreadable)
    }
  })
})
