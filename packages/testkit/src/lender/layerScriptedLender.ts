import { type ProposalId } from "@lastro/domain/id"
import {
  CallbackRefused,
  type ContractSubmission,
  type DisbursementResubmission,
  Lender,
  type LenderContract,
  LenderUnavailable,
  noRequirements,
  withoutExits
} from "@lastro/domain/lender"
import { Context, Effect, Layer, Ref } from "effect"
import { contractState } from "../offers/contractState.ts"
import { type QuoteAnswer, usualAnswer } from "./quoteAnswers.ts"
import {
  type InTurn,
  type LenderAction,
  type LenderCall,
  type ReadCallback,
  type ScriptedContract,
  ScriptedLender
} from "./ScriptedLender.ts"

interface Script {
  readonly quotes: InTurn<QuoteAnswer>
  readonly actions: InTurn<LenderAction>
  readonly new_status: LenderContract["status"] | null
  readonly calls: ReadonlyArray<LenderCall>
  readonly contracts: ReadonlyMap<ProposalId, ScriptedContract>
  readonly readCallback: ReadCallback
}

const emptyScript: Script = {
  quotes: [usualAnswer],
  actions: ["done"],
  new_status: null,
  calls: [],
  contracts: new Map(),
  readCallback: () => null
}

/** Returns the first item and the remaining items. The last item is never removed. */
const takeNext = <A>([first, second, ...rest]: InTurn<A>): readonly [A, InTurn<A>] => [
  first,
  second === undefined ? [first] : [second, ...rest]
]

const noAnswer = (detail: string) => new LenderUnavailable({ reason: "ASKED", detail })

const addContract = (script: Script, { application_id, disbursement, proposal_id }: ContractSubmission): Script =>
  script.contracts.has(proposal_id) ? script : {
    ...script,
    contracts: new Map(script.contracts).set(proposal_id, {
      application_id,
      proposal_id,
      contract: {
        reference: `scripted-${proposal_id}`,
        ...contractState(script.new_status ?? "AWAITING_SIGNATURE"),
        disbursement_attempt: 1
      },
      payments: [disbursement]
    })
  }

const addPayment = (
  script: Script,
  { disbursement, disbursement_attempt, proposal_id }: DisbursementResubmission
): Script => {
  const existing = script.contracts.get(proposal_id)
  if (existing === undefined || existing.contract.disbursement_attempt >= disbursement_attempt) return script
  const contract = { ...existing.contract, ...contractState(script.new_status ?? "DISBURSING"), disbursement_attempt }
  const payments = [...existing.payments, disbursement]
  return { ...script, contracts: new Map(script.contracts).set(proposal_id, { ...existing, contract, payments }) }
}

const make = Effect.gen(function*() {
  const script = yield* Ref.make(emptyScript)
  const recordCall = (call: LenderCall) => Ref.update(script, (now) => ({ ...now, calls: [...now.calls, call] }))

  const findContract = (matches: (one: ScriptedContract) => boolean) =>
    Effect.flatMap(Ref.get(script), ({ contracts }) => {
      const existing = Array.from(contracts.values()).find(matches)
      return existing === undefined
        ? Effect.fail(noAnswer("no such contract"))
        : Effect.succeed(existing.contract)
    })

  const act = Effect.fnUntraced(function*(proposal_id: ProposalId, f: (script: Script) => Script) {
    const action = yield* Ref.modify(script, (now) => {
      const [action, actions] = takeNext(now.actions)
      return [action, action === "undone" ? { ...now, actions } : f({ ...now, actions })]
    })
    return action === "done"
      ? yield* findContract((one) => one.proposal_id === proposal_id)
      : yield* noAnswer(`scripted: ${action}`)
  })

  const lender = Lender.of({
    ...withoutExits,
    requirements: noRequirements("scripted"),
    quote: Effect.fnUntraced(function*(request) {
      yield* recordCall({ _tag: "Quote", request })
      const answer = yield* Ref.modify(script, (now) => {
        const [answer, quotes] = takeNext(now.quotes)
        return [answer, { ...now, quotes }]
      })
      return yield* answer(request)
    }),
    submit: (submission) =>
      Effect.andThen(
        recordCall({ _tag: "Submit", submission }),
        act(submission.proposal_id, (now) => addContract(now, submission))
      ),
    contract: (reference) =>
      Effect.andThen(
        recordCall({ _tag: "Contract", reference }),
        findContract((one) => one.contract.reference === reference)
      ),
    resubmit: (resubmission) =>
      Effect.andThen(
        recordCall({ _tag: "Resubmit", resubmission }),
        act(resubmission.proposal_id, (now) => addPayment(now, resubmission))
      ),
    callback: (callback) =>
      Effect.flatMap(Ref.get(script), ({ readCallback }) => {
        const targets = readCallback(callback)
        return targets === null
          ? Effect.fail(new CallbackRefused({ detail: "scripted" }))
          : Effect.succeed(targets)
      })
  })

  const scripted = ScriptedLender.of({
    setQuoteAnswers: (...quotes) => Ref.update(script, (now) => ({ ...now, quotes })),
    setActions: (...actions) => Ref.update(script, (now) => ({ ...now, actions })),
    setContractStatus: (new_status) => Ref.update(script, (now) => ({ ...now, new_status })),
    moveContract: (proposal_id, status, fields = {}) =>
      Ref.update(script, (now) => {
        const existing = now.contracts.get(proposal_id)
        if (existing === undefined) return now
        const contract = { ...existing.contract, ...contractState(status), ...fields }
        return { ...now, contracts: new Map(now.contracts).set(proposal_id, { ...existing, contract }) }
      }),
    addContract: (contract) =>
      Ref.update(script, (now) => ({
        ...now,
        contracts: new Map(now.contracts).set(contract.proposal_id, contract)
      })),
    setCallbacks: (readCallback) => Ref.update(script, (now) => ({ ...now, readCallback })),
    calls: Effect.map(Ref.get(script), ({ calls }) => calls),
    contracts: Effect.map(Ref.get(script), ({ contracts }) => Array.from(contracts.values()))
  })
  return Context.make(Lender, lender).pipe(Context.add(ScriptedLender, scripted))
})

/** A scripted lender. Default: each quote gets two offers, and new contracts await the customer's signature. */
export const layerScriptedLender: Layer.Layer<Lender | ScriptedLender> = Layer.effectContext(make)
