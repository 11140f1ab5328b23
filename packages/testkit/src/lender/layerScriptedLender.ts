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
  const state = yield* Ref.make(emptyScript)
  const recordCall = (call: LenderCall) =>
    Ref.update(state, (script) => ({ ...script, calls: [...script.calls, call] }))

  const findContract = (matches: (stored: ScriptedContract) => boolean) =>
    Effect.flatMap(Ref.get(state), ({ contracts }) => {
      const stored = Array.from(contracts.values()).find(matches)
      return stored === undefined ? Effect.fail(noAnswer("no such contract")) : Effect.succeed(stored)
    })

  /** Takes the next action, and applies `change` if the lender handles the call. Fails if the call gets no answer. */
  const handle = Effect.fnUntraced(function*(change: (script: Script) => Script) {
    const action = yield* Ref.modify(state, (script) => {
      const [action, actions] = takeNext(script.actions)
      const isHandled = action !== "undone"
      return [action, isHandled ? change({ ...script, actions }) : { ...script, actions }]
    })
    return action === "lost" || action === "undone" ? yield* noAnswer(`scripted: ${action}`) : action
  })

  /** Handles a call about a proposal, and returns its contract. */
  const act = Effect.fnUntraced(function*(proposal_id: ProposalId, change: (script: Script) => Script) {
    yield* handle(change)
    return (yield* findContract((stored) => stored.proposal_id === proposal_id)).contract
  })

  const requireExit = (name: "cancel" | "refund" | "signature_link") =>
    Effect.flatMap(
      Ref.get(state),
      ({ exits }) => exits === null || exits[name] ? Effect.void : Effect.fail(new LenderUnsupported())
    )

  const lender = Lender.of({
    requirements: noRequirements("scripted"),
    quote: Effect.fnUntraced(function*(request) {
      yield* recordCall({ _tag: "Quote", request })
      const answer = yield* Ref.modify(state, (script) => {
        const [answer, quotes] = takeNext(script.quotes)
        return [answer, { ...script, quotes }]
      })
      return yield* answer(request)
    }),
    submit: Effect.fnUntraced(function*(submission) {
      yield* recordCall({ _tag: "Submit", submission })
      const { actions: [next], contracts } = yield* Ref.get(state)
      if (typeof next !== "object" || contracts.has(submission.proposal_id)) {
        return yield* act(submission.proposal_id, (script) => addContract(script, submission))
      }
      yield* handle((script) => script)
      return yield* new SubmissionInvalid({ fields: next.invalid, message: null })
    }),
    contract: (reference) =>
      Effect.andThen(
        recordCall({ _tag: "Contract", reference }),
        Effect.map(findContract((stored) => stored.contract.reference === reference), ({ contract }) => contract)
      ),
    resubmit: (resubmission) =>
      Effect.andThen(
        recordCall({ _tag: "Resubmit", resubmission }),
        act(resubmission.proposal_id, (script) => addPayment(script, resubmission))
      ),
    exits: Effect.flatMap(
      Ref.get(state),
      ({ exits }) => exits === null ? Effect.fail(noAnswer("scripted: no exits")) : Effect.succeed(exits)
    ),
    cancel: Effect.fnUntraced(function*(cancellation) {
      yield* recordCall({ _tag: "Cancel", cancellation })
      yield* requireExit("cancel")
      yield* handle((script) => addCancellation(script, cancellation))
      return (yield* Ref.get(state)).contracts.get(cancellation.proposal_id)?.contract ?? null
    }),
    refund: Effect.fnUntraced(function*(request) {
      yield* recordCall({ _tag: "Refund", request })
      yield* requireExit("refund")
      return yield* act(request.proposal_id, (script) => addRefund(script, request))
    }),
    signatureLink: Effect.fnUntraced(function*(reference) {
      yield* recordCall({ _tag: "SignatureLink", reference })
      yield* requireExit("signature_link")
      const { proposal_id } = yield* findContract(({ contract }) => contract.reference === reference)
      return yield* act(proposal_id, (script) => addLink(script, proposal_id))
    }),
    callback: (callback) =>
      Effect.flatMap(Ref.get(state), ({ readCallback }) => {
        const targets = readCallback(callback)
        return targets === null
          ? Effect.fail(new CallbackRefused({ detail: "scripted" }))
          : Effect.succeed(targets)
      })
  })

  const scripted = ScriptedLender.of({
    setQuoteAnswers: (...quotes) => Ref.update(state, (script) => ({ ...script, quotes })),
    setActions: (...actions) => Ref.update(state, (script) => ({ ...script, actions })),
    setContractStatus: (new_status) => Ref.update(state, (script) => ({ ...script, new_status })),
    setExits: (exits) => Ref.update(state, (script) => ({ ...script, exits })),
    setCancellation: (cancellation) => Ref.update(state, (script) => ({ ...script, cancellation })),
    moveContract: (proposal_id, status, fields = {}) =>
      Ref.update(state, (script) => {
        const existing = script.contracts.get(proposal_id)
        if (existing === undefined) return script
        return withContract(script, {
          ...existing,
          contract: { ...existing.contract, ...contractState(status), ...fields }
        })
      }),
    addContract: (contract) => Ref.update(state, (script) => withContract(script, contract)),
    setCallbacks: (readCallback) => Ref.update(state, (script) => ({ ...script, readCallback })),
    calls: Effect.map(Ref.get(state), ({ calls }) => calls),
    contracts: Effect.map(Ref.get(state), ({ contracts }) => Array.from(contracts.values()))
  })
  return Context.make(Lender, lender).pipe(Context.add(ScriptedLender, scripted))
})

/** A scripted lender. Default: each quote gets two offers, and new contracts await the customer's signature. */
export const layerScriptedLender: Layer.Layer<Lender | ScriptedLender> = Layer.effectContext(make)

/** The refunded amount of a contract whose paid amount is not set. */
const exampleAmount = centavos(500_00)

const dayMs = 24 * 3_600_000

/** The script and the records of a scripted lender. */
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
  if (script.contracts.has(proposal_id) || script.barred.has(proposal_id)) return script
  return withContract(script, {
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

/** Adds or replaces a contract. */
const withContract = (script: Script, changed: ScriptedContract): Script => ({
  ...script,
  contracts: new Map(script.contracts).set(changed.proposal_id, changed)
})

/** The statuses in which a cancellation comes too late. */
const tooLateToCancel: ReadonlySet<LenderContract["status"]> = new Set([
  "PAID",
  "CANCELLED",
  "REJECTED",
  "REFUND_PENDING",
  "REFUNDED",
  "SETTLED"
])

/**
 * Cancels the contract of a proposal, unless it is too late. If the proposal has no contract, records that none can be
 * created.
 */
const addCancellation = (script: Script, { proposal_id }: LenderCancellation): Script => {
  const existing = script.contracts.get(proposal_id)
  if (existing === undefined) return { ...script, barred: new Set(script.barred).add(proposal_id) }
  return script.cancellation === "later" || tooLateToCancel.has(existing.contract.status)
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
const addLink = (script: Script, proposal_id: ProposalId): Script => {
  const existing = script.contracts.get(proposal_id)
  if (existing?.contract.status !== "AWAITING_SIGNATURE") return script
  const { contract } = existing
  const [base = "", number = "1"] = (contract.signature_url ?? "").split("#")
  return withContract(script, {
    ...existing,
    contract: { ...contract, signature_url: `${base}#${Number(number) + 1}` }
  })
}
