import { Effect, Layer, Option } from "effect"
import { Lender, type LenderContract, LenderUnavailable } from "../../fgts/lender/Lender.ts"
import { currentTimestamp } from "../../time/Timestamp.ts"
import { sandboxAnswer } from "./sandboxAnswer.ts"
import { sandboxContract, sandboxPaymentReference, sandboxReference } from "./sandboxContract.ts"

/** Options of the sandbox lender. */
export interface SandboxOptions {
  /** Delay of each step of a contract, in milliseconds. Default: 1000. With 0 a contract ends at once. */
  readonly stepMs?: number
}

const unavailable = (detail: string) => new LenderUnavailable({ reason: "ASKED", detail })

/**
 * A stateless lender for demonstrations and tests. Its answers are derived from the last two digits of the CPF (`sandboxScenarios`), the
 * request and the clock, so that a restart changes nothing.
 */
export const layerSandboxLender = ({ stepMs = 1_000 }: SandboxOptions = {}): Layer.Layer<Lender> => {
  const standing = (reference: Option.Option<string>): Effect.Effect<LenderContract, LenderUnavailable> =>
    Effect.flatMap(
      currentTimestamp,
      (at) =>
        Option.match(Option.flatMap(reference, (one) => sandboxContract(one, at, stepMs)), {
          onNone: () => Effect.fail(unavailable("the sandbox lender knows no such contract")),
          onSome: Effect.succeed
        })
    )
  return Layer.succeed(
    Lender,
    Lender.of({
      quote: Effect.fnUntraced(function*(request) {
        const { after_ms, quotation } = sandboxAnswer(request)
        yield* Effect.sleep(after_ms)
        return quotation ?? (yield* unavailable("the sandbox lender keeps silent for this customer"))
      }),
      submit: (submission) => standing(Option.some(sandboxReference(submission))),
      contract: (reference) => standing(Option.some(reference)),
      resubmit: (resubmission) => standing(sandboxPaymentReference(resubmission))
    })
  )
}
