import { layerSandboxLender } from "@lastro/domain/adapters"
import { Lender, type LenderCallback } from "@lastro/domain/lender"
import { type LenderContractStatus } from "@lastro/domain/loan"
import { addMillis, currentTimestamp, type QuoteId } from "@lastro/domain/values"
import {
  type CancellationScript,
  type InTurn,
  layerScriptedLender,
  type LenderAction,
  pending,
  type QuoteAnswer,
  refusing,
  ScriptedLender,
  silent,
  throttled,
  usualAnswer
} from "@lastro/testkit"
import {
  type FollowedContract,
  impossible,
  type LenderFixture,
  type LenderFixtures,
  lenderSuite,
  quoteRefusals,
  sandboxLenderFixtures
} from "@lastro/testkit/suites"
import { Effect, Layer } from "effect"
import * as runner from "vitest"

type Fixture = LenderFixture<ScriptedLender>

/** Scripts the answers to the quotes of a case. */
const quoting = (...answers: readonly [QuoteAnswer, ...ReadonlyArray<QuoteAnswer>]): Fixture => ({
  prepare: Effect.flatMap(ScriptedLender, (lender) => lender.setQuoteAnswers(...answers))
})

/** Moves a contract through these statuses, one for each step. */
const through = (...statuses: ReadonlyArray<LenderContractStatus>) => (followed: FollowedContract | null) =>
  Effect.flatMap(ScriptedLender, (lender) => {
    if (followed === null) return Effect.void
    const next = statuses[statuses.indexOf(followed.contract.status) + 1]
    return next === undefined ? Effect.void : lender.moveContract(followed.proposal_id, next)
  })

const priced = quoting(usualAnswer)

const path = (...statuses: ReadonlyArray<LenderContractStatus>): Fixture => ({
  ...priced,
  advance: through(...statuses)
})

/** Lists the first offer in `unpriced`. */
const partial: QuoteAnswer = (request) =>
  Effect.map(usualAnswer(request), (quotation) => {
    if (quotation.kind !== "PRICED") return quotation
    const [first, ...offers] = quotation.offers
    const rejection = { code: "LENDER_POLICY", kind: "FINAL", message: "", retryable: false, retry_at: null } as const
    return { ...quotation, offers, unpriced: [{ table: first!.table, rejection }] }
  })

const refused = Object.fromEntries(quoteRefusals.map((code) => [code, quoting(refusing(code))])) as Record<
  typeof quoteRefusals[number],
  Fixture
>

const quote_id = "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f41" as QuoteId

const callback = (proof: string): LenderCallback => ({
  method: "POST",
  path: "/",
  headers: { proof },
  body: new Uint8Array()
})

/** Scripts how the lender handles the next calls about contracts. */
const acting = (...actions: InTurn<LenderAction>): Fixture => ({
  prepare: Effect.flatMap(
    ScriptedLender,
    (lender) => Effect.andThen(lender.setQuoteAnswers(usualAnswer), lender.setActions(...actions))
  )
})

/** Moves a contract that is cancelled to PAID instead. */
const cancelling = (script: CancellationScript): Fixture => ({
  prepare: Effect.flatMap(
    ScriptedLender,
    (lender) => Effect.andThen(lender.setQuoteAnswers(usualAnswer), lender.setCancellation(script))
  )
})

const paidPath = ["AWAITING_SIGNATURE", "GUARANTEE_PENDING", "DISBURSING", "PAID"] as const

const outcomes: LenderFixtures<ScriptedLender> = {
  advance: through(...paidPath),
  priced,
  partially_priced: quoting(partial),
  refused,
  pending: quoting(
    (request) =>
      Effect.flatMap(
        currentTimestamp,
        (at) => pending("state", { look_at: addMillis(at, 1_000) })(request)
      ),
    usualAnswer
  ),
  unavailable: quoting(silent()),
  throttled: { ...quoting(throttled(1_000), usualAnswer), retry_after_ms: 1_000 },
  failing: impossible("the polls of the scripted lender always succeed"),
  invalid: {
    ...acting({ invalid: [{ field: "address.zipcode", code: "UNKNOWN" }] }, "done"),
    corrected: {},
    fields: ["address.zipcode"]
  },
  in_analysis: impossible("the status of new contracts is scripted for all cases together"),
  paid: priced,
  rejected: path("AWAITING_SIGNATURE", "REJECTED"),
  signature_expired: path("AWAITING_SIGNATURE", "CANCELLED"),
  payment_failed: {
    ...priced,
    advance: (followed) =>
      followed !== null && followed.contract.disbursement_attempt > 1
        ? through("DISBURSING", "PAID")(followed)
        : through("AWAITING_SIGNATURE", "DISBURSING", "DISBURSEMENT_FAILED")(followed),
    fail_again: through("DISBURSING", "DISBURSEMENT_FAILED")
  },
  destination_refused: impossible("the status of new payments is scripted for all cases together"),
  settled: path(...paidPath, "SETTLED"),
  reversed: path("AWAITING_SIGNATURE", "PAID", "REFUNDED"),
  cancelled: cancelling("at once"),
  cancelled_by_proposal: cancelling("at once"),
  cancelled_before_submission: cancelling("at once"),
  exit_refused: impossible("the scripted lender handles every exit that it offers"),
  paid_before_cancellation: { ...cancelling("later"), advance: through(...paidPath) },
  refunded: path(...paidPath, "REFUND_PENDING", "REFUNDED"),
  refund_expired: {
    ...priced,
    advance: (followed) =>
      followed?.contract.status === "REFUND_PENDING"
        ? through("REFUND_PENDING", "PAID")(followed)
        : through(...paidPath)(followed)
  },
  signature_link: priced,
  callback: {
    prepare: Effect.flatMap(
      ScriptedLender,
      (lender) =>
        lender.setCallbacks(({ headers }) =>
          headers["proof"] === "quote" ? [{ kind: "quote", quote_id }] : headers["proof"] === "other" ? [] : null
        )
    ),
    authentic: Effect.succeed(callback("quote")),
    targets: [{ kind: "quote", quote_id }],
    unknown: Effect.succeed(callback("other")),
    forged: Effect.succeed([callback("")])
  }
}

lenderSuite("scripted", layerScriptedLender, runner, { outcomes })

/** The sandbox with its first fee table only. */
const layerOneTable = Layer.provide(
  Layer.effect(
    Lender,
    Effect.map(Lender, (sandbox) => ({
      ...sandbox,
      quote: (request) =>
        Effect.map(sandbox.quote(request), (answer) =>
          answer.kind === "PRICED"
            ? { ...answer, offers: answer.offers.slice(0, 1), unpriced: answer.unpriced.slice(0, 1) }
            : answer)
    }))
  ),
  layerSandboxLender()
)

lenderSuite("one fee table", layerOneTable, runner, {
  outcomes: { ...sandboxLenderFixtures, partially_priced: impossible("the lender has one fee table") }
})
