import { sandboxContract, sandboxPaymentReference, sandboxReference } from "@lastro/domain/adapters"
import { type Cpf } from "@lastro/domain/documents"
import { type ProposalId } from "@lastro/domain/id"
import { type Timestamp, timestampOf } from "@lastro/domain/time"
import { Option } from "effect"
import { contractBody } from "./lenderBodies.ts"

/** A contract at the recording lender. */
export interface RecordedContract {
  readonly proposal_id: string
  /** The lender's reference. It never changes. */
  readonly reference: string
  /** The payment attempts requested so far. The submission of the contract requests attempt 1. */
  readonly payments: ReadonlyArray<number>
}

/** An HTTP status and a body. */
export interface Answer {
  readonly status: number
  readonly body: unknown
}

export const refusal = (status: number, message: string): Answer => ({ status, body: { message } })

/** The contracts of a lender and the operations on them. */
export interface LenderContracts {
  readonly all: () => ReadonlyArray<RecordedContract>
  readonly submit: (key: string, body: unknown) => Answer
  readonly read: (reference: string) => Answer
  readonly pay: (reference: string, key: string, body: unknown) => Answer
}

interface StoredContract {
  readonly proposal_id: string
  readonly reference: string
  /** The reference from which the sandbox rules compute the status of the contract. */
  sandbox: string
  /** The request body of each payment, by payment number. */
  readonly requests: Map<number, string>
}

/**
 * Makes an idempotent store of contracts: one contract or payment per idempotency key. A request that reuses a key with
 * another body gets an error.
 */
export const makeLenderContracts = (stepMs: number): LenderContracts => {
  const contracts = new Map<string, StoredContract>()

  const contractAnswer = ({ reference, sandbox }: StoredContract, status: number): Answer => {
    const contract = Option.getOrThrow(sandboxContract(sandbox, timestampOf(Date.now()), stepMs))
    return { status, body: contractBody({ ...contract, reference }) }
  }

  /**
   * Returns whether a request is the first one with its idempotency key. Undefined if the first request with this key
   * had another body.
   */
  const isNew = (kept: StoredContract, payment: number, request: string): boolean | undefined => {
    const stored = kept.requests.get(payment)
    return stored === undefined ? true : stored === request ? false : undefined
  }

  const replay = (kept: StoredContract, isFirst: boolean | undefined): Answer =>
    isFirst === undefined
      ? refusal(422, "the idempotency key was used with another body")
      : contractAnswer(kept, isFirst ? 201 : 200)

  const withContract = (reference: string, act: (kept: StoredContract) => Answer): Answer => {
    const kept = Array.from(contracts.values()).find((one) => one.reference === reference)
    return kept === undefined ? refusal(404, "no such contract") : act(kept)
  }

  return {
    all: () =>
      Array.from(contracts.values(), ({ proposal_id, reference, requests }) => ({
        proposal_id,
        reference,
        payments: Array.from(requests.keys())
      })),
    submit: (key, body) => {
      const { accepted_at, customer, proposal_id } = body as {
        readonly accepted_at: Timestamp
        readonly proposal_id: ProposalId
        readonly customer: { readonly cpf: Cpf }
      }
      if (key !== proposal_id) return refusal(400, "the idempotency key is not the proposal id")
      const request = JSON.stringify(body)
      const existing = contracts.get(key)
      if (existing !== undefined) return replay(existing, isNew(existing, 1, request))
      const made: StoredContract = {
        proposal_id,
        reference: `lender/${proposal_id}`,
        sandbox: sandboxReference({ accepted_at, customer, proposal_id }),
        requests: new Map([[1, request]])
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
          return refusal(400, "the idempotency key does not name the payment")
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
      })
  }
}
