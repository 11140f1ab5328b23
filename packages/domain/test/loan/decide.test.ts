import { assert, describe, it } from "@effect/vitest"
import { ApplicationStatus, applicationStatus } from "../../src/loan/ApplicationStatus.ts"
import { type LoanCommand } from "../../src/loan/LoanCommand.ts"
import { OfferStatus, offerStatus, QuoteStatus, quoteStatus } from "../../src/loan/OfferStatus.ts"
import { ProposalStatus } from "../../src/loan/Proposal.ts"
import { commands, type State, states } from "./states.ts"
import { answersOf, stateTable } from "./stateTable.ts"

const all: ReadonlyArray<State> = Object.values(states)

/** Fails to compile when a command is missing. */
const commandTags: Readonly<Record<LoanCommand["_tag"], true>> = {
  AcceptOffer: true,
  CancelApplication: true,
  CancelJob: true,
  ExpireProposal: true,
  PassPatience: true,
  RecordContract: true,
  RecordInvalid: true,
  RecordNoContract: true,
  RecordNotReceived: true,
  RecordQuote: true,
  RecordExitRefused: true,
  RenewSignatureLink: true,
  RequestQuote: true,
  StartSubmission: true,
  SubmitKyc: true,
  WithdrawFromProposal: true
}

describe("decide", () => {
  it("FGTS-04 FGTS-09 FGTS-11 FGTS-12 FGTS-13 FGTS-17 FGTS-19 KYC-02 T40 T42 T46 answers every command in every state", () => {
    const answers = Object.entries(states).map(([name, state]) => [name, answersOf(state)])
    assert.deepStrictEqual(Object.fromEntries(answers), stateTable)
  })

  it("is tested with every command and in every status", () => {
    const tags = Object.values(commands).map((make) => make(states.QUOTING)._tag)
    assert.sameMembers([...new Set(tags)], Object.keys(commandTags))
    const found = all.flatMap(({ application, at }) =>
      application.quotes.flatMap((quote) => [
        applicationStatus(application, at),
        quoteStatus(application, quote),
        ...quote.offers.map((offer) => offerStatus(application, quote, offer, at)),
        ...(application.proposal === null ? [] : [application.proposal.status])
      ])
    )
    for (const { literals } of [ApplicationStatus, QuoteStatus, OfferStatus, ProposalStatus]) {
      assert.includeMembers(found, [...literals])
    }
  })
})
