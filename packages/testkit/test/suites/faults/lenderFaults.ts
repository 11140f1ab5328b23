import { LenderUnavailable, LenderUnsupported, SubmissionInvalid } from "@lastro/domain/lender"
import { type LenderContract, type LenderContractStatus } from "@lastro/domain/loan"
import { rejectionReason } from "@lastro/domain/offer"
import { addDays, addMillis, centavos } from "@lastro/domain/values"
import { freshId } from "@lastro/testkit"
import { Effect } from "effect"
import { type Fault } from "./Fault.ts"
import { type Lenders, suiteOfLender } from "./suiteOfLender.ts"

const lender = (fault: string, detectedBy: RegExp, override: (sound: Lenders) => Partial<Lenders>) => ({
  fault: `Lender: ${fault}`,
  detectedBy,
  suite: suiteOfLender(override)
} satisfies Fault)

const rejection = rejectionReason("LENDER_POLICY", "Recusado.")

/** Replaces a failed call by a contract with this status. */
const answerFailure = <E>(
  call: Effect.Effect<LenderContract, E>,
  reference: string,
  status: LenderContractStatus
): Effect.Effect<LenderContract> =>
  Effect.catch(
    call,
    () => Effect.succeed({ reference, status, signature_url: null, rejection, disbursement_attempt: 1 })
  )

