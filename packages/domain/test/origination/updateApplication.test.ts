import { assert, describe, it } from "@effect/vitest"
import { MemoryDatabase, saveApplication, storeApplication, storeContractedApplication } from "@lastro/testkit"
import { history, metadata } from "@lastro/testkit/arbitraries"
import { Effect, Fiber, Option, Result } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { recordContractStatus } from "../../../testkit/src/builders/applicationStages.ts"
import { type FgtsApplication } from "../../src/origination/FgtsApplication.ts"
import { getApplication } from "../../src/origination/GetApplication.ts"
import { getApplicationStatus } from "../../src/origination/GetApplicationStatus.ts"
import { patchApplication, updateApplication } from "../../src/origination/UpdateApplication.ts"
import { erasePerson } from "../../src/privacy/ErasePerson.ts"
import { type ApplicationId } from "../../src/values/ids.ts"
import {
  auditEntriesOf,
  callerOf,
  expectRefusal,
  permit,
  runInMemory,
  runWithoutWorkers,
  storeMember,
  storeTwoTrees
} from "../fixtures.ts"

const body = { metadata: { plan: "gold" } }
const stale = () => false

const setUp = Effect.gen(function*() {
  const world = yield* storeTwoTrees
  const caller = yield* callerOf(world.aAdmin)
  return {
    ...world,
    application: yield* storeApplication(world.aa, { metadata: { plan: "silver", cpf: "529.982.247-25" } }),
    reading: yield* permit(caller, "fgts:read"),
    writing: yield* permit(caller, "fgts:write")
  }
})

describe("updateApplication", () => {
  it.effect("META-07 merges the metadata, changes nothing else and audits only the key", () =>
    runInMemory(Effect.gen(function*() {
      const { application: { application_id }, reading, writing } = yield* setUp
      const before = yield* getApplication(reading, application_id, {})
      yield* TestClock.adjust("1 minute")
      const after = yield* updateApplication(writing, application_id, body)
      assert.deepStrictEqual(after, { ...before, metadata: { plan: "gold", cpf: "529.982.247-25" } })
      assert.deepStrictEqual(yield* getApplication(reading, application_id, {}), after)
      const [entry, ...more] = yield* auditEntriesOf(application_id)
      assert.deepStrictEqual(more, [])
      assert.deepInclude(entry, {
        action: "application.update",
        actor: writing.caller.subject,
        changed: ["metadata.plan"]
      })
      assert.deepStrictEqual(Reflect.get(Object(entry?.after), "metadata"), { plan: "***", cpf: "***" })
      assert.notMatch(JSON.stringify(entry), /gold|silver|247-25/)
    })))

  it.effect("META-07 is possible in a final status", () =>
    runInMemory(Effect.gen(function*() {
      const { aa, writing } = yield* setUp
      const contract = yield* storeContractedApplication(aa)
      yield* saveApplication(contract, recordContractStatus(contract, "CANCELLED"))
      const after = yield* updateApplication(writing, contract.application_id, body)
      assert.deepStrictEqual([after.status, after.metadata], ["CANCELLED", { plan: "gold" }])
    })))

  it.effect("META-07 an erased application takes no metadata", () =>
    runInMemory(Effect.gen(function*() {
      const { application: { application_id, customer }, writing } = yield* setUp
      yield* erasePerson(customer.cpf)
      const erased = yield* updateApplication(writing, application_id, { metadata: null })
      assert.deepStrictEqual([erased.customer.cpf, erased.metadata], [null, {}])
      yield* expectRefusal(updateApplication(writing, application_id, body), "metadata IMMUTABLE")
      assert.deepStrictEqual((yield* updateApplication(writing, application_id, {})).metadata, {})
    })))

  it.effect("META-07 does not end a long poll", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application: { application_id }, reading, writing } = yield* setUp
      const known = yield* getApplicationStatus(reading, application_id, { wait: "0" }, () => Option.none())
      const poll = yield* Effect.forkChild(
        getApplicationStatus(reading, application_id, { wait: "30" }, () => Option.none()),
        { startImmediately: true }
      )
      yield* TestClock.adjust("1 second")
      yield* updateApplication(writing, application_id, body)
      yield* TestClock.adjust("28 seconds")
      assert.isUndefined(poll.pollUnsafe())
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual((yield* Fiber.join(poll)).status, known.status)
    })))

  it.effect("a patch without changes returns the same record and writes nothing", () =>
    runInMemory(Effect.gen(function*() {
      const { application: { application_id }, reading, writing } = yield* setUp
      const { state } = yield* MemoryDatabase
      const before = yield* state
      const stored = yield* getApplication(reading, application_id, {})
      for (const patch of [{}, { metadata: {} }, { metadata: { plan: "silver", other: null } }]) {
        assert.deepStrictEqual(yield* updateApplication(writing, application_id, patch), stored)
      }
      assert.deepStrictEqual(yield* state, before)
    })))

  it.effect("HIER-02 PRE-01 checks existence, hierarchy, precondition and body in this order", () =>
    runInMemory(Effect.gen(function*() {
      const { a, aAdmin, application: { application_id }, b, writing } = yield* setUp
      const wrong = { metadata: "gold" }
      yield* expectRefusal(
        updateApplication(writing, aAdmin.user_id as string as ApplicationId, wrong, stale),
        "NotFound"
      )
      const outside = yield* storeApplication(b)
      yield* expectRefusal(updateApplication(writing, outside.application_id, wrong, stale), "OutsideHierarchy")
      yield* expectRefusal(updateApplication(writing, application_id, wrong, stale), "PreconditionFailed")
      yield* expectRefusal(updateApplication(writing, application_id, wrong), "metadata INVALID_TYPE")
      const fields = { external_id: "other", status: "CANCELLED", metadata: { plan: 1 } }
      const problems = "external_id UNKNOWN_FIELD, metadata.plan INVALID_TYPE, status UNKNOWN_FIELD"
      yield* expectRefusal(updateApplication(writing, application_id, fields), problems)
      const viewing = yield* permit(yield* callerOf(yield* storeMember(a, "operator")), "fgts:write")
      yield* updateApplication(viewing, application_id, body)
    })))

  it.effect("PRE-01 the precondition receives the application as `getApplication` returns it", () =>
    runInMemory(Effect.gen(function*() {
      const { application: { application_id }, reading, writing } = yield* setUp
      const read = JSON.stringify(yield* getApplication(reading, application_id, {}))
      const isRead = (current: FgtsApplication) => JSON.stringify(current) === read
      yield* updateApplication(writing, application_id, body, isRead)
      yield* expectRefusal(updateApplication(writing, application_id, { metadata: null }, isRead), "PreconditionFailed")
    })))

  it("META-07 the metadata of an application in any state can be patched", () => {
    fc.assert(
      fc.property(history(), metadata, ({ application }, patch) => {
        const { metadata } = Result.getOrThrow(patchApplication({ ...application, metadata: {} }, { metadata: patch }))
        assert.deepStrictEqual(new Map(Object.entries(metadata)), new Map(Object.entries(patch)))
      }),
      { numRuns: 30 }
    )
  })
})
