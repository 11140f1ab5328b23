import { assert, describe, it } from "@effect/vitest"
import { aCompleteKyc, answerWithOffers, PendingWork, saveApplication, storeApplication } from "@lastro/testkit"
import { Effect, Option, Result, type Schema } from "effect"
import { type Allowed } from "../../src/access/Authorization.ts"
import { IdempotencyStore } from "../../src/idempotency/IdempotencyStore.ts"
import { type Once, type SentKey } from "../../src/idempotency/runOnce.ts"
import { maskKyc } from "../../src/kyc/FgtsKyc.ts"
import { createApplication } from "../../src/origination/CreateApplication.ts"
import { maskApplication } from "../../src/origination/FgtsApplication.ts"
import { requoteApplication } from "../../src/origination/RequoteApplication.ts"
import { submitKyc } from "../../src/origination/SubmitKyc.ts"
import { currentTimestamp, type Timestamp } from "../../src/values/Timestamp.ts"
import { callerOf, permit, runWithoutWorkers, storeTwoTrees } from "../fixtures.ts"

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
  request: (by: Allowed<"fgts:write">, sent: SentKey) => Effect.Effect<Once<A>, E, R>,
  masked: (answer: A) => A
) {
  for (const order of [[withKycRead, withoutKycRead, withKycRead], [withoutKycRead, withKycRead, withoutKycRead]]) {
    const key = order[0] === withKycRead ? "with kyc:read first" : "without kyc:read first"
    const responses = yield* Effect.forEach(
      order,
      (by) => request(by, Result.succeed({ key, fingerprint: "same request" }))
    )
    assert.deepStrictEqual(responses.map(({ replayed }) => replayed), [false, true, true])
    const slot = { subject: withKycRead.caller.subject, key }
    const found = yield* (yield* IdempotencyStore).find(slot, "2026-01-01T00:00:00.000Z" as Timestamp)
    const stored = JSON.parse(Option.getOrThrow(found).answer) as A
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
      yield* checkReplays(fixture, (by, sent) => createApplication(by, body, sent), maskApplication("masked"))
    })))

  it.effect("IDEM-01 KYC-03 a requote shows no more than the caller may currently see", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const fixture = yield* setUp
      const { application_id } = fixture.application
      yield* checkReplays(
        fixture,
        (by, sent) => requoteApplication(by, application_id, {}, sent),
        maskApplication("masked")
      )
    })))

  it.effect("IDEM-01 KYC-10 a KYC submission shows no more than the caller may currently see", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const fixture = yield* setUp
      const { application_id } = fixture.application
      yield* checkReplays(
        fixture,
        (by, sent) => submitKyc(by, application_id, aCompleteKyc().for(fixture.customer).build(), sent),
        maskKyc("masked")
      )
    })))
})
