import {
  type Cpf,
  type ProposalId,
  sandboxContract,
  sandboxPaymentReference,
  sandboxReference,
  type Timestamp,
  timestampOf
} from "@lastro/domain"
import { Option } from "effect"
import { contractBody } from "./lenderBodies.ts"

/** A contract that the lender made. */
export interface RecordedContract {
  readonly proposal_id: string
  /** What the lender calls it, whatever happens to it. */
  readonly reference: string
  /** The numbers of the payments that it was asked for, the first of which comes with the contract. */
  readonly payments: ReadonlyArray<number>
}

/** A status and a body. */
export interface Answer {
  readonly status: number
  readonly body: unknown
}

export const refused = (status: number, message: string): Answer => ({ status, body: { message } })

/** What a lender remembers, and does to it. */
export interface LenderContracts {
  readonly made: () => ReadonlyArray<RecordedContract>
  readonly submit: (key: string, body: unknown) => Answer
  readonly read: (reference: string) => Answer
  readonly pay: (reference: string, key: string, body: unknown) => Answer
}

interface Kept {
  readonly proposal_id: string
  readonly reference: string
  /** By which the sandbox's rules know how it stands. */
  sandbox: string
  /** What was sent for each payment, by its number. */
  readonly requests: Map<number, string>
}

/** The contracts of a lender that makes one for a key, one payment for a key, and refuses a key that comes with another body. */
export const makeLenderContracts = (stepMs: number): LenderContracts => {
  const all = new Map<string, Kept>()

  const standing = ({ reference, sandbox }: Kept, status: number): Answer => {
    const contract = Option.getOrThrow(sandboxContract(sandbox, timestampOf(Date.now()), stepMs))
    return { status, body: contractBody({ ...contract, reference }) }
  }

  /** Whether a request is new, or comes again; another under the same key is neither. */
  const isNew = (kept: Kept, payment: number, request: string): boolean | undefined => {
    const known = kept.requests.get(payment)
    return known === undefined ? true : known === request ? false : undefined
  }

  const again = (kept: Kept, isFirst: boolean | undefined): Answer =>
    isFirst === undefined ? refused(422, "the key came with another body before") : standing(kept, isFirst ? 201 : 200)

  const inside = (reference: string, act: (kept: Kept) => Answer): Answer => {
    const kept = Array.from(all.values()).find((one) => one.reference === reference)
    return kept === undefined ? refused(404, "no such contract") : act(kept)
  }

  return {
    made: () =>
      Array.from(all.values(), ({ proposal_id, reference, requests }) => ({
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
      if (key !== proposal_id) return refused(400, "the key is not the proposal")
      const request = JSON.stringify(body)
      const known = all.get(key)
      if (known !== undefined) return again(known, isNew(known, 1, request))
      const made: Kept = {
        proposal_id,
        reference: `lender/${proposal_id}`,
        sandbox: sandboxReference({ accepted_at, customer, proposal_id }),
        requests: new Map([[1, request]])
      }
      all.set(key, made)
      return standing(made, 201)
    },
    read: (reference) => inside(reference, (kept) => standing(kept, 200)),
    pay: (reference, key, body) =>
      inside(reference, (kept) => {
        const { disbursement_attempt, requested_at } = body as {
          readonly disbursement_attempt: number
          readonly requested_at: Timestamp
        }
        if (key !== `${kept.proposal_id}/${disbursement_attempt}`) return refused(400, "the key is not the payment")
        const request = JSON.stringify(body)
        const isFirst = isNew(kept, disbursement_attempt, request)
        if (isFirst === true) {
          kept.requests.set(disbursement_attempt, request)
          kept.sandbox = Option.getOrThrow(
            sandboxPaymentReference({ reference: kept.sandbox, disbursement_attempt, requested_at })
          )
        }
        return again(kept, isFirst)
      })
  }
}
