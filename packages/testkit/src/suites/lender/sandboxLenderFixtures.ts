import { sandboxCpf } from "@lastro/domain/adapters"
import { type LenderCallback } from "@lastro/domain/lender"
import { type QuoteId } from "@lastro/domain/values"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { aCompleteKyc } from "../../builders/aCompleteKyc.ts"
import { impossible, type LenderFixtures } from "./LenderFixtures.ts"

/** A customer whose CPF ends with these digits, which select the outcome in the sandbox. */
const ending = (digits: string) => ({ customer: { cpf: sandboxCpf(digits) } })

const notPlayed = impossible("the sandbox has no customer with this refusal")

const quote_id = "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f41" as QuoteId

const callback = (content: object, authorization = "Bearer sandbox"): LenderCallback => ({
  method: "POST",
  path: "/api/v1/lender-callbacks/sandbox",
  headers: { authorization },
  body: Buffer.from(JSON.stringify(content))
})

const { address } = aCompleteKyc().for({ cpf: sandboxCpf("72"), birth_date: "1990-08-20" }).build()

/** The corrected address. The sandbox accepts the house number `S/N` from every customer. */
const corrected = { address: address === null ? null : { ...address, number: "S/N" } }

/** The outcomes of a lender with the rules of the sandbox. Each step takes one second on the test clock. */
export const sandboxLenderFixtures: LenderFixtures = {
  advance: () => TestClock.adjust("1 second"),
  priced: ending("00"),
  partially_priced: ending("78"),
  refused: {
    NO_AUTHORIZATION: ending("91"),
    NOT_OPTED_IN: ending("92"),
    OPT_OUT_IN_PROGRESS: ending("94"),
    BIRTH_DATE_MISMATCH: ending("81"),
    OPT_IN_WAITING_PERIOD: ending("82"),
    BIRTHDAY_WINDOW: ending("93"),
    OPERATION_IN_PROGRESS: ending("90"),
    ACCOUNT_CHANGES_PENDING: ending("95"),
    EXISTING_CONTRACT: ending("83"),
    NO_FGTS_ACCOUNT: notPlayed,
    NO_BALANCE: ending("89"),
    BELOW_MINIMUM_INSTALLMENT: ending("84"),
    BELOW_MINIMUM_AMOUNT: notPlayed,
    FEES_EXCEED_PRINCIPAL: impossible("the sandbox lists it in `unpriced` of one fee table only"),
    LENDER_POLICY: notPlayed,
    FRAUD_SUSPECTED: notPlayed
  },
  pending: ending("70"),
  unavailable: ending("96"),
  throttled: { ...ending("71"), retry_after_ms: 1_000 },
  failing: impossible("the sandbox runs in this process and answers every call about a contract"),
  invalid: { ...ending("72"), corrected, fields: ["address.number"] },
  in_analysis: ending("68"),
  paid: ending("00"),
  rejected: ending("86"),
  signature_expired: ending("87"),
  // The sandbox accepts another payment at any time, so no step is needed.
  payment_failed: { ...ending("88"), fail_again: () => Effect.void },
  destination_refused: impossible("the sandbox accepts every destination"),
  settled: ending("69"),
  reversed: ending("73"),
  cancelled: ending("00"),
  cancelled_by_proposal: impossible("the sandbox stores nothing, so it finds no contract by its proposal_id"),
  cancelled_before_submission: impossible("the sandbox stores nothing, so it remembers no cancellation"),
  exit_refused: impossible("the sandbox refuses no exit"),
  paid_before_cancellation: ending("75"),
  refunded: ending("00"),
  refund_expired: ending("74"),
  signature_link: ending("00"),
  callback: {
    authentic: Effect.succeed(callback({ quote_id })),
    targets: [{ kind: "quote", quote_id }],
    unknown: Effect.succeed(callback({ type: "newsletter" })),
    forged: Effect.succeed([callback({ quote_id }, "Bearer other")])
  }
}