/** Broken lenders. */
export const lenderFaults: ReadonlyArray<Fault> = [
  lender("submit creates a contract on every call", /one contract per proposal_id/, ({ submit }) => ({
    submit: (submission) =>
      Effect.flatMap(
        freshId,
        (id) => submit({ ...submission, proposal_id: id as typeof submission.proposal_id })
      )
  })),
  lender("resubmit pays a second time only", /once per disbursement_attempt/, ({ resubmit }) => ({
    resubmit: (payment) => resubmit({ ...payment, disbursement_attempt: Math.min(2, payment.disbursement_attempt) })
  })),
  lender("quote ignores the wish", /policy and the limits/, ({ quote }) => ({
    quote: (request) => quote({ ...request, wish: { max_installments: null, desired_amount: null } })
  })),
  lender("quote uses a policy of its own", /policy and the limits/, ({ quote }) => ({
    quote: (request) => quote({ ...request, policy: { ...request.policy, min_installment: centavos(1) } })
  })),
  lender("quote pledges later withdrawals than the next", /only the next annual withdrawals/, ({ quote }) => ({
    quote: (request) => quote({ ...request, released_on: addDays(request.released_on, 4 * 365) })
  })),
  lender("requirements name the lender in capitals", /`requirements` has a name/, ({ requirements }) => ({
    requirements: { ...requirements, name: "Sandbox" }
  })),
  lender("quote hides a throttled lender behind a failure", /reason THROTTLED/, ({ quote }) => ({
    quote: (request) =>
      Effect.mapError(quote(request), ({ detail }) => new LenderUnavailable({ reason: "ASKED", detail }))
  })),
  lender("quote forgets the state of a PENDING answer", /returns PENDING until/, ({ quote }) => ({
    quote: (request) => quote({ ...request, lender_state: null })
  })),
  lender("quote reports a refusal as an outage", /business reason NOT_OPTED_IN/, ({ quote }) => ({
    quote: (request) =>
      Effect.flatMap(quote(request), (answer) =>
        answer.kind === "REFUSED"
          ? Effect.fail(new LenderUnavailable({ reason: "ASKED", detail: "refused" }))
          : Effect.succeed(answer))
  })),
  lender("submit hides INVALID data behind a failure", /SubmissionInvalid for data/, ({ submit }) => ({
    submit: (submission) =>
      Effect.catchTag(
        submit(submission),
        "SubmissionInvalid",
        () => Effect.fail(new LenderUnavailable({ reason: "ASKED", detail: "status 422" }))
      )
  })),
  lender("knownExits forgets the answer of exits", /`knownExits` returns the same/, () => ({
    knownExits: Effect.succeed(null)
  })),
  lender("cancel forgets its request", /`cancel` cancels a contract/, ({ contract }) => ({
    cancel: ({ reference }) => reference === null ? Effect.succeed(null) : contract(reference)
  })),
  lender("cancel fails without a contract", /never submitted/, ({ cancel, contract }) => ({
    cancel: (request) => request.reference === null ? contract("unknown/1") : cancel(request)
  })),
  lender("a refund starts again with each call", /`refund` returns how the customer pays/, ({ refund }) => {
    let calls = 0
    return {
      refund: (request) => refund({ ...request, requested_at: addMillis(request.requested_at, calls++) })
    }
  }),
  lender("a refund that is not paid counts as paid", /returns PAID again/, ({ contract }) => ({
    contract: (reference) =>
      Effect.map(
        contract(reference),
        (state) =>
          reference.includes(".r") && state.status === "PAID" ? { ...state, status: "REFUNDED" as const } : state
      )
  })),
  lender("a reversal is never seen", /after the lender reversed a payment/, ({ contract }) => ({
    contract: (reference) =>
      Effect.map(
        contract(reference),
        (state) => state.status === "REFUNDED" ? { ...state, status: "PAID" as const } : state
      )
  })),
  lender("a new signature link is null", /`signatureLink` returns a link/, ({ signatureLink }) => ({
    signatureLink: (reference) => Effect.map(signatureLink(reference), (state) => ({ ...state, signature_url: null }))
  })),
  lender("an exit is offered but not declared", /`refund` returns how the customer pays/, () => ({
    exits: Effect.succeed({ cancel: true, refund: false, signature_link: true })
  })),
  lender("quote reads a status 500 as a refusal", /gives no usable answer/, ({ quote }) => ({
    quote: (request) =>
      Effect.catchIf(
        quote(request),
        ({ detail, reason }) => reason === "ASKED" && detail === "status 500",
        () => Effect.succeed({ kind: "REFUSED" as const, rejection })
      )
  })),
  lender("submit reads a status 500 as a rejected contract", /gives no usable answer/, ({ submit }) => ({
    submit: (submission) => answerFailure(submit(submission), "unknown", "REJECTED")
  })),
  lender("submit reads a status 500 as invalid data", /gives no usable answer/, ({ submit }) => ({
    submit: (submission) =>
      Effect.mapError(submit(submission), () => new SubmissionInvalid({ fields: [], message: null }))
  })),
  lender("contract reads a status 500 as a cancellation", /gives no usable answer/, ({ contract }) => ({
    contract: (reference) => answerFailure(contract(reference), reference, "CANCELLED")
  })),
  lender("resubmit reads a status 500 as a failed payment", /gives no usable answer/, ({ resubmit }) => ({
    resubmit: (payment) => answerFailure(resubmit(payment), payment.reference, "DISBURSEMENT_FAILED")
  })),
  lender("cancel reads a status 500 as no contract", /gives no usable answer/, ({ cancel }) => ({
    cancel: (request) => Effect.catchTag(cancel(request), "LenderUnavailable", () => Effect.succeed(null))
  })),
  lender("refund reads a status 500 as a missing operation", /gives no usable answer/, ({ refund }) => ({
    refund: (request) =>
      Effect.catchTag(refund(request), "LenderUnavailable", () => Effect.fail(new LenderUnsupported()))
  })),
  lender("a failure shows the customer's CPF", /gives no usable answer/, ({ quote }) => ({
    quote: (request) =>
      Effect.mapError(quote(request), ({ reason }) => new LenderUnavailable({ reason, detail: request.customer.cpf }))
  })),
  lender("a failure counts as a call that had no effect", /gives no usable answer/, ({ submit }) => ({
    submit: (submission) =>
      Effect.mapError(
        submit(submission),
        (error) =>
          error._tag === "LenderUnavailable" ? new LenderUnavailable({ reason: "UNREACHED", detail: "" }) : error
      )
  })),
  lender("payments are counted from 0", /status of payment 1/, ({ submit }) => ({
    submit: (submission) => Effect.map(submit(submission), (made) => ({ ...made, disbursement_attempt: 0 }))
  })),
  lender("polls count payments", /returns PAID after the payment/, ({ contract }) => ({
    contract: (reference) =>
      Effect.map(contract(reference), (one) => one.status === "PAID" ? { ...one, disbursement_attempt: 2 } : one)
  })),
  lender("polls state payment 1 forever", /once per disbursement_attempt/, ({ contract }) => ({
    contract: (reference) => Effect.map(contract(reference), (one) => ({ ...one, disbursement_attempt: 1 }))
  })),
  lender("a refused destination has the number of the last payment", /refuses the destination/, ({ resubmit }) => ({
    resubmit: (payment) =>
      Effect.map(resubmit(payment), (one) =>
        one.status === "DISBURSEMENT_FAILED"
          ? { ...one, disbursement_attempt: payment.disbursement_attempt - 1 }
          : one)
  })),
  lender("a refused destination is an outage", /refuses the destination/, ({ resubmit }) => ({
    resubmit: (payment) =>
      Effect.filterOrFail(
        resubmit(payment),
        ({ status }) => status !== "DISBURSEMENT_FAILED",
        () => new LenderUnavailable({ reason: "ASKED", detail: "status 422" })
      )
  })),
  lender("a settled contract stays PAID", /returns SETTLED/, ({ contract }) => ({
    contract: (reference) =>
      Effect.map(contract(reference), (one) => one.status === "SETTLED" ? { ...one, status: "PAID" as const } : one)
  })),
  lender("a settled contract is settled tomorrow", /returns SETTLED/, ({ contract }) => ({
    contract: (reference) =>
      Effect.map(
        contract(reference),
        ({ settled_at = null, ...one }) =>
          settled_at === null ? one : { ...one, settled_at: addMillis(settled_at, 86_400_000) }
      )
  })),
  lender("a throttled lender's delay is in seconds", /reason THROTTLED/, ({ quote }) => ({
    quote: (request) =>
      Effect.mapError(quote(request), (error) =>
        error.retry_after_ms === undefined
          ? error
          : new LenderUnavailable({ ...error, retry_after_ms: error.retry_after_ms / 1_000 }))
  })),
  lender("cancel without a reference finds nothing", /finds the contract by its proposal_id/, ({ cancel }) => ({
    cancel: (request) => request.reference === null ? Effect.succeed(null) : cancel(request)
  })),
  lender("cancel bars nothing", /creates no contract that is still to be paid/, ({ cancel }) => ({
    cancel: (request) => cancel({ ...request, proposal_id: "other" as typeof request.proposal_id })
  })),
  lender("a refused exit is repeated forever", /fail with ExitRefused/, ({ cancel }) => ({
    cancel: (request) =>
      Effect.catchTag(
        cancel(request),
        "ExitRefused",
        ({ detail }) => Effect.fail(new LenderUnavailable({ reason: "ASKED", detail }))
      )
  })),
  lender("callback trusts everybody", /refuses a forged callback/, () => ({ callback: () => Effect.succeed([]) }))
]
