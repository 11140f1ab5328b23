import { assert, it } from "@effect/vitest"
import { authorize } from "@lastro/domain/access"
import { layerSandboxLender, layerStatusWatch, sandboxCpf } from "@lastro/domain/adapters"
import { asOperator, judgeFound } from "@lastro/domain/hierarchy"
import { type SentKey } from "@lastro/domain/idempotency"
import { runQuote, submitContract } from "@lastro/domain/jobs"
import { type Application, latestQuote } from "@lastro/domain/loan"
import {
  acceptOffer,
  ApplicationRepository,
  createApplication,
  requoteApplication,
  submitKyc
} from "@lastro/domain/origination"
import { IdGenerator, SecretGenerator } from "@lastro/domain/ports"
import { type OfferId } from "@lastro/domain/values"
import { aCaller, aCompleteKyc, aCustomer, freshId, storeRootPartner } from "@lastro/testkit"
import { Effect, Exit, Layer, Redacted, Result } from "effect"
import { Statement } from "effect/sql"
import { checkInvariants } from "../../src/index.ts"
import { layerUnlisted } from "../../src/jobs/WorkRunner.ts"
import { foldAllCounts, readAllRows } from "../database/readAllRows.ts"
import { postgres } from "../databases.ts"
import { withoutAnswer } from "../faults/withoutAnswer.ts"

const generators = Layer.merge(
  Layer.succeed(IdGenerator, { next: freshId }),
  Layer.succeed(SecretGenerator, { next: Effect.map(freshId, Redacted.make) })
)

const origination = Layer.mergeAll(
  layerStatusWatch({ tick: "1 hour" }),
  layerSandboxLender({ stepMs: 0 }),
  layerUnlisted,
  generators
).pipe(Layer.provideMerge(postgres({ maxConnections: 4 })))

/** Runs a command under a new idempotency key, so that its answer is stored too. */
const withIdempotencyKey = <A, E, R>(command: (sent: SentKey) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(freshId, (key) => command(Result.succeed({ key, fingerprint: "f" })))

/** Runs an effect that dies in place of the statement after the first `count`. Returns the exit and whether it died. */
const failAfterStatements = <A, E, R>(count: number, effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    let begun = 0
    return effect.pipe(
      Effect.provideService(
        Statement.CurrentTransformer,
        (statement) => ++begun > count ? Effect.die("fault") : Effect.succeed(statement)
      ),
      Effect.exit,
      Effect.map((exit) => ({ exit, failed: begun > count }))
    )
  })

/** Fails an effect after 0, 1, 2, … statements and verifies that nothing is stored, until it succeeds as a whole. */
const failEveryStatement = Effect.fnUntraced(function*<A, E, R>(effect: Effect.Effect<A, E, R>) {
  yield* foldAllCounts
  const before = yield* readAllRows
  for (let statements = 0;; statements++) {
    const { exit, failed } = yield* failAfterStatements(statements, effect)
    assert.strictEqual(Exit.isFailure(exit), failed)
    const after = yield* readAllRows
    if (Exit.isSuccess(exit)) {
      assert.notStrictEqual(after, before)
      assert.isAbove(statements, 3)
      return exit.value
    }
    assert.strictEqual(after, before)
  }
})

it.layer(origination, { excludeTestServices: true, timeout: "1 minute" })("fault injection in PostgreSQL", (it) => {
  it.effect(
    "T58 a fault in place of any statement of origination leaves the stored data unchanged",
    () =>
      Effect.gen(function*() {
        const applications = yield* ApplicationRepository
        const root = yield* storeRootPartner()
        const write = Result.getOrThrow(authorize(yield* aCaller().at(root).asClient(), "fgts:write"))
        // The sandbox fails the first payment to this customer and makes the second.
        const customer = yield* aCustomer({ cpf: sandboxCpf("88") })
        const kyc = aCompleteKyc().for(customer).build()

        const { answer: { application_id } } = yield* failEveryStatement(
          withIdempotencyKey((sent) => createApplication(write, { external_id: "loan-1", customer }, sent))
        )
        const readApplication: Effect.Effect<Application> = Effect.map(
          applications.find(asOperator.scope(root.partner_id), application_id),
          (found) => Result.getOrThrow(judgeFound(found)).record
        )
        const runLatestQuote = Effect.flatMap(readApplication, (application) =>
          runQuote(latestQuote(application).quote_id))
        yield* failEveryStatement(runLatestQuote)
        yield* failEveryStatement(
          withIdempotencyKey((sent) =>
            requoteApplication(write, application_id, { max_installments: 2 }, sent)
          )
        )
        yield* failEveryStatement(runLatestQuote)
        yield* failEveryStatement(withIdempotencyKey((sent) => submitKyc(write, application_id, kyc, sent)))
        const offer_id = latestQuote(yield* readApplication).offers[0]?.offer_id as OfferId
        const { answer: { proposal_id } } = yield* failEveryStatement(
          withIdempotencyKey((sent) => acceptOffer(write, application_id, offer_id, { terms_accepted: true }, sent))
        )
        // The first submission has two transactions: one before the call (PROP-10), and one after the answer.
        yield* failEveryStatement(withoutAnswer(submitContract(proposal_id)))
        assert.isString((yield* readApplication).proposal?.submitted_at)
        yield* failEveryStatement(submitContract(proposal_id))
        assert.strictEqual((yield* readApplication).proposal?.status, "DISBURSEMENT_FAILED")
        yield* failEveryStatement(
          withIdempotencyKey((sent) => submitKyc(write, application_id, { pix: kyc.pix }, sent))
        )
        yield* failEveryStatement(submitContract(proposal_id))
        assert.strictEqual((yield* readApplication).proposal?.status, "PAID")
        assert.deepStrictEqual(yield* checkInvariants, [])
      }),
    60_000
  )
})
