import {
  sandboxCancellationReference,
  sandboxContract,
  sandboxInvalid,
  sandboxLinkReference,
  sandboxPaymentReference,
  sandboxReference,
  sandboxRefundReference
} from "@lastro/domain/adapters"
import { type KycValues } from "@lastro/domain/kyc"
import { type LenderContractStatus } from "@lastro/domain/loan"
import { centavos, type Cpf, type ProposalId, type Timestamp, timestampOf } from "@lastro/domain/values"
import { Option } from "effect"
import { sandboxOutcomes } from "../builders/aCustomer.ts"
import { contractBody, contractBodyV1, lenderRefOf } from "./lenderBodies.ts"

/** A contract at the recording lender. */
export interface RecordedContract {
  readonly proposal_id: string
  /** The lender's reference. It never changes. */
  readonly reference: string
  /** The numbers of the requested payment attempts. The submission of the contract requests attempt 1. */
  readonly payments: ReadonlyArray<number>
  readonly status: LenderContractStatus
  /** True if a cancellation was requested, even after the payment. */
  readonly is_cancellation_requested: boolean
  /** The times of the refund requests. Requests with the same time are one refund. */
  readonly refunds: ReadonlyArray<string>
}

/** An HTTP status and a body. */
export interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export const refusal = (status: number, message: string): Answer => ({ status, body: { message } })

/** The contracts of a lender and the operations on them. */
export interface LenderContracts {
  readonly all: () => ReadonlyArray<RecordedContract>
  readonly barred: () => ReadonlyArray<string>
  readonly submit: (key: string, body: unknown) => Answer
  readonly read: (reference: string) => Answer
  readonly pay: (reference: string, key: string, body: unknown) => Answer
  readonly cancel: (body: unknown) => Answer
  readonly refund: (reference: string, key: string, body: unknown) => Answer
  readonly link: (reference: string) => Answer
}

interface StoredContract {
  readonly proposal_id: string
  readonly reference: string
  /** The reference from which the sandbox rules compute the status of the contract. */
  sandbox: string
  /** The request body of each payment, by payment number. */
  readonly requests: Map<number, string>
  readonly refunds: Set<string>
  isCancellationRequested: boolean
}

/** The fields of a submission that this lender reads. */
interface SubmissionBody {
  readonly accepted_at: Timestamp
  readonly proposal_id: ProposalId
  readonly customer: Pick<KycValues, "address"> & { readonly cpf: Cpf }
  readonly offer: {
    readonly net_amount: number
    readonly lender_ref?: string
    readonly table: { readonly code: string }
  }
}

/**
 * Makes an idempotent store of contracts: one contract or payment for each idempotency key. A key that is used again
 * with another body gets an error.
 */
