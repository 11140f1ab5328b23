import { Effect, Layer, Option } from "effect"
import { Lender } from "../../fgts/lender/Lender.ts"
import { type LenderContract } from "../../fgts/lender/LenderContract.ts"
import { LenderUnavailable } from "../../fgts/lender/LenderFailures.ts"
import { noRequirements } from "../../fgts/lender/LenderRequirements.ts"
import { withoutExits } from "../../fgts/lender/withoutExits.ts"
import { currentTimestamp } from "../../time/Timestamp.ts"
import { sandboxAnswer } from "./sandboxAnswer.ts"
import { sandboxContract, sandboxPaymentReference, sandboxReference } from "./sandboxContract.ts"

/** Options of the sandbox lender. */
export interface SandboxOptions {
  /** Delay of each step of a contract, in milliseconds. Default: 1000. With 0, a contract reaches its last status immediately. */
  readonly stepMs?: number
}

const unavailable = (detail: string) => new LenderUnavailable({ reason: "ASKED", detail })

/**
 * Creates a stateless lender for demonstrations and tests. Each answer is derived from the last two digits of the CPF (see
 * `sandboxScenarios`), the request and the clock. A restart therefore changes nothing.
 */
export const layerSandboxLender = ({ stepMs = 1_000 }: SandboxOptions = {}): Layer.Layer<Lender> => {
  const contractOf = (reference: Option.Option<string>): Effect.Effect<LenderContract, LenderUnavailable> =>
    Effect.flatMap(
      currentTimestamp,
      (at) =>
        Option.match(Option.flatMap(reference, (one) => sandboxContract(one, at, stepMs)), {
          onNone: () => Effect.fail(unavailable("the sandbox lender has no contract with this reference")),
          onSome: Effect.succeed
        })
    )
  return Layer.succeed(
    Lender,
    Lender.of({
      ...withoutExits,
      requirements: noRequirements("sandbox"),
      quote: Effect.fnUntraced(function*(request) {
        const { after_ms, quotation } = sandboxAnswer(request)
        yield* Effect.sleep(after_ms)
        return quotation ?? (yield* unavailable("the sandbox lender does not answer in the scenario of this customer"))
      }),
      submit: (submission) => contractOf(Option.some(sandboxReference(submission))),
      contract: (reference) => contractOf(Option.some(reference)),
      resubmit: (resubmission) => contractOf(sandboxPaymentReference(resubmission))
    })
  )
}
