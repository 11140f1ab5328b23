import {
  type ContractSubmission,
  type DisbursementResubmission,
  type LenderCancellation,
  type LenderContract,
  type LenderExits,
  type LenderRefund
} from "@lastro/domain/loan"
import { centavos, millisOf, type ProposalId, timestampOf } from "@lastro/domain/values"
import { contractState } from "../offers/contractState.ts"
import { type QuoteAnswer, usualAnswer } from "./quoteAnswers.ts"
import {
  type CancellationScript,
  type InTurn,
  type LenderAction,
  type LenderCall,
  type ReadCallback,
  type ScriptedContract
} from "./ScriptedLender.ts"

/** The refunded amount of a contract whose payment was not scripted. */
const exampleAmount = centavos(500_00)

const dayMs = 24 * 3_600_000

/** The state of a scripted lender. */
export interface Script {
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

/** A lender without calls that offers every exit. */
export const emptyScript: Script = {
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

/** Returns the first item and the remaining items. The last item is never removed. */
export const takeNext = <A>([first, second, ...rest]: InTurn<A>): readonly [A, InTurn<A>] => [
  first,
  second === undefined ? [first] : [second, ...rest]
]

/** Adds the contract of a submission, unless there is one or the proposal was cancelled. */
export const addContract = (script: Script, submission: ContractSubmission): Script => {
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
export const addPayment = (
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
  "REFUNDED"
])

/** Cancels the contract of a proposal that is not paid. If the proposal has no contract, records that no contract can be created for it. */
export const addCancellation = (script: Script, { proposal_id }: LenderCancellation): Script => {
  const existing = script.contracts.get(proposal_id)
  if (existing === undefined) return { ...script, barred: new Set(script.barred).add(proposal_id) }
  return script.cancellation === "later" || ended.has(existing.contract.status)
    ? script
    : withContract(script, { ...existing, contract: { ...existing.contract, ...contractState("CANCELLED") } })
}

/** Starts the refund of a paid contract, once for each value of `requested_at`. */
export const addRefund = (script: Script, { proposal_id, requested_at }: LenderRefund): Script => {
  const existing = script.contracts.get(proposal_id)
  const { contract, refunds = [] } = existing ?? {}
  if (existing === undefined || contract?.status !== "PAID" || refunds.includes(requested_at)) return script
  const refund = {
    amount: contract.paid?.amount ?? exampleAmount,
    pix_copy_paste: `pix-${proposal_id}-${refunds.length + 1}`,
    expires_at: timestampOf(millisOf(requested_at) + dayMs)
  }
  return withContract(script, {
    ...existing,
    contract: { ...contract, ...contractState("REFUND_PENDING"), refund },
    refunds: [...refunds, requested_at]
  })
}

/** Replaces the signature link of a contract that is not signed. */
export const addLink = (script: Script, existing: ScriptedContract): Script => {
  const { contract } = existing
  if (contract.status !== "AWAITING_SIGNATURE") return script
  const [base = "", number = "1"] = (contract.signature_url ?? "").split("#")
  return withContract(script, {
    ...existing,
    contract: { ...contract, signature_url: `${base}#${Number(number) + 1}` }
  })
}
