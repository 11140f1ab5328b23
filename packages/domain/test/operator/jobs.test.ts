import { assert, describe, it } from "@effect/vitest"
import { layerMemoryByHand, storeContractedApplication, storeRootPartner } from "@lastro/testkit"
import { Effect, Option, Result } from "effect"
import * as fc from "fast-check"
import { latestQuote } from "../../src/loan/Application.ts"
import { cancelJob, parseJobName, retryJob } from "../../src/operator/jobs.ts"
import { DurableWork } from "../../src/origination/DurableWork.ts"
import { UnitOfWork } from "../../src/ports/UnitOfWork.ts"
import { parseId } from "../../src/values/Uuid.ts"
import { auditEntriesOf } from "../fixtures.ts"

describe("the operator", () => {
  it.effect("leaves an audit entry with a retry, and with a cancellation that changes nothing", () =>
    Effect.gen(function*() {
      const application = yield* storeContractedApplication(yield* storeRootPartner())
      const { application_id } = application
      const name = `quote/${latestQuote(application).quote_id}`
      yield* (yield* UnitOfWork).atomically((yield* DurableWork).startQuote(latestQuote(application).quote_id))
      yield* retryJob(name)
      const after = yield* cancelJob(name)
      assert.deepStrictEqual(after, application)
      assert.deepStrictEqual(
        (yield* auditEntriesOf(application_id)).map(({ action, actor, after }) => [action, actor, after]),
        [
          ["application.retry_job", "operator", { job: name }],
          ["application.cancel_job", "operator", { job: name }]
        ]
      )
    }).pipe(Effect.provide(layerMemoryByHand, { local: true })))
})

describe("parseJobName", () => {
  it("JOB-08 reads the kind and the id of a job, and refuses every other text", () => {
    fc.assert(fc.property(fc.stringMatching(/^[a-z][a-z_-]{0,30}$/), fc.uuid({ version: 7 }), (kind, id) => {
      assert.deepStrictEqual(Result.getOrThrow(parseJobName(`${kind}/${id}`)), { kind, id })
    }))
    fc.assert(fc.property(fc.string(), (text) => {
      const [, kind = "", id = ""] = /^([a-z][a-z_-]{0,30})\/(.*)$/s.exec(text) ?? []
      const names = kind !== "" && Option.isSome(parseId<string>(id))
      assert.strictEqual(Result.isSuccess(parseJobName(text)), names)
    }))
    for (
      const text of [
        "",
        "quote",
        "quote/",
        "/0199f5a2-0000-7000-8000-000000000001",
        "quote/1",
        "Quote/0199f5a2-0000-7000-8000-000000000001"
      ]
    ) {
      assert.isTrue(Result.isFailure(parseJobName(text)), text)
    }
  })
})
