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
 * Makes an idempotent store of contracts: one contract or payment for each idempotency key. A key that is reused with
 * another body gets an error.
 */
export const makeLenderContracts = (stepMs: number, version: 1 | 2, now: () => number): LenderContracts => {
  const contracts = new Map<string, StoredContract>()
  /** Proposals that were cancelled before they were submitted. */
  const cancelled = new Set<string>()

  const stateOf = ({ sandbox }: StoredContract) =>
    Option.getOrThrow(sandboxContract(sandbox, timestampOf(now()), stepMs))

  const bodyOf = (kept: StoredContract) => {
    const contract = stateOf(kept)
    const { reference } = kept
    return version === 2 ? contractBody({ ...contract, reference }) : contractBodyV1({ ...contract, reference })
  }

  const contractAnswer = (kept: StoredContract, status: number): Answer => ({ status, body: bodyOf(kept) })

  /**
   * Returns whether a request is the first one with its idempotency key. Undefined if the first one had another body.
   */
  const isNew = (kept: StoredContract, payment: number, request: string): boolean | undefined => {
    const stored = kept.requests.get(payment)
    if (stored === undefined) return true
    return stored === request ? false : undefined
  }

  const replay = (kept: StoredContract, isFirst: boolean | undefined): Answer =>
    isFirst === undefined
      ? refusal(409, "the idempotency key was used with another body")
      : contractAnswer(kept, isFirst ? 201 : 200)

  const withContract = (reference: string, act: (kept: StoredContract) => Answer): Answer => {
    const kept = Array.from(contracts.values()).find((contract) => contract.reference === reference)
    return kept === undefined ? refusal(404, "no such contract") : act(kept)
  }

  /** Stores a new sandbox reference, if there is one, and returns the answer with the state of the contract. */
  const move = (kept: StoredContract, sandbox: Option.Option<string>): Answer => {
    const isSame = Option.contains(sandbox, kept.sandbox)
    kept.sandbox = Option.getOrElse(sandbox, () => kept.sandbox)
    return contractAnswer(kept, isSame ? 200 : 201)
  }

  return {
    all: () =>
      Array.from(contracts.values(), (kept) => ({
        proposal_id: kept.proposal_id,
        reference: kept.reference,
        payments: Array.from(kept.requests.keys()),
        status: stateOf(kept).status,
        is_cancellation_requested: kept.isCancellationRequested,
        refunds: Array.from(kept.refunds)
      })),
    barred: () => Array.from(cancelled),
    submit: (key, body) => {
      const { accepted_at, customer, offer, proposal_id } = body as SubmissionBody
      if (key !== proposal_id) return refusal(409, "the idempotency key is not the proposal id")
      if (cancelled.has(key)) return refusal(409, "the proposal is cancelled")
      const request = JSON.stringify(body)
      const existing = contracts.get(key)
      if (existing !== undefined) return replay(existing, isNew(existing, 1, request))
      if (offer.lender_ref !== undefined && offer.lender_ref !== lenderRefOf(offer.table)) {
        return refusal(409, "the offer has another reference")
      }
      const fields = sandboxInvalid({ customer, kyc: customer })
      if (fields.length > 0) return { status: 422, body: { fields } }
      const net_amount = centavos(Math.round(offer.net_amount * 100))
      const isShared = customer.cpf.endsWith("76")
      const made: StoredContract = {
        proposal_id,
        reference: isShared ? "lender/shared" : `lender/${proposal_id}`,
        sandbox: sandboxReference({ accepted_at, customer, proposal_id, net_amount }),
        requests: new Map([[1, request]]),
        refunds: new Set(),
        isCancellationRequested: false
      }
      contracts.set(key, made)
      return contractAnswer(made, 201)
    },
    read: (reference) => withContract(reference, (kept) => contractAnswer(kept, 200)),
    pay: (reference, key, body) =>
      withContract(reference, (kept) => {
        const { disbursement_attempt, requested_at } = body as {
          readonly disbursement_attempt: number
          readonly requested_at: Timestamp
        }
        if (key !== `${kept.proposal_id}/${disbursement_attempt}`) {
          return refusal(409, "the idempotency key does not name the payment")
        }
        const request = JSON.stringify(body)
        const isFirst = isNew(kept, disbursement_attempt, request)
        if (isFirst === true) {
          kept.requests.set(disbursement_attempt, request)
          kept.sandbox = Option.getOrThrow(
            sandboxPaymentReference({ reference: kept.sandbox, disbursement_attempt, requested_at })
          )
        }
        return replay(kept, isFirst)
      }),
    cancel: (body) => {
      const { proposal_id, reference } = body as { readonly proposal_id: string; readonly reference: string | null }
      const kept = contracts.get(proposal_id)
      if (kept === undefined) {
        cancelled.add(proposal_id)
        return { status: 200, body: { contract: null } }
      }
      if (reference !== null && reference !== kept.reference) return refusal(409, "the proposal has another contract")
      kept.isCancellationRequested = true
      // The sandbox uses the time of the request. This lender uses its own time, so that it never cancels a contract
      // that it has already shown as paid.
      const requested_at = timestampOf(now())
      move(kept, sandboxCancellationReference({ reference: kept.sandbox, requested_at }, stepMs))
      return { status: 200, body: { contract: bodyOf(kept) } }
    },
    refund: (reference, key, body) =>
      withContract(reference, (kept) => {
        const { requested_at } = body as { readonly requested_at: Timestamp }
        if (key !== `${kept.proposal_id}/${requested_at}`) {
          return refusal(409, "the idempotency key does not name the refund")
        }
        kept.refunds.add(requested_at)
        return move(kept, sandboxRefundReference({ reference: kept.sandbox, requested_at }, stepMs))
      }),
    link: (reference) =>
      withContract(reference, (kept) => move(kept, sandboxLinkReference(kept.sandbox, timestampOf(now()), stepMs)))
  }
}
