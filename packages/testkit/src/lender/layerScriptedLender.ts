import {
  CallbackRefused,
  Lender,
  LenderUnavailable,
  LenderUnsupported,
  noRequirements,
  SubmissionInvalid
} from "@lastro/domain/lender"
import {
  type ContractSubmission,
  type DisbursementResubmission,
  type LenderCancellation,
  type LenderContract,
  type LenderExits,
  type LenderRefund
} from "@lastro/domain/loan"
import { addMillis, centavos, type ProposalId } from "@lastro/domain/values"
import { Context, Effect, Layer, Ref } from "effect"
import { contractState } from "../offer/quotationFor.ts"
import { type QuoteAnswer, usualAnswer } from "./quoteAnswers.ts"
import {
  type CancellationScript,
  type InTurn,
  type LenderAction,
  type LenderCall,
  type ReadCallback,
  type ScriptedContract,
  ScriptedLender
} from "./ScriptedLender.ts"

const noAnswer = (detail: string) => new LenderUnavailable({ reason: "ASKED", detail })

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

  const handle = Effect.fnUntraced(function*(f: (script: Script) => Script) {
    const action = yield* Ref.modify(script, (now) => {
      const [action, actions] = takeNext(now.actions)
      const isHandled = action === "done" || action === "lost" || typeof action === "object"
      return [action, isHandled ? f({ ...now, actions }) : { ...now, actions }]
    })
    return action === "lost" || action === "undone" ? yield* noAnswer(`scripted: ${action}`) : action
  })
  const act = Effect.fnUntraced(function*(proposal_id: ProposalId, f: (script: Script) => Script) {
    yield* handle(f)
    return yield* findContract((contract) => contract.proposal_id === proposal_id)
  })
  const actOn = (reference: string, f: (script: Script, one: ScriptedContract) => Script) =>
    Effect.flatMap(Ref.get(script), ({ contracts }) => {
      const one = Array.from(contracts.values()).find(({ contract }) => contract.reference === reference)
      return one === undefined
        ? Effect.fail(noAnswer("no such contract"))
        : act(one.proposal_id, (now) => f(now, now.contracts.get(one.proposal_id) ?? one))
    })
  const requireExit = (name: "cancel" | "refund" | "signature_link") =>
    Effect.flatMap(
      Ref.get(script),
      ({ exits }) => exits === null || exits[name] ? Effect.void : Effect.fail(new LenderUnsupported())
    )

  const lender = Lender.of({
    requirements: noRequirements("scripted"),
    quote: Effect.fnUntraced(function*(request) {
      yield* recordCall({ _tag: "Quote", request })
      const answer = yield* Ref.modify(script, (now) => {
        const [answer, quotes] = takeNext(now.quotes)
        return [answer, { ...now, quotes }]
      })
      return yield* answer(request)
    }),
    submit: Effect.fnUntraced(function*(submission) {
      yield* recordCall({ _tag: "Submit", submission })
      const { actions: [next], contracts } = yield* Ref.get(script)
      if (typeof next !== "object" || contracts.has(submission.proposal_id)) {
        return yield* act(submission.proposal_id, (now) => addContract(now, submission))
      }
      yield* handle((now) => now)
      return yield* new SubmissionInvalid({ fields: next.invalid, message: null })
    }),
    contract: (reference) =>
      Effect.andThen(
        recordCall({ _tag: "Contract", reference }),
        findContract((stored) => stored.contract.reference === reference)
      ),
    resubmit: (resubmission) =>
      Effect.andThen(
        recordCall({ _tag: "Resubmit", resubmission }),
        act(resubmission.proposal_id, (now) => addPayment(now, resubmission))
      ),
    exits: Effect.flatMap(
      Ref.get(script),
      ({ exits }) => exits === null ? Effect.fail(noAnswer("scripted: no exits")) : Effect.succeed(exits)
    ),
    cancel: Effect.fnUntraced(function*(cancellation) {
      yield* recordCall({ _tag: "Cancel", cancellation })
      yield* requireExit("cancel")
      yield* handle((now) => addCancellation(now, cancellation))
      return (yield* Ref.get(script)).contracts.get(cancellation.proposal_id)?.contract ?? null
    }),
    refund: Effect.fnUntraced(function*(request) {
      yield* recordCall({ _tag: "Refund", request })
      yield* requireExit("refund")
      return yield* act(request.proposal_id, (now) => addRefund(now, request))
    }),
    signatureLink: Effect.fnUntraced(function*(reference) {
      yield* recordCall({ _tag: "SignatureLink", reference })
      yield* requireExit("signature_link")
      return yield* actOn(reference, addLink)
    }),
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
    setExits: (exits) => Ref.update(script, (now) => ({ ...now, exits })),
    setCancellation: (cancellation) => Ref.update(script, (now) => ({ ...now, cancellation })),
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

/** The refunded amount of a contract whose payment has no script. */
const exampleAmount = centavos(500_00)

const dayMs = 24 * 3_600_000

/** The state of a scripted lender. */
interface Script {
  readonly quotes: InTurn<QuoteAnswer>
  readonly actions: InTurn<LenderAction>
  readonly new_status: LenderContract["status"] | null
  readonly exits: LenderExits | null
  readonly cancellation: CancellationScript
  readonly calls: ReadonlyArray<LenderCall>
  readonly contracts: ReadonlyMap<ProposalId, ScriptedContract>
  /** Proposals that were cancelled before they had a contract. The lender creates no contract for them. */
  readonly barred: ReadonlySet<ProposalId>
  readonly readCallback: ReadCallback
}

/** The initial state: no calls, and support for every request. */
const emptyScript: Script = {
  quotes: [usualAnswer],
  actions: ["done"],
  new_status: null,
  exits: { cancel: true, refund: true, signature_link: true },
  cancellation: "at once",
  calls: [],
  contracts: new Map(),
  barred: new Set(),
  readCallback: () => null
}

/** Returns the first item and the rest. The last item is never removed. */
const takeNext = <A>([first, second, ...rest]: InTurn<A>): readonly [A, InTurn<A>] => [
  first,
  second === undefined ? [first] : [second, ...rest]
]

/** Adds the contract of a submission, unless there is one or the proposal was cancelled. */
const addContract = (script: Script, submission: ContractSubmission): Script => {
  const { application_id, disbursement, proposal_id } = submission
  return script.contracts.has(proposal_id) || script.barred.has(proposal_id) ? script : {
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
}

/** Adds a payment, unless it was already requested. */
const addPayment = (
  script: Script,
  { disbursement, disbursement_attempt, proposal_id }: DisbursementResubmission
): Script => {
  const existing = script.contracts.get(proposal_id)
  if (existing === undefined || existing.contract.disbursement_attempt >= disbursement_attempt) return script
  const contract = { ...existing.contract, ...contractState(script.new_status ?? "DISBURSING"), disbursement_attempt }
  return withContract(script, { ...existing, contract, payments: [...existing.payments, disbursement] })
}

const withContract = (script: Script, changed: ScriptedContract): Script => ({
  ...script,
  contracts: new Map(script.contracts).set(changed.proposal_id, changed)
})

const ended: ReadonlySet<LenderContract["status"]> = new Set([
  "PAID",
  "CANCELLED",
  "REJECTED",
  "REFUND_PENDING",
  "REFUNDED",
  "SETTLED"
])

/**
 * Cancels the contract of a proposal that is not paid. If the proposal has no contract, records that none can be
 * created.
 */
const addCancellation = (script: Script, { proposal_id }: LenderCancellation): Script => {
  const existing = script.contracts.get(proposal_id)
  if (existing === undefined) return { ...script, barred: new Set(script.barred).add(proposal_id) }
  return script.cancellation === "later" || ended.has(existing.contract.status)
    ? script
    : withContract(script, { ...existing, contract: { ...existing.contract, ...contractState("CANCELLED") } })
}

/** Starts the refund of a paid contract, once for each value of `requested_at`. */
const addRefund = (script: Script, { proposal_id, requested_at }: LenderRefund): Script => {
  const existing = script.contracts.get(proposal_id)
  const { contract, refunds = [] } = existing ?? {}
  if (existing === undefined || contract?.status !== "PAID" || refunds.includes(requested_at)) return script
  const refund = {
    amount: contract.paid?.amount ?? exampleAmount,
    pix_copy_paste: `pix-${proposal_id}-${refunds.length + 1}`,
    expires_at: addMillis(requested_at, dayMs)
  }
  return withContract(script, {
    ...existing,
    contract: { ...contract, ...contractState("REFUND_PENDING"), refund },
    refunds: [...refunds, requested_at]
  })
}

/** Replaces the signature link of a contract that is not signed. */
const addLink = (script: Script, existing: ScriptedContract): Script => {
  const { contract } = existing
  if (contract.status !== "AWAITING_SIGNATURE") return script
  const [base = "", number = "1"] = (contract.signature_url ?? "").split("#")
  return withContract(script, {
    ...existing,
    contract: { ...contract, signature_url: `${base}#${Number(number) + 1}` }
  })
}
