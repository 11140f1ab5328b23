import { type LenderContract } from "@lastro/domain/loan"
import { type ProposalId } from "@lastro/domain/values"
import { PendingWork, ScriptedLender, storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { at } from "../client.ts"
import { finish, givenOpened, givenVoice, offersOf, type Voice } from "../origination.ts"

/** Polls every contract once, after a pause that makes each poll due. */
export const poll = Effect.andThen(
  TestClock.adjust("1 second"),
  Effect.flatMap(PendingWork, ({ poll }) => poll)
)

/** Opens an application with offers and a complete KYC. */
export const givenQuoted = Effect.fnUntraced(function*(voice: Voice, fields: Parameters<typeof givenOpened>[1] = {}) {
  const { customer, id, kyc } = yield* givenOpened(voice, fields)
  yield* finish
  yield* voice.submit(id, kyc)
  const [offer = "", other = ""] = offersOf(yield* voice.read(id))
  return { customer, id, offer, other }
})

/** Accepts an offer. The contract is not submitted to the lender yet. */
export const givenAccepted = Effect.gen(function*() {
  const root = yield* storeRootPartner()
  const voice = yield* givenVoice(root)
  const quoted = yield* givenQuoted(voice)
  const evidence = { terms_accepted: true, ip: "200.1.2.3", user_agent: "Mozilla/5.0" }
  const accepted = yield* voice.accept(quoted.id, quoted.offer, evidence)
  return { ...quoted, root, voice, proposal: String(at(accepted, "proposal_id")) as ProposalId }
})

/** Accepts an offer, and submits the contract to the lender, which then moves it to a status. */
export const givenContract = (status: LenderContract["status"], fields?: Partial<LenderContract>) =>
  Effect.gen(function*() {
    const accepted = yield* givenAccepted
    yield* finish
    yield* (yield* ScriptedLender).moveContract(accepted.proposal, status, fields)
    yield* poll
    return accepted
  })