export const makeLenderContracts = (stepMs: number, version: 1 | 2, now: () => number): LenderContracts => {
  const contracts = new Map<string, StoredContract>()
  /** Proposals that were cancelled before they were submitted. */
  const cancelled = new Set<string>()

  const stateOf = ({ sandbox }: StoredContract) =>
    Option.getOrThrow(sandboxContract(sandbox, timestampOf(now()), stepMs))

  const bodyOf = (stored: StoredContract) => {
    const contract = stateOf(stored)
    const { reference } = stored
    return version === 2 ? contractBody({ ...contract, reference }) : contractBodyV1({ ...contract, reference })
  }

  const contractAnswer = (stored: StoredContract, status: number): Answer => ({ status, body: bodyOf(stored) })

  /** Answers another request for a payment that was already requested. */
  const replay = (stored: StoredContract, payment: number, request: string): Answer =>
    stored.requests.get(payment) === request
      ? contractAnswer(stored, 200)
      : refusal(409, "the idempotency key was used with another body")

  const withContract = (reference: string, act: (stored: StoredContract) => Answer): Answer => {
    const stored = Array.from(contracts.values()).find((contract) => contract.reference === reference)
    return stored === undefined ? refusal(404, "no such contract") : act(stored)
  }

  /** Stores a sandbox reference, if there is one. Answers 200 if it is the stored one, and otherwise 201. */
  const move = (stored: StoredContract, sandbox: Option.Option<string>): Answer => {
    const isSame = Option.contains(sandbox, stored.sandbox)
    stored.sandbox = Option.getOrElse(sandbox, () => stored.sandbox)
    return contractAnswer(stored, isSame ? 200 : 201)
  }

  return {
    all: () =>
      Array.from(contracts.values(), (stored) => ({
        proposal_id: stored.proposal_id,
        reference: stored.reference,
        payments: Array.from(stored.requests.keys()),
        status: stateOf(stored).status,
        is_cancellation_requested: stored.isCancellationRequested,
        refunds: Array.from(stored.refunds)
      })),
    barred: () => Array.from(cancelled),
    submit: (key, body) => {
      const { accepted_at, customer, offer, proposal_id } = body as SubmissionBody
      if (key !== proposal_id) return refusal(409, "the idempotency key is not the proposal id")
      if (cancelled.has(key)) return refusal(409, "the proposal is cancelled")
      const request = JSON.stringify(body)
      const existing = contracts.get(key)
      if (existing !== undefined) return replay(existing, 1, request)
      if (offer.lender_ref !== undefined && offer.lender_ref !== lenderRefOf(offer.table)) {
        return refusal(409, "the offer has another reference")
      }
      const fields = sandboxInvalid({ customer, kyc: customer })
      if (fields.length > 0) return { status: 422, body: { fields } }
      const net_amount = centavos(Math.round(offer.net_amount * 100))
      const isShared = customer.cpf.endsWith(sandboxOutcomes.DUPLICATE_CONTRACT)
      const contract: StoredContract = {
        proposal_id,
        reference: isShared ? "lender/shared" : `lender/${proposal_id}`,
        sandbox: sandboxReference({ accepted_at, customer, proposal_id, net_amount }),
        requests: new Map([[1, request]]),
        refunds: new Set(),
        isCancellationRequested: false
      }
      contracts.set(key, contract)
      return contractAnswer(contract, 201)
    },
    read: (reference) => withContract(reference, (stored) => contractAnswer(stored, 200)),
    pay: (reference, key, body) =>
      withContract(reference, (stored) => {
        const { disbursement_attempt, requested_at } = body as {
          readonly disbursement_attempt: number
          readonly requested_at: Timestamp
        }
        if (key !== `${stored.proposal_id}/${disbursement_attempt}`) {
          return refusal(409, "the idempotency key does not name the payment")
        }
        const request = JSON.stringify(body)
        if (stored.requests.has(disbursement_attempt)) return replay(stored, disbursement_attempt, request)
        stored.requests.set(disbursement_attempt, request)
        stored.sandbox = Option.getOrThrow(
          sandboxPaymentReference({ reference: stored.sandbox, disbursement_attempt, requested_at })
        )
        return contractAnswer(stored, 201)
      }),
    cancel: (body) => {
      const { proposal_id, reference } = body as { readonly proposal_id: string; readonly reference: string | null }
      const stored = contracts.get(proposal_id)
      if (stored === undefined) {
        cancelled.add(proposal_id)
        return { status: 200, body: { contract: null } }
      }
      if (reference !== null && reference !== stored.reference) return refusal(409, "the proposal has another contract")
      stored.isCancellationRequested = true
      // The sandbox uses the time of the request. This lender uses its own time, so that it never cancels a contract
      // that it has already shown as paid.
      const requested_at = timestampOf(now())
      move(stored, sandboxCancellationReference({ reference: stored.sandbox, requested_at }, stepMs))
      return { status: 200, body: { contract: bodyOf(stored) } }
    },
    refund: (reference, key, body) =>
      withContract(reference, (stored) => {
        const { requested_at } = body as { readonly requested_at: Timestamp }
        if (key !== `${stored.proposal_id}/${requested_at}`) {
          return refusal(409, "the idempotency key does not name the refund")
        }
        stored.refunds.add(requested_at)
        return move(stored, sandboxRefundReference({ reference: stored.sandbox, requested_at }, stepMs))
      }),
    link: (reference) =>
      withContract(
        reference,
        (stored) => move(stored, sandboxLinkReference(stored.sandbox, timestampOf(now()), stepMs))
      )
  }
}
