import { Effect, Layer, Option } from "effect"
import { Lender, type LenderQuoteRequest } from "../../lender/Lender.ts"
import { LenderUnavailable, LenderUnsupported, SubmissionInvalid } from "../../lender/LenderFailures.ts"
import { noRequirements } from "../../lender/LenderRequirements.ts"
import { type LenderExits } from "../../loan/LenderContract.ts"
import { type FinalQuotation } from "../../offer/Quote.ts"
import { addMillis, currentTimestamp, type Timestamp } from "../../values/Timestamp.ts"
import { isSilent, sandboxAnswer, type SandboxTemper } from "./sandboxAnswer.ts"
import { sandboxCallback } from "./sandboxCallback.ts"
import { sandboxContract, sandboxPaymentReference } from "./sandboxContract.ts"
import { sandboxDelay } from "./sandboxDelay.ts"
import { sandboxCancellationReference, sandboxLinkReference, sandboxRefundReference } from "./sandboxExits.ts"
import { sandboxInvalid } from "./sandboxInvalid.ts"
import { sandboxReference } from "./sandboxReference.ts"

/** Options of the sandbox lender. */
export interface SandboxOptions {
  /**
   * Delay of each step of a contract, in milliseconds. Default: 1000. With 0, a contract reaches its last status at
   * once.
   */
  readonly stepMs?: number | undefined
  /**
   * The page that `signature_url` opens, with the reference of the contract as a query. Default: a page that does not
   * exist.
   */
  readonly signaturePage?: string | undefined
  /**
   * `quick`: answers at once, at a high price. `slow`: answers after some seconds, at a low price. For a CPF that ends
   * in 60, the quick lender does not answer. For 61, the slow lender does not answer. Default: neither.
   */
  readonly temper?: SandboxTemper | undefined
}

const unavailable = (detail: string) => new LenderUnavailable({ reason: "ASKED", detail })

/** Returns whether a quotation is a refusal whose `retry_at` has passed or is at most a second away. */
const isAlmostOver = (quotation: FinalQuotation, at: Timestamp): boolean =>
  quotation.kind === "REFUSED" && quotation.rejection.retry_at !== null &&
  quotation.rejection.retry_at <= addMillis(at, 1_000)

const noAnswer = () => unavailable("the sandbox lender does not answer in the scenario of this customer")

const quote = Effect.fnUntraced(function*(request: LenderQuoteRequest, temper: SandboxTemper | undefined) {
  const delay = sandboxDelay(request, yield* currentTimestamp)
  if (delay?.kind === "PENDING") return delay
  if (delay !== null) {
    const { retry_after_ms } = delay
    const detail = "the sandbox lender throttles requests in the scenario of this customer"
    return yield* new LenderUnavailable({ reason: "THROTTLED", detail, retry_after_ms })
  }
  if (isSilent(temper, request.customer.cpf)) return yield* noAnswer()
  const { after_ms, quotation } = sandboxAnswer(request, temper)
  yield* Effect.sleep(after_ms)
  if (quotation === null) return yield* noAnswer()
  const at = yield* currentTimestamp
  if (!isAlmostOver(quotation, at)) return quotation
  // The request waited too long, for example in a full queue. The answer is computed again, with times from now on.
  return sandboxAnswer({ ...request, requested_at: at }, temper).quotation ?? quotation
})

const allExits: LenderExits = { cancel: true, refund: true, signature_link: true }

/**
 * Creates a stateless lender for demonstrations and tests. Each answer depends only on the last two digits of the CPF
 * (`sandboxScenarios`), the request and the clock. The reference of a contract encodes its state, and changes with each
 * payment attempt, cancellation, refund and new signature link. So a restart loses nothing. A cancellation without a
 * reference finds no contract.
 */
export const layerSandboxLender = (
  { signaturePage, stepMs = 1_000, temper }: SandboxOptions = {}
): Layer.Layer<Lender> => {
  const contractOf = Effect.fnUntraced(function*(reference: Option.Option<string>) {
    const at = yield* currentTimestamp
    const contract = Option.flatMap(reference, (known) => sandboxContract(known, at, stepMs, signaturePage))
    if (Option.isSome(contract)) return contract.value
    return yield* unavailable("the sandbox lender has no contract with this reference")
  })
  return Layer.succeed(
    Lender,
    Lender.of({
      requirements: noRequirements("sandbox"),
      quote: (request) => quote(request, temper),
      submit: Effect.fnUntraced(function*(submission) {
        const fields = sandboxInvalid(submission)
        if (fields.length > 0) return yield* new SubmissionInvalid({ fields, message: null })
        const { net_amount } = submission.offer.terms
        return yield* contractOf(Option.some(sandboxReference({ ...submission, net_amount })))
      }),
      contract: (reference) => contractOf(Option.some(reference)),
      resubmit: (resubmission) => contractOf(sandboxPaymentReference(resubmission)),
      exits: Effect.succeed(allExits),
      cancel: (cancellation) => {
        const { reference } = cancellation
        return reference === null
          ? Effect.succeed(null)
          : contractOf(sandboxCancellationReference({ ...cancellation, reference }, stepMs))
      },
      refund: (request) =>
        Option.match(sandboxRefundReference(request, stepMs), {
          onNone: () => Effect.fail(new LenderUnsupported()),
          onSome: (reference) => contractOf(Option.some(reference))
        }),
      signatureLink: (reference) =>
        Effect.flatMap(currentTimestamp, (at) => contractOf(sandboxLinkReference(reference, at, stepMs))),
      callback: (callback) => Effect.fromResult(sandboxCallback(callback))
    })
  )
}
