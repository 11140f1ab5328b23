import { assert, describe, it } from "@effect/vitest"
import {
  aCompleteKyc,
  answerWithOffers,
  MemoryDatabase,
  PendingWork,
  saveApplication,
  storeApplication
} from "@lastro/testkit"
import { Effect, MutableRef, type Schema } from "effect"
import { type Allowed } from "../../src/access/Authorization.ts"
import { CurrentIdempotencyKey } from "../../src/idempotency/runOnce.ts"
import { maskKyc } from "../../src/kyc/FgtsKyc.ts"
import { createApplication } from "../../src/origination/CreateApplication.ts"
import { maskApplication } from "../../src/origination/FgtsApplication.ts"
import { requoteApplication } from "../../src/origination/RequoteApplication.ts"
import { submitKyc } from "../../src/origination/SubmitKyc.ts"
import { currentTimestamp } from "../../src/values/Timestamp.ts"
import { callerOf, permit, runWithoutWorkers, storeTwoTrees } from "../fixtures.ts"

/** Runs an effect as a request with a key. Returns its result and if it was a replay. */
const withKey = <A, E, R>(key: string, effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const replayed = MutableRef.make(false)
    const current = { key, fingerprint: "same request", replayed }
    return Effect.map(
      Effect.provideService(effect, CurrentIdempotencyKey, current),
      (answer) => ({ answer, replayed: MutableRef.get(replayed) })
    )
  })

/** An application with offers, and two tokens of one caller: with and without permission to read KYC. */
const setUp = Effect.gen(function*() {
  const { a, aAdmin } = yield* storeTwoTrees
  const application = yield* storeApplication(a, { at: yield* currentTimestamp, created_by: aAdmin.user_id })
  const { customer } = yield* saveApplication(application, yield* answerWithOffers(application))
  return {
    application,
    customer,
    withKycRead: yield* permit(yield* callerOf(aAdmin), "fgts:write"),
    withoutKycRead: yield* permit(yield* callerOf(aAdmin, ["fgts:write"]), "fgts:write")
  }
})

type Fixture = Effect.Success<typeof setUp>

/**
 * Repeats one request with one key, alternating the tokens. Asserts that each answer shows what its token may see, and that
 * the stored answer is unmasked.
 */
const checkReplays = Effect.fnUntraced(function*<A extends Schema.Json, E, R>(
  { withoutKycRead, customer, withKycRead }: Fixture,
  request: (by: Allowed<"fgts:write">) => Effect.Effect<A, E, R>,
  masked: (answer: A) => A
) {
  for (const order of [[withKycRead, withoutKycRead, withKycRead], [withoutKycRead, withKycRead, withoutKycRead]]) {
    const key = order[0] === withKycRead ? "with kyc:read first" : "without kyc:read first"
    const responses = yield* Effect.forEach(order, (by) => withKey(key, request(by)))
    assert.deepStrictEqual(responses.map(({ replayed }) => replayed), [false, true, true])
    const { answers } = yield* (yield* MemoryDatabase).state
    const stored = JSON.parse(Array.from(answers.values()).at(-1)?.answer ?? "") as A
    assert.include(JSON.stringify(stored), customer.cpf)
    assert.notInclude(JSON.stringify(masked(stored)), customer.cpf)
    const expected = order.map((by) => by === withKycRead ? stored : masked(stored))
    assert.deepStrictEqual<unknown>(responses.map(({ answer }) => answer), expected)
    yield* (yield* PendingWork).finish
  }
})

describe("content of a replay", () => {
  it.effect("IDEM-01 KYC-03 a new application shows no more than the caller may currently see", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const fixture = yield* setUp
      const { birth_date, cpf } = fixture.customer
      const body = { external_id: "loan-4711", customer: { cpf, birth_date } }
      yield* checkReplays(fixture, (by) => createApplication(by, body), maskApplication("masked"))
    })))

  it.effect("IDEM-01 KYC-03 a requote shows no more than the caller may currently see", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const fixture = yield* setUp
      const { application_id } = fixture.application
      yield* checkReplays(fixture, (by) => requoteApplication(by, application_id, {}), maskApplication("masked"))
    })))

  it.effect("IDEM-01 KYC-10 a KYC submission shows no more than the caller may currently see", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const fixture = yield* setUp
      const { application_id } = fixture.application
      yield* checkReplays(
        fixture,
        (by) => submitKyc(by, application_id, aCompleteKyc().for(fixture.customer).build()),
        maskKyc("masked")
      )
    })))
})
