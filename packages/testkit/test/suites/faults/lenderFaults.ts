import { layerSandboxLender } from "@lastro/domain/adapters"
import { Lender, LenderUnavailable } from "@lastro/domain/lender"
import { addDays, centavos, millisOf, timestampOf } from "@lastro/domain/values"
import { freshId } from "@lastro/testkit"
import { lenderSuite } from "@lastro/testkit/suites"
import { type Context, Effect, Layer } from "effect"
import { type Fault, options } from "./Fault.ts"

type Lenders = Context.Service.Shape<typeof Lender>

const lender = (fault: string, detectedBy: RegExp, override: (sound: Lenders) => Partial<Lenders>) => ({
  fault: `Lender: ${fault}`,
  detectedBy,
  suite: (runner) =>
    lenderSuite(
      "broken",
      Layer.provide(
        Layer.effect(Lender, Effect.map(Lender, (sound) => ({ ...sound, ...override(sound) }))),
        layerSandboxLender()
      ),
      runner,
      options
    )
} satisfies Fault)

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
      refund: (request) => refund({ ...request, requested_at: timestampOf(millisOf(request.requested_at) + calls++) })
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
  lender("callback trusts everybody", /refuses a forged callback/, () => ({ callback: () => Effect.succeed([]) }))
]
