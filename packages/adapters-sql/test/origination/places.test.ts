import { assert, it } from "@effect/vitest"
import { asOperator } from "@lastro/domain/hierarchy"
import {
  type Application,
  applicationStatus,
  isUnfinished,
  latestQuote,
  NextAction,
  nextAction,
  ProposalStatus,
  recordingTime
} from "@lastro/domain/loan"
import { type ApplicationFilters, ApplicationRepository, applicationSortFields } from "@lastro/domain/origination"
import { type PartnerDetail, PartnerRepository } from "@lastro/domain/partner"
import { addMillis, type PartnerId, type Timestamp } from "@lastro/domain/values"
import { storeForest } from "@lastro/testkit"
import { contractedHistory, type History, history } from "@lastro/testkit/arbitraries"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { examples, isOrdeal } from "../../../../test/rounds.ts"
import { checkInvariants, repairInvariants } from "../../src/index.ts"
import { startMissingJobs } from "../../src/jobs/startMissingJobs.ts"
import { foldPlaces } from "../../src/origination/foldPlaces.ts"
import { atTime } from "../clock.ts"
import { postgresWithoutFolder } from "../databases.ts"
import { movePartner } from "../hierarchy/movePartner.ts"
import { storeHistory } from "./storeHistory.ts"

const quiet = { excludeTestServices: true, timeout: "2 minutes" } as const

const storeExamples = (
  partners: readonly [PartnerDetail, ...ReadonlyArray<PartnerDetail>],
  count: number,
  isWanted: (one: History) => boolean = () => true
) =>
  Effect.forEach(
    fc.sample(fc.oneof(history(10), contractedHistory), examples(count)).filter(isWanted),
    (one, index) => storeHistory(partners[index % partners.length] ?? partners[0], one)
  )

/** Lists the ids of the applications that pass the filters, with the total. */
const listed = Effect.fnUntraced(function*(top: PartnerId, filters: ApplicationFilters, at: Timestamp) {
  const { items, total } = yield* (yield* ApplicationRepository).list(asOperator.scope(top), {
    filters,
    page: { number: 0, size: 100 },
    sort: [{ property: applicationSortFields[0], direction: "desc" }],
    at
  })
  assert.strictEqual(items.length, Math.min(100, total))
  return items.map(({ application_id }) => application_id)
})

/** Compares the lists by each next action and each proposal status with those of the domain. */
const compare = Effect.fnUntraced(function*(stored: ReadonlyArray<Application>, top: PartnerId, at: Timestamp) {
  const ids = (passes: (one: Application) => boolean) =>
    stored.filter(passes).map(({ application_id }) => application_id)
  for (const action of NextAction.literals) {
    const expected = ids((one) => nextAction(one, recordingTime(one, at)) === action)
    assert.sameMembers(yield* listed(top, { next_action: [action] }, at), expected, `${action} at ${at}`)
  }
  for (const status of ProposalStatus.literals) {
    const expected = ids(({ proposal }) => proposal?.status === status)
    assert.sameMembers(yield* listed(top, { proposal_status: [status] }, at), expected, status)
  }
  const ended = ["EXPIRED", "REJECTED"] as const
  const expected = ids((one) => ended.some((status) => status === applicationStatus(one, recordingTime(one, at))))
  assert.sameMembers(yield* listed(top, { status: ended }, at), expected, "several statuses")
})

