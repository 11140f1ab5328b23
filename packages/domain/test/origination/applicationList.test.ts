import { assert, describe, it } from "@effect/vitest"
import { PendingWork, storeApplication } from "@lastro/testkit"
import { application as anyApplication } from "@lastro/testkit/arbitraries"
import { Effect, Result, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { latestQuote } from "../../src/loan/Application.ts"
import {
  type ApplicationPlacement,
  ApplicationStatus,
  type PlacementBounds,
  placementOf,
  placementsWith
} from "../../src/loan/ApplicationStatus.ts"
import { erasedExternalId } from "../../src/origination/erasedExternalId.ts"
import { fgtsApplication } from "../../src/origination/FgtsApplication.ts"
import {
  abridgeApplication,
  fgtsApplicationListItem,
  listedUpdatedAt
} from "../../src/origination/FgtsApplicationListItem.ts"
import { fgtsApplicationStatus } from "../../src/origination/FgtsApplicationStatus.ts"
import {
  exportApplications,
  isApplicationSearch,
  judgeCpfFilter,
  listApplications
} from "../../src/origination/ListApplications.ts"
import { searchApplications } from "../../src/origination/SearchApplications.ts"
import { summarizeApplications } from "../../src/origination/SummarizeApplications.ts"
import { addMillis } from "../../src/values/Timestamp.ts"
import { createApplication } from "../commands.ts"
import { callerOf, expectRefusal, permit, runInMemory, start, storeMember, storeTwoTrees } from "../fixtures.ts"
import { makeCaller } from "../hierarchy/callers.ts"

/** Applications with an instant at or near one at which their status changes. */
const timed = anyApplication.chain((application) => {
  const ends = application.quotes.flatMap(({ offers }) => offers.map(({ expires_at }) => expires_at))
  const near = fc.tuple(
    fc.constantFrom(application.created_at, application.updated_at, ...ends),
    fc.constantFrom(-1, 0, 1)
  )
  return fc.tuple(fc.constant(application), near.map(([at, ms]) => addMillis(at, ms)))
})

const isWithin = ({ live_until, stage }: ApplicationPlacement, bounds: PlacementBounds): boolean =>
  stage === bounds.stage &&
  (bounds.live_from === undefined || live_until !== null && live_until >= bounds.live_from) &&
  (bounds.live_before === undefined || live_until === null || live_until < bounds.live_before)

describe("the list of applications", () => {
  it("FGTS-50 the status of a placement is the derived status, at any clock", () => {
    fc.assert(fc.property(timed, ([application, at]) => {
      const placement = placementOf(application)
      const within = ApplicationStatus.literals.filter((status) => isWithin(placement, placementsWith(status, at)))
      assert.deepStrictEqual(within, [fgtsApplication(application, at, "full").status])
    }))
  })

  it("FGTS-50 a placement needs no write when time passes: only events change it", () => {
    fc.assert(fc.property(anyApplication, (application) => {
      const { live_until, stage } = placementOf(application)
      if (live_until === null) return
      assert.strictEqual(stage, "QUOTED")
      assert.isTrue(live_until > application.updated_at)
      assert.isTrue(latestQuote(application).offers.some(({ expires_at }) => expires_at === live_until))
    }))
  })

  it("PAGE-29 `updated_at` of an item is the time of the last event, at any clock", () => {
    fc.assert(fc.property(timed, ([application, at]) => {
      assert.strictEqual(fgtsApplicationListItem(application, at, "full").updated_at, application.updated_at)
      assert.strictEqual(listedUpdatedAt(application), application.updated_at)
    }))
  })

  it("an item needs only the abridged application, and agrees with the application and its status", () => {
    fc.assert(fc.property(timed, fc.constantFrom("full", "masked"), ([application, at], view) => {
      const item = fgtsApplicationListItem(application, at, view)
      assert.deepStrictEqual(fgtsApplicationListItem(abridgeApplication(application), at, view), item)
      const whole = fgtsApplication(application, at, view)
      const { next_action, quote_status, status } = fgtsApplicationStatus(application, at)
      assert.deepStrictEqual(item, {
        application_id: whole.application_id,
        external_id: whole.external_id,
        partner_id: whole.partner_id,
        created_by: whole.created_by,
        status,
        next_action,
        proposal_status: application.proposal?.status ?? null,
        customer: { name: whole.customer.name, cpf: whole.customer.cpf },
        quote_status,
        best_net_amount: whole.quote.offers.length === 0
          ? null
          : Math.max(...whole.quote.offers.map(({ net_amount }) => net_amount)),
        rejection: whole.rejection,
        proposal_id: whole.proposal_id,
        metadata: whole.metadata,
        created_at: whole.created_at,
        updated_at: application.updated_at
      })
    }))
  })

  it("FGTS-51 only callers with kyc:read can filter applications by CPF; an empty filter is ignored", () => {
    const [full, masked] = [makeCaller(), makeCaller({ permissions: new Set() })]
    for (const cpf of ["11144477735", "x", [" ", ""]]) {
      assert.isTrue(Result.isSuccess(judgeCpfFilter(full, { cpf })))
      assert.isTrue(Result.isFailure(judgeCpfFilter(masked, { cpf })))
    }
    for (const query of [{}, { cpf: "" }, { cpf: ["", "11144477735"] }]) {
      assert.isTrue(Result.isSuccess(judgeCpfFilter(masked, query)))
    }
  })

  it("FGTS-52 a query is a search if it has an external_id and no other parameter", () => {
    assert.isTrue(isApplicationSearch({ external_id: "loan-1" }))
    assert.isTrue(isApplicationSearch({ external_id: ["loan-1", "loan-2"], status: undefined }))
    assert.isFalse(isApplicationSearch({}))
    for (const external_id of ["", ["", "loan-1"]]) assert.isFalse(isApplicationSearch({ external_id }))
    const others = [
      "unknown",
      "page",
      "size",
      "sort",
      "cpf",
      "status",
      "rejection_code",
      "partner_id",
      "created_from",
      "created_to"
    ]
    for (const name of [...others, "updated_from", "updated_to"]) {
      assert.isFalse(isApplicationSearch({ external_id: "loan-1", [name]: "" }), name)
    }
  })

  it.effect("FGTS-25 PRIV-13 a search, a list, a summary and an export by an external id have the erased applications that had it", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin, a } = yield* storeTwoTrees
      const reading = yield* permit(yield* callerOf(aAdmin), "fgts:read")
      for (const external_id of ["live", "both", yield* erasedExternalId("both"), yield* erasedExternalId("gone")]) {
        yield* storeApplication(a, { at: start, external_id })
      }
      const totalOf = Effect.fnUntraced(function*(external_id: string) {
        const { page } = yield* listApplications(reading, { external_id, page: "0" })
        const { data } = yield* summarizeApplications(reading, { external_id })
        const exported = yield* Stream.runCount(yield* exportApplications(reading, { external_id }))
        const found = yield* searchApplications(reading, { external_id })
        assert.deepStrictEqual([found.data.length, data.total, exported], Array(3).fill(page.total_elements))
        return page.total_elements
      })
      assert.strictEqual(yield* totalOf("live"), 1)
      assert.strictEqual(yield* totalOf("both"), 2)
      assert.strictEqual(yield* totalOf("gone"), 1)
      assert.strictEqual(yield* totalOf("never"), 0)
    })))

  it.effect("masks CPFs for callers without kyc:read, and reports every problem of a query", () =>
    runInMemory(Effect.gen(function*() {
      const world = yield* storeTwoTrees
      const caller = yield* callerOf(world.aAdmin)
      const reading = yield* permit(caller, "fgts:read")
      const viewing = yield* permit(yield* callerOf(yield* storeMember(world.a, "viewer")), "fgts:read")
      const customer = { cpf: "529.982.247-25", birth_date: "1990-05-17" }
      yield* createApplication(yield* permit(caller, "fgts:write"), { external_id: "loan-4711", customer })
      yield* storeApplication(world.stranger, { at: start })
      const cpfs = (allowed: typeof reading, query = {}) =>
        Effect.map(listApplications(allowed, query), ({ content }) => content.map(({ customer }) => customer.cpf))
      assert.deepStrictEqual(yield* cpfs(reading), ["52998224725"])
      assert.deepStrictEqual(yield* cpfs(reading, { cpf: "529.982.247-25" }), ["52998224725"])
      assert.deepStrictEqual(yield* cpfs(viewing), ["***.982.247-**"])
      yield* expectRefusal(cpfs(viewing, { cpf: "529.982.247-25" }), "PermissionDenied")
      yield* expectRefusal(
        cpfs(reading, { cpf: "1", status: "PAID", rejection_code: "X", sort: "status", page: "x", created_from: "x" }),
        "query.cpf INVALID_FORMAT, query.created_from INVALID_FORMAT, query.page INVALID_TYPE, query.rejection_code UNKNOWN_VALUE, query.sort UNKNOWN_VALUE, query.status UNKNOWN_VALUE"
      )
      yield* (yield* PendingWork).finish
      const total = (status: string) =>
        Effect.map(listApplications(reading, { status }), ({ page }) => page.total_elements)
      assert.deepStrictEqual(yield* Effect.all([total("QUOTED"), total("EXPIRED")]), [1, 0])
      yield* TestClock.adjust("25 hours")
      assert.deepStrictEqual(yield* Effect.all([total("QUOTED"), total("EXPIRED")]), [0, 1])
    })))
})
