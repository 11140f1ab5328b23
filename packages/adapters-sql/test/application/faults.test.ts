import { assert, it } from "@effect/vitest"
import {
  acceptOffer,
  type Application,
  ApplicationRepository,
  asOperator,
  authorize,
  createApplication,
  CurrentIdempotencyKey,
  IdGenerator,
  judge,
  latestQuote,
  layerSandboxLender,
  layerStatusWatch,
  type OfferId,
  requoteApplication,
  runQuote,
  sandboxCpf,
  SecretGenerator,
  submitContract,
  submitKyc
} from "@lastro/domain"
import { aCaller, aCompleteKyc, aCustomer, freshId, givenRoot } from "@lastro/testkit"
import { Effect, Exit, Layer, MutableRef, Redacted, Result } from "effect"
import { checkInvariants, layerStartOnly } from "../../src/index.ts"
import { settled, stored } from "../database/readAllRows.ts"
import { postgres } from "../databases.ts"
import { faultAfter } from "./faultAfter.ts"

const generators = Layer.merge(
  Layer.succeed(IdGenerator, { next: freshId }),
  Layer.succeed(SecretGenerator, { next: Effect.map(freshId, Redacted.make) })
)

const origination = Layer.mergeAll(
  layerStatusWatch({ tick: "1 hour" }),
  layerSandboxLender({ stepMs: 0 }),
  layerStartOnly,
  generators
).pipe(Layer.provideMerge(postgres({ maxConnections: 4 })))

/** Under an idempotency key of its own, so that its answer is kept too. */
const once = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    freshId,
    (key) =>
      Effect.provideService(effect, CurrentIdempotencyKey, { key, fingerprint: "f", replayed: MutableRef.make(false) })
  )

/** Lets an effect die after ever more of its statements, which may leave no trace, until it happens whole. */
const unharmed = Effect.fnUntraced(function*<A, E, R>(effect: Effect.Effect<A, E, R>) {
  yield* settled
  const before = yield* stored
  for (let statements = 0;; statements++) {
    const { exit, struck } = yield* faultAfter(statements, effect)
    assert.strictEqual(Exit.isFailure(exit), struck)
    const after = yield* stored
    if (Exit.isSuccess(exit)) {
      assert.notStrictEqual(after, before)
      assert.isAbove(statements, 3)
      return exit.value
    }
    assert.strictEqual(after, before)
  }
})

it.layer(origination, { excludeTestServices: true, timeout: "1 minute" })("a fault in PostgreSQL", (it) => {
  it.effect(
    "T58 in place of any statement of origination leaves the state before",
    () =>
      Effect.gen(function*() {
        const applications = yield* ApplicationRepository
        const root = yield* givenRoot()
        const write = Result.getOrThrow(authorize(yield* aCaller().at(root).asClient(), "fgts:write"))
        // The first payment to this customer fails, the next succeeds.
        const customer = yield* aCustomer({ cpf: sandboxCpf("88") })
        const kyc = aCompleteKyc().for(customer).build()

        const { application_id } = yield* unharmed(once(createApplication(write, { external_id: "loan-1", customer })))
        const present: Effect.Effect<Application> = Effect.map(
          applications.find(asOperator.scope(root.partner_id), application_id),
          (found) => Result.getOrThrow(judge(found)).record
        )
        const quoting = Effect.flatMap(present, (application) => runQuote(latestQuote(application).quote_id))
        yield* unharmed(quoting)
        yield* unharmed(once(requoteApplication(write, application_id, { max_installments: 2 })))
        yield* unharmed(quoting)
        yield* unharmed(once(submitKyc(write, application_id, kyc)))
        const offer_id = latestQuote(yield* present).offers[0]?.offer_id as OfferId
        const { proposal_id } = yield* unharmed(
          once(acceptOffer(write, application_id, offer_id, { terms_accepted: true }))
        )
        yield* unharmed(submitContract(proposal_id))
        assert.strictEqual((yield* present).proposal?.status, "DISBURSEMENT_FAILED")
        yield* unharmed(once(submitKyc(write, application_id, { pix: kyc.pix })))
        yield* unharmed(submitContract(proposal_id))
        assert.strictEqual((yield* present).proposal?.status, "PAID")
        assert.deepStrictEqual(yield* checkInvariants, [])
      }),
    60_000
  )
})
