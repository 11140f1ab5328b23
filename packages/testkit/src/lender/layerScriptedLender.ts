import {
  type ContractSubmission,
  type DisbursementResubmission,
  Lender,
  type LenderContract,
  LenderUnavailable,
  type ProposalId
} from "@lastro/domain"
import { Context, Effect, Layer, Ref } from "effect"
import { type QuoteAnswer, usualAnswer } from "./quoteAnswers.ts"
import {
  type InTurn,
  type LenderAction,
  type LenderCall,
  type ScriptedContract,
  ScriptedLender
} from "./ScriptedLender.ts"
import { standing } from "./standing.ts"

interface Script {
  readonly quotes: InTurn<QuoteAnswer>
  readonly deeds: InTurn<LenderAction>
  readonly brings_to: LenderContract["status"] | null
  readonly calls: ReadonlyArray<LenderCall>
  readonly contracts: ReadonlyMap<ProposalId, ScriptedContract>
}

const blank: Script = {
  quotes: [usualAnswer],
  deeds: ["done"],
  brings_to: null,
  calls: [],
  contracts: new Map()
}

/** What comes next, and what is left then: the last one is never used up. */
const next = <A>([first, second, ...rest]: InTurn<A>): readonly [A, InTurn<A>] => [
  first,
  second === undefined ? [first] : [second, ...rest]
]

const unanswered = (detail: string) => new LenderUnavailable({ reason: "ASKED", detail })

const made = (script: Script, { application_id, disbursement, proposal_id }: ContractSubmission): Script =>
  script.contracts.has(proposal_id) ? script : {
    ...script,
    contracts: new Map(script.contracts).set(proposal_id, {
      application_id,
      proposal_id,
      contract: {
        reference: `scripted-${proposal_id}`,
        ...standing(script.brings_to ?? "AWAITING_SIGNATURE"),
        disbursement_attempt: 1
      },
      payments: [disbursement]
    })
  }

const paidAgain = (
  script: Script,
  { disbursement, disbursement_attempt, proposal_id }: DisbursementResubmission
): Script => {
  const known = script.contracts.get(proposal_id)
  if (known === undefined || known.contract.disbursement_attempt >= disbursement_attempt) return script
  const contract = { ...known.contract, ...standing(script.brings_to ?? "DISBURSING"), disbursement_attempt }
  const payments = [...known.payments, disbursement]
  return { ...script, contracts: new Map(script.contracts).set(proposal_id, { ...known, contract, payments }) }
}

const make = Effect.gen(function*() {
  const script = yield* Ref.make(blank)
  const called = (call: LenderCall) => Ref.update(script, (now) => ({ ...now, calls: [...now.calls, call] }))

  const contractOf = (isIt: (one: ScriptedContract) => boolean) =>
    Effect.flatMap(Ref.get(script), ({ contracts }) => {
      const known = Array.from(contracts.values()).find(isIt)
      return known === undefined ? Effect.fail(unanswered("no such contract")) : Effect.succeed(known.contract)
    })

  const doing = Effect.fnUntraced(function*(proposal_id: ProposalId, f: (script: Script) => Script) {
    const deed = yield* Ref.modify(script, (now) => {
      const [deed, deeds] = next(now.deeds)
      return [deed, deed === "undone" ? { ...now, deeds } : f({ ...now, deeds })]
    })
    return deed === "done"
      ? yield* contractOf((one) => one.proposal_id === proposal_id)
      : yield* unanswered(`scripted: ${deed}`)
  })

  const lender = Lender.of({
    quote: Effect.fnUntraced(function*(request) {
      yield* called({ _tag: "Quote", request })
      const answer = yield* Ref.modify(script, (now) => {
        const [answer, quotes] = next(now.quotes)
        return [answer, { ...now, quotes }]
      })
      return yield* answer(request)
    }),
    submit: (submission) =>
      Effect.andThen(
        called({ _tag: "Submit", submission }),
        doing(submission.proposal_id, (now) => made(now, submission))
      ),
    contract: (reference) =>
      Effect.andThen(
        called({ _tag: "Contract", reference }),
        contractOf((one) => one.contract.reference === reference)
      ),
    resubmit: (resubmission) =>
      Effect.andThen(
        called({ _tag: "Resubmit", resubmission }),
        doing(resubmission.proposal_id, (now) => paidAgain(now, resubmission))
      )
  })

  const scripted = ScriptedLender.of({
    answersQuotes: (...quotes) => Ref.update(script, (now) => ({ ...now, quotes })),
    does: (...deeds) => Ref.update(script, (now) => ({ ...now, deeds })),
    bringsContractsTo: (brings_to) => Ref.update(script, (now) => ({ ...now, brings_to })),
    moves: (proposal_id, status, fields = {}) =>
      Ref.update(script, (now) => {
        const known = now.contracts.get(proposal_id)
        if (known === undefined) return now
        const contract = { ...known.contract, ...standing(status), ...fields }
        return { ...now, contracts: new Map(now.contracts).set(proposal_id, { ...known, contract }) }
      }),
    knows: (contract) =>
      Ref.update(script, (now) => ({
        ...now,
        contracts: new Map(now.contracts).set(contract.proposal_id, contract)
      })),
    calls: Effect.map(Ref.get(script), ({ calls }) => calls),
    contracts: Effect.map(Ref.get(script), ({ contracts }) => Array.from(contracts.values()))
  })
  return Context.make(Lender, lender).pipe(Context.add(ScriptedLender, scripted))
})

/** A lender that a test scripts; unless it does, quotes get two offers and contracts wait for their signature. */
export const layerScriptedLender: Layer.Layer<Lender | ScriptedLender> = Layer.effectContext(make)
