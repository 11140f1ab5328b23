import { type LenderContract, type ProposalId } from "@lastro/domain"
import { Effect } from "effect"
import { TestMistake } from "../given/TestMistake.ts"
import { type QuoteAnswer } from "../lender/quoteAnswers.ts"
import {
  type InTurn,
  type LenderAction,
  type LenderCall,
  type ScriptedContract,
  type ScriptedLender
} from "../lender/ScriptedLender.ts"

/**
 * Scripts the lender of a test's world and tells what it was asked. Unless it is scripted it answers each quote with two offers, and
 * contracts wait for their signature.
 */
export interface TestLender {
  /** How the next quotes are answered, one after the other; the last answer is that of all that follow. */
  readonly answersQuotes: (...answers: InTurn<QuoteAnswer>) => void
  /** What it makes of the next submissions and resubmissions, one after the other; the last deed stays. */
  readonly does: (...deeds: InTurn<LenderAction>) => void
  /** How a contract stands once it is made, and after another payment: AWAITING_SIGNATURE and DISBURSING unless told. */
  readonly bringsContractsTo: (status: LenderContract["status"]) => void
  /** Brings a contract somewhere, be it backwards. Throws a `TestMistake` for a proposal that it has no contract of. */
  readonly moves: (proposal_id: string, status: LenderContract["status"], fields?: Partial<LenderContract>) => void
  /** Every call from the first on, unanswered ones included. */
  readonly calls: () => ReadonlyArray<LenderCall>
  /** Every contract that it has. */
  readonly contracts: () => ReadonlyArray<ScriptedContract>
}

const areAnswers = (answers: ReadonlyArray<unknown>): boolean =>
  answers.length > 0 && answers.every((answer) => typeof answer === "function")

/** A scripted lender, to be scripted without Effect. */
export const testLender = (scripted: ScriptedLender["Service"]): TestLender => {
  const contracts = () => Effect.runSync(scripted.contracts)
  return {
    answersQuotes: (...answers) => {
      if (!areAnswers(answers)) {
        throw new TestMistake("answersQuotes takes answers, one at least: offering(…), refusing(…)")
      }
      Effect.runSync(scripted.answersQuotes(...answers))
    },
    does: (...deeds) => {
      if (deeds.length < 1) throw new TestMistake("does takes deeds, one at least: \"done\", \"lost\", \"undone\"")
      Effect.runSync(scripted.does(...deeds))
    },
    bringsContractsTo: (status) => Effect.runSync(scripted.bringsContractsTo(status)),
    moves: (proposal_id, status, fields) => {
      if (!contracts().some((one) => one.proposal_id === proposal_id)) {
        throw new TestMistake("the lender has no contract of this proposal: finish the work that submits it first")
      }
      Effect.runSync(scripted.moves(proposal_id as ProposalId, status, fields ?? {}))
    },
    calls: () => Effect.runSync(scripted.calls),
    contracts
  }
}