// The background fold has the real clock, so it does not run here.
it.layer(postgresWithoutFolder(), quiet)("the places of applications", (it) => {
  it.effect(
    "FGTS-72 are exact at any time, before and after they were stored, and after a move",
    () =>
      Effect.gen(function*() {
        const partners = yield* storeForest([null, 0, 0, 1, 1])
        const [root, left, right, deep] = partners
        const stored = yield* storeExamples(partners, 80)
        const instants = stored.flatMap((one) => {
          const { offers, rejection } = latestQuote(one)
          return [...offers.map(({ expires_at }) => expires_at), ...rejection?.retry_at ? [rejection.retry_at] : []]
        }).toSorted()
        const clocks = (isOrdeal ? [0, 0.2, 0.4, 0.6, 0.8] : [0, 0.6]).flatMap((part) => {
          const end = instants[Math.floor(instants.length * part)]
          return end === undefined ? [] : [addMillis(end, -1), end, addMillis(end, 61_000)]
        })
        const below = (...within: ReadonlyArray<PartnerDetail>) =>
          stored.filter((one) => within.some(({ partner_id }) => partner_id === one.partner_id))
        for (const at of clocks) {
          yield* compare(stored, root.partner_id, at)
          while ((yield* atTime(at, foldPlaces)) > 0);
          assert.deepStrictEqual(yield* checkInvariants, [])
          yield* compare(stored, root.partner_id, at)
          yield* compare(below(deep), deep.partner_id, at)
          // A node whose clock is behind still gets exact pages.
          yield* compare(stored, root.partner_id, addMillis(at, -3_600_000))
        }
        assert.isTrue(yield* movePartner(left, right))
        assert.deepStrictEqual(yield* checkInvariants, [])
        const last = clocks.at(-1) ?? addMillis(deep.created_at, 0)
        yield* compare(below(right, left, deep, partners[4]), right.partner_id, last)
        while ((yield* atTime(last, foldPlaces)) > 0);
        yield* compare(below(right, left, deep, partners[4]), right.partner_id, last)
        assert.deepStrictEqual(yield* checkInvariants, [])
      }),
    120_000
  )

  it.effect(
    "FGTS-71 are stored for applications that an earlier version wrote, without a change of their counts",
    () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const partners = yield* storeForest([null, 0])
        const stored = yield* storeExamples(partners, 40)
        const [root] = partners
        const at = addMillis(stored[0]!.updated_at, 0)
        yield* foldPlaces
        yield* sql`update application set place = null, place_from = '-infinity', place_until = 'infinity',
            course = null, placed_version = null`
        yield* sql`
          update proposal set created_by = null, lender = null, table_code = null, paid_at = null,
            list_item = (list_item::jsonb - 'lender' - 'table' - 'paid_at')::json`
        assert.deepStrictEqual(yield* checkInvariants, [])
        assert.deepStrictEqual(yield* listed(root.partner_id, { proposal_status: ["PAID"] }, at), [])
        yield* startMissingJobs()
        const left = yield* sql`select id from application where placed_version is distinct from version`
        assert.deepStrictEqual(left, [])
        assert.deepStrictEqual(yield* sql`select id from proposal where table_code is null`, [])
        assert.deepStrictEqual(yield* checkInvariants, [])
        yield* compare(stored, root.partner_id, at)
      }),
    120_000
  )

  it.effect("FGTS-74 have no new quote after the partner was deleted", () =>
    Effect.gen(function*() {
      const [root, child] = yield* storeForest([null, 0])
      const finished = yield* storeExamples([child], 60, ({ steps }) => {
        const last = steps.at(-1)?.after
        return last !== undefined && !isUnfinished(last)
      })
      yield* (yield* PartnerRepository).remove(asOperator.inScope(child), addMillis(child.created_at, 0))
      const orphaned = finished.map((one) => ({ ...one, partner_deleted_at: addMillis(child.created_at, 0) }))
      for (const one of finished.slice(0, 3)) {
        for (const { expires_at } of latestQuote(one).offers) yield* compare(orphaned, root.partner_id, expires_at)
      }
      yield* compare(orphaned, root.partner_id, addMillis(child.created_at, 365 * 24 * 3_600_000))
      assert.deepStrictEqual(yield* checkInvariants, [])
    }), 120_000)

  it.effect("FGTS-72 the counts are repaired if they are wrong", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const partners = yield* storeForest([null, 0])
      const [root] = partners
      const stored = yield* storeExamples(partners, 20)
      yield* foldPlaces
      yield* sql`update application_place_count set applications = applications + 1`
      assert.deepStrictEqual((yield* checkInvariants).map(({ invariant }) => invariant), [
        "Maintained counts of places equal the actual counts"
      ])
      yield* repairInvariants
      assert.deepStrictEqual(yield* checkInvariants, [])
      yield* compare(stored, root.partner_id, addMillis(stored[0]!.updated_at, 0))
    }), 120_000)

  it.effect("FGTS-73 every access path returns the rows of the plain query", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const partners = yield* storeForest([null, 0, 0, 1, ...Array.from({ length: 70 }, () => 1)])
      const [root, wide, narrow, leaf] = partners
      const source = yield* storeHistory(root, fc.sample(contractedHistory, 1)[0]!)
      const at = "2026-06-01T12:00:00.000Z" as Timestamp
      yield* sql`
        insert into application (id, partner_id, root_id, region_id, external_id, cpf, created_by, customer, unfinished,
          created_at, updated_at, version, stage, listed, place, placed_version)
        select gen_random_uuid(), owner.id, owner.root_id, owner.region_id, 'copy-' || n, cpf, created_by, customer, false,
          '2026-01-01'::timestamptz + n * interval '1 second',
          '2026-01-01'::timestamptz + n * 7919 % 9000 * interval '1 second', 1, 'CONTRACTED', listed,
          (array['CONTRACTED/NONE/PAID', 'CONTRACTED/NONE/SETTLED', 'REJECTED/NONE/', 'REJECTED/REQUOTE/'])[1 + n % 4], 1
        from generate_series(1, 9000) n
        join unnest(${partners.map(({ partner_id }) => partner_id)}::uuid[]) with ordinality owners (id, number)
          on number = 1 + n % 74
        join partner owner on owner.id = owners.id join application source on source.id = ${source.application_id}`
      yield* sql`update application set place = null where id = ${source.application_id}`
      while ((yield* atTime(at, foldPlaces)) > 0);
      yield* sql`analyze application, application_place_count, application_place_delta, partner`
      const filters: ReadonlyArray<readonly [ApplicationFilters, ReadonlyArray<string>]> = [
        [{ proposal_status: ["SETTLED"] }, ["CONTRACTED/NONE/SETTLED"]],
        [{ next_action: ["REQUOTE", "SIGN"] }, ["REJECTED/REQUOTE/"]],
        [{ status: ["REJECTED", "EXPIRED"] }, ["REJECTED/NONE/", "REJECTED/REQUOTE/"]]
      ]
      for (const top of [root, wide, narrow, leaf]) {
        for (const [filter, places] of filters) {
          for (const property of applicationSortFields) {
            for (const direction of ["asc", "desc"] as const) {
              const plain = yield* sql<{ readonly id: string }>`
                with recursive below (id) as (
                  select ${top.partner_id}::uuid union all
                  select partner.id from partner join below on partner.parent_id = below.id
                )
                select application.id from application join below on below.id = application.partner_id
                where place = any(${places}::text[])
                order by ${sql.literal(`application.${property} ${direction}, application.id ${direction}`)}`
              for (const number of [0, 7, 1_000_000]) {
                const { items, total } = yield* (yield* ApplicationRepository).list(asOperator.scope(top.partner_id), {
                  filters: filter,
                  page: { number, size: 20 },
                  sort: [{ property, direction }],
                  at
                })
                const name = `${JSON.stringify(filter)} ${property} ${direction} ${number} ${partners.indexOf(top)}`
                assert.strictEqual(total, plain.length, name)
                assert.deepStrictEqual<ReadonlyArray<string>>(
                  items.map((one) => one.application_id),
                  plain.slice(number * 20, number * 20 + 20).map(({ id }) => id),
                  name
                )
              }
            }
          }
        }
      }
    }), 120_000)
})
