import { assert, describe, it } from "@effect/vitest"
import { PendingWork, ScriptedLender, silent, storeApplication } from "@lastro/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { getApplication } from "../../src/origination/GetApplication.ts"
import { maxSearchResults, searchApplications } from "../../src/origination/SearchApplications.ts"
import { currentTimestamp } from "../../src/values/Timestamp.ts"
import { createApplication, requoteApplication } from "../commands.ts"
import {
  auditEntriesOf,
  callerOf,
  expectRefusal,
  permit,
  runInMemory,
  runWithoutWorkers,
  start,
  storeMember,
  storeTwoTrees
} from "../fixtures.ts"

const body = { external_id: "loan-4711", customer: { cpf: "529.982.247-25", birth_date: "1990-05-17" } }

const setUp = Effect.gen(function*() {
  const world = yield* storeTwoTrees
  const caller = yield* callerOf(world.aAdmin)
  return {
    ...world,
    reading: yield* permit(caller, "fgts:read"),
    writing: yield* permit(caller, "fgts:write"),
    viewing: yield* permit(yield* callerOf(yield* storeMember(world.a, "viewer")), "fgts:read"),
    stranger: yield* permit(yield* callerOf(world.strangerAdmin), "fgts:read")
  }
})

describe("createApplication", () => {
  it.effect("opens it for the caller's partner or a descendant, and starts a quote", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { a, aa, writing } = yield* setUp
      const own = yield* createApplication(writing, body)
      const below = yield* createApplication(writing, { ...body, partner_id: aa.partner_id })
      assert.deepStrictEqual([own.partner_id, below.partner_id], [a.partner_id, aa.partner_id])
      assert.deepInclude(own, {
        external_id: "loan-4711",
        created_by: writing.caller.subject,
        status: "QUOTING",
        kyc_complete: false,
        proposal_id: null,
        rejection: null,
        created_at: start,
        updated_at: start
      })
      assert.deepInclude(own.quote, { number: 1, status: "PENDING", created_at: start, completed_at: null })
      assert.deepStrictEqual(yield* (yield* PendingWork).pending, [
        { kind: "quote", id: own.quote.quote_id },
        { kind: "quote", id: below.quote.quote_id }
      ])
      const [entry] = yield* auditEntriesOf(own.application_id)
      assert.deepInclude(entry, { action: "application.create", actor: writing.caller.subject, before: null })
      assert.notInclude(JSON.stringify(entry), "52998224725")
    })))

  it.effect("reports problems of the body and of the partner together, and opens nothing", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { b, writing } = yield* setUp
      yield* expectRefusal(
        createApplication(writing, { ...body, partner_id: b.partner_id, max_installments: 0 }),
        "max_installments OUT_OF_RANGE, partner_id OUTSIDE_HIERARCHY"
      )
      yield* expectRefusal(
        createApplication(writing, { ...body, partner_id: "01890000-0000-7000-8000-000000000000" }),
        "partner_id NOT_FOUND"
      )
      yield* expectRefusal(createApplication(writing, undefined), " INVALID_TYPE")
    })))

  it.effect("FGTS-12 T40 a re-quote is possible after the older quote completed, and supersedes its offers", () =>
    runInMemory(Effect.gen(function*() {
      const { reading, writing } = yield* setUp
      const { application_id } = yield* createApplication(writing, body)
      yield* (yield* PendingWork).finish
      yield* (yield* ScriptedLender).setQuoteAnswers(silent())
      const again = yield* requoteApplication(writing, application_id, { max_installments: 1 })
      assert.deepStrictEqual([again.status, again.quote.number], ["QUOTING", 2])
      yield* expectRefusal(requoteApplication(writing, application_id, undefined), "QuoteInProgress")
      const { quotes = [] } = yield* getApplication(reading, application_id, { include: "quotes" })
      assert.deepStrictEqual(quotes.map(({ status }) => status), ["SUPERSEDED", "PENDING"])
      assert.deepStrictEqual(quotes[0]?.offers.map(({ status }) => status), ["SUPERSEDED", "SUPERSEDED"])
      yield* TestClock.adjust("1 minute")
      const failed = yield* getApplication(reading, application_id, {})
      assert.deepStrictEqual([failed.status, failed.rejection?.code], ["QUOTE_FAILED", "UPSTREAM_UNAVAILABLE"])
    })))
})

describe("reading applications", () => {
  it.effect("KYC-03 callers without permission to read KYC get a masked CPF", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { reading, viewing, writing } = yield* setUp
      const { application_id } = yield* createApplication(writing, body)
      const cpf = (allowed: typeof reading) =>
        Effect.map(getApplication(allowed, application_id, {}), ({ customer }) => customer.cpf)
      assert.strictEqual(yield* cpf(reading), "52998224725")
      assert.strictEqual(yield* cpf(viewing), "***.982.247-**")
      const { data: [found] } = yield* searchApplications(viewing, { external_id: "loan-4711" })
      assert.strictEqual(found?.customer.cpf, "***.982.247-**")
    })))

  it.effect("includes all quotes on request, and refuses other values of include", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { reading, stranger, writing } = yield* setUp
      const { application_id } = yield* createApplication(writing, body)
      const including = (include: string | undefined) => getApplication(reading, application_id, { include })
      assert.strictEqual((yield* including("quotes")).quotes?.length, 1)
      for (const nothing of [undefined, ""]) assert.isFalse("quotes" in (yield* including(nothing)))
      yield* expectRefusal(including("offers"), "query.include UNKNOWN_VALUE")
      yield* expectRefusal(getApplication(stranger, application_id, { include: "offers" }), "OutsideHierarchy")
    })))

  it.effect("FGTS-25 T48 an external id finds the newest 100 applications in scope, newest first", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { a, aa, b, reading, stranger } = yield* setUp
      for (let number = 0; number < 156; number++) {
        const partner = [a, aa, b][number % 3] ?? a
        yield* storeApplication(partner, { at: yield* currentTimestamp, external_id: "twice" })
        yield* storeApplication(partner, { at: yield* currentTimestamp, external_id: "twice or more" })
        yield* TestClock.adjust("1 second")
      }
      const { data } = yield* searchApplications(reading, { external_id: "twice" })
      assert.strictEqual(data.length, maxSearchResults)
      const times = data.map(({ created_at }) => created_at)
      assert.deepStrictEqual(times, times.toSorted().toReversed())
      assert.isTrue(data.every((one) => one.external_id === "twice" && one.partner_id !== b.partner_id))
      assert.deepStrictEqual((yield* searchApplications(stranger, { external_id: "twice" })).data, [])
      yield* expectRefusal(searchApplications(reading, {}), "query.external_id REQUIRED")
    })))
})
