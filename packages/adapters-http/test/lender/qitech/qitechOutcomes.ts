import { sandboxCpf } from "@lastro/domain/adapters"
import { type KycValues } from "@lastro/domain/kyc"
import { type CallbackTarget, Lender } from "@lastro/domain/lender"
import { exampleProposal as proposal_id } from "@lastro/testkit"
import { type QitechSimulator, qitechSimulator, type SimulatorFault } from "@lastro/testkit/qitech"
import { type FollowedContract, impossible, type LenderFixture, type LenderFixtures } from "@lastro/testkit/suites"
import { Clock, Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { callbackPath, caught, layerOver, otherKey, qitechFields, toCallback } from "./harness.ts"

/** The simulator behind the adapter of a suite. `receive` hands a callback to the adapter. */
export class Simulator
  extends Context.Service<Simulator, QitechSimulator & { readonly receive: Lender["Service"]["callback"] }>()(
    "test/lenders/qitech/Simulator"
  )
{}

/** The time of all simulators. It follows the test clock. */
let now = 0

const syncClock = Effect.map(Clock.currentTimeMillis, (at) => {
  now = at
})

/** The adapter with a simulator. */
export const layerWithSimulator = Layer.unwrap(Effect.gen(function*() {
  yield* syncClock
  const simulator = yield* qitechSimulator({ now: () => now })
  const lender = Context.get(yield* Layer.build(layerOver(simulator)), Lender)
  return Layer.merge(
    Layer.succeed(Lender, lender),
    Layer.succeed(Simulator, { ...simulator, receive: lender.callback })
  )
}))

/** Delivers all waiting webhooks to the adapter, and returns what they are about. */
const deliverAll = Effect.gen(function*() {
  const simulator = yield* Simulator
  const context = yield* Effect.context()
  const targets: Array<CallbackTarget> = []
  simulator.sendTo(
    callbackPath,
    (webhook) =>
      Effect.runPromiseWith(context)(Effect.orDie(simulator.receive(toCallback(webhook)))).then((found) => {
        targets.push(...found)
        return 204
      })
  )
  yield* Effect.promise(() => simulator.deliver())
  return targets
})

type Move = (simulator: QitechSimulator, key: string) => void

type Moves = { readonly [Status in FollowedContract["contract"]["status"]]?: Move }

/** The usual moves: the customer signs, the guarantee is constituted, the payment is made, and a refund is paid. */
const usual: Moves = {
  AWAITING_SIGNATURE: (simulator, key) => simulator.sign(key),
  GUARANTEE_PENDING: (simulator, key) => simulator.setStatus("issued", key),
  DISBURSING: (simulator, key) => simulator.pay(key),
  REFUND_PENDING: (simulator, key) => simulator.payRefund(key)
}

/** A step of one second: makes the move of the contract's status, and delivers the webhooks. */
const step = (moves: Moves) => (followed: FollowedContract | null) =>
  Effect.gen(function*() {
    yield* TestClock.adjust("1 second")
    yield* syncClock
    const simulator = yield* Simulator
    if (followed !== null) {
      const { reference, status } = followed.contract
      moves[status]?.(simulator, reference.split("/")[0]!)
    }
    return yield* deliverAll
  })

/** Prepares a simulator: it forgets what earlier cases prepared. */
const prepared = (prepare: (simulator: QitechSimulator) => void = () => undefined) =>
  Effect.gen(function*() {
    yield* syncClock
    const simulator = yield* Simulator
    simulator.setBalance(null)
    simulator.setPeriods([900, 500, 500].map((amount, year) => ({ due_date: `${2027 + year}-08-01`, amount })))
    simulator.refuseAccount(null)
    simulator.refuseCancel(false)
    simulator.loseWebhooks()
    prepare(simulator)
  })

type Fixture = LenderFixture<Simulator>

const usualCustomer: Fixture = { prepare: prepared() }

const ending = (digits: string): Fixture => ({ ...usualCustomer, customer: { cpf: sandboxCpf(digits) } })

const withBalance = (balance: Parameters<QitechSimulator["setBalance"]>[0]): Fixture => ({
  prepare: prepared((simulator) => simulator.setBalance(balance))
})

const moving = (moves: Moves): Fixture => ({ ...usualCustomer, advance: step({ ...usual, ...moves }) })

const refusal = (status: number, code: string) => ({ status, body: { data: JSON.stringify({ code }) } })

const noEnumerator = impossible("QI Tech has no enumerator for it")

const failing = (fault: SimulatorFault) =>
  Simulator.use((simulator) => Effect.sync(() => simulator.injectFaults(/./, fault)))

const signed = { webhook_type: "debt", key: "debt", status: "signature_finished" }
const requester_identifier_key = proposal_id.replace(/^(.{14})7/, "$14")

const callbackOf = (body: object, options: Parameters<typeof caught>[1] = {}) =>
  Effect.gen(function*() {
    const simulator = yield* Simulator
    simulator.loseWebhooks()
    simulator.addWebhook("debt", body)
    const [callback] = yield* caught(simulator, options)
    return callback!
  })

const authentic = callbackOf({ ...signed, data: { requester_identifier_key } })

/** The outcomes of QI Tech, played by the simulator. */
export const qitechOutcomes: LenderFixtures<Simulator> = {
  advance: step(usual),
  kyc: qitechFields as Partial<KycValues>,
  priced: usualCustomer,
  partially_priced: {
    prepare: prepared((simulator) => simulator.injectFaults(/fgts_simulation/, refusal(400, "LEG000099")))
  },
  refused: {
    NO_AUTHORIZATION: ending("91"),
    NOT_OPTED_IN: ending("92"),
    OPT_OUT_IN_PROGRESS: ending("94"),
    BIRTH_DATE_MISMATCH: withBalance([{ due_date: "2027-03-01", amount: 500 }]),
    OPT_IN_WAITING_PERIOD: noEnumerator,
    BIRTHDAY_WINDOW: ending("93"),
    OPERATION_IN_PROGRESS: ending("90"),
    ACCOUNT_CHANGES_PENDING: ending("95"),
    EXISTING_CONTRACT: noEnumerator,
    NO_FGTS_ACCOUNT: noEnumerator,
    NO_BALANCE: withBalance([]),
    BELOW_MINIMUM_INSTALLMENT: withBalance([{ due_date: "2027-08-01", amount: 50 }]),
    BELOW_MINIMUM_AMOUNT: impossible("QI Tech publishes no minimum amount"),
    FEES_EXCEED_PRINCIPAL: impossible("the tables of this suite include one without a fee"),
    LENDER_POLICY: withBalance("something_new"),
    FRAUD_SUSPECTED: noEnumerator
  },
  pending: usualCustomer,
  unavailable: ending("96"),
  throttled: {
    retry_after_ms: 1_000,
    prepare: prepared((simulator) =>
      simulator.injectFaults(/available_balance/, { status: 429, headers: { "retry-after": "1" }, body: {} })
    )
  },
  failing: {
    ...usualCustomer,
    failures: [
      { name: "status 500", inject: failing({ status: 500, body: "<html></html>" }) },
      { name: "an HTML page", inject: failing({ status: 200, body: "<html></html>" }) },
      { name: "an unknown form", inject: failing({ status: 200, body: { status: "shredded" } }) },
      { name: "a closed connection", inject: failing("DROP") },
      { name: "refused credentials", reason: "FORBIDDEN", inject: failing({ status: 403, body: {} }) }
    ]
  },
  invalid: {
    ...usualCustomer,
    kyc: { ...qitechFields, nationality: null } as Partial<KycValues>,
    corrected: { nationality: "Brasileira" },
    fields: ["nationality"]
  },
  in_analysis: impossible("QI Tech returns the signature link with each new debt"),
  paid: usualCustomer,
  rejected: moving({ GUARANTEE_PENDING: (simulator, key) => simulator.cancelFor("not_collateral_constituted", key) }),
  signature_expired: moving({ AWAITING_SIGNATURE: (simulator, key) => simulator.expireSignature(key) }),
  payment_failed: {
    ...moving({ GUARANTEE_PENDING: (simulator, key) => simulator.refusePayment("pix_refusal", key) }),
    fail_again: ({ contract }) =>
      Effect.gen(function*() {
        const simulator = yield* Simulator
        simulator.refusePayment("ted_refusal", contract.reference.split("/")[0]!)
        yield* deliverAll
      })
  },
  destination_refused: {
    ...moving({ GUARANTEE_PENDING: (simulator, key) => simulator.refusePayment("pix_refusal", key) }),
    refuse: Simulator.use((simulator) => Effect.sync(() => simulator.refuseAccount("")))
  },
  settled: moving({ PAID: (simulator, key) => simulator.setStatus("settled", key) }),
  reversed: moving({ PAID: (simulator, key) => simulator.cancelFor("disbursed_amount_refunded", key) }),
  cancelled: usualCustomer,
  cancelled_by_proposal: usualCustomer,
  cancelled_before_submission: impossible("QI Tech cannot bar a requester key; the adapter waits for earlier issues"),
  exit_refused: {
    exits: ["cancel"],
    refuse: Simulator.use((simulator) => Effect.sync(() => simulator.refuseCancel(true)))
  },
  paid_before_cancellation: { prepare: prepared((simulator) => simulator.payBeforeCancel()) },
  refunded: usualCustomer,
  refund_expired: {
    ...usualCustomer,
    advance: (followed) =>
      followed?.contract.status === "REFUND_PENDING"
        ? Effect.andThen(TestClock.adjust("15 days"), syncClock)
        : step(usual)(followed)
  },
  signature_link: impossible("QI Tech documents no call for it"),
  callback: {
    prepare: prepared(),
    authentic,
    targets: [{ kind: "contract", proposal_id }],
    unknown: callbackOf({ webhook_type: "newsletter", key: "debt" }),
    forged: Effect.gen(function*() {
      const one = yield* authentic
      return [
        yield* callbackOf(signed, { signedWith: otherKey }),
        yield* callbackOf(signed, { signedAt: now - 31 * 60_000 }),
        yield* callbackOf(signed, { signedAt: now + 6 * 60_000 }),
        { ...one, body: new Uint8Array([...one.body, 32]) },
        { ...one, path: "/elsewhere" },
        { ...one, method: "PUT" },
        { ...one, headers: {} }
      ]
    })
  }
}
