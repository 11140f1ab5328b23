import { assert, it } from "@effect/vitest"
import { asOperator } from "@lastro/domain/hierarchy"
import { type ApplicationPlacement, ApplicationStatus, latestQuote, placementOf } from "@lastro/domain/loan"
import { ApplicationRepository, type ApplicationSortField, applicationSortFields } from "@lastro/domain/origination"
import { addMillis, type ApplicationId, type PartnerId, type Timestamp } from "@lastro/domain/values"
import { storeForest } from "@lastro/testkit"
import { contractedHistory, history } from "@lastro/testkit/arbitraries"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { examples, isOrdeal } from "../../../../test/rounds.ts"
import { checkHierarchy, checkInvariants, foldCounts } from "../../src/index.ts"
import { atTime } from "../clock.ts"
import { countBinds } from "../countBinds.ts"
import { postgresWithoutFolder } from "../databases.ts"
import { movePartner } from "../hierarchy/movePartner.ts"
import { storeHistory } from "./storeHistory.ts"

/** FGTS-50 again, also for clocks before the last event. */
const statusOf = ({ live_until, stage }: ApplicationPlacement, at: Timestamp): ApplicationStatus =>
  stage === "QUOTED" && (live_until === null || live_until <= at) ? "EXPIRED" : stage

const quiet = { excludeTestServices: true, timeout: "2 minutes" } as const

// The background fold has the real clock, so it does not run here.
it.layer(postgresWithoutFolder(), quiet)("the counts of applications by status", (it) => {
  it.effect(
    "FGTS-50 are exact at any clock, before and after expiries were folded, and after a move",
    () =>
      Effect.gen(function*() {
        const applications = yield* ApplicationRepository
        const partners = yield* storeForest([null, 0, 0, 1, 1])
        const [root, left, right, deep] = partners
        const stored = yield* Effect.forEach(
          fc.sample(fc.oneof(history(10), contractedHistory), examples(120)),
          (one, index) => storeHistory(partners[index % 5] ?? root, one)
        )
        const ends = stored.flatMap((one) => latestQuote(one).offers.map(({ expires_at }) => expires_at)).toSorted()
        const clocks = (isOrdeal ? [0, 0.2, 0.4, 0.6, 0.8] : [0, 0.6]).flatMap((part) => {
          const end = ends[Math.floor(ends.length * part)]
          return end === undefined ? [] : [addMillis(end, -1), end, addMillis(end, 61_000)]
        })
        const below = new Map<PartnerId, ReadonlyArray<PartnerId>>([
          [root.partner_id, partners.map(({ partner_id }) => partner_id)],
          [deep.partner_id, [deep.partner_id]]
        ])
        const compare = Effect.fnUntraced(function*(at: Timestamp) {
          for (const [top, within] of below) {
            for (const status of ApplicationStatus.literals) {
              const expected = stored.filter((one) =>
                within.includes(one.partner_id) && statusOf(placementOf(one), at) === status
              )
              const { items, total } = yield* applications.list(asOperator.scope(top), {
                filters: { status: [status] },
                page: { number: 0, size: 100 },
                sort: [{ property: "created_at", direction: "desc" }],
                at
              })
              assert.strictEqual(total, expected.length, `${status} at ${at}`)
              assert.sameMembers(items.map((one) => one.application_id), expected.map((one) => one.application_id))
            }
          }
        })
        for (const at of clocks) {
          yield* compare(at)
          while ((yield* atTime(at, foldCounts)) > 0);
          assert.deepStrictEqual(yield* checkInvariants, [])
          yield* compare(at)
          // A node whose clock is behind still gets exact pages.
          yield* compare(addMillis(at, -3_600_000))
        }
        below.set(right.partner_id, [right.partner_id, left.partner_id, deep.partner_id, partners[4].partner_id])
        assert.isTrue(yield* movePartner(left, right))
        assert.deepStrictEqual(yield* checkInvariants, [])
        for (const at of clocks) yield* compare(at)
      }),
    120_000
  )
})

/** An application of the plain query. Its times are in seconds. */
interface PlainRow extends Record<ApplicationSortField, number> {
  readonly id: ApplicationId
  readonly status: ApplicationStatus
}

/**
 * Inserts copies of an application for each of the partners, with their counts. Copies are created at intervals of one
 * second.
 */
const addCopies = Effect.fnUntraced(function*(
  source: ApplicationId,
  owners: ReadonlyArray<PartnerId>,
  { count, created, live, stage }: {
    readonly count: number
    readonly created: string
    readonly live: string
    readonly stage: string
  }
) {
  const sql = yield* SqlClient.SqlClient
  const isQuoted = stage === "QUOTED"
  const column = sql(isQuoted && live === "-infinity" ? "applications_expired" : `applications_${stage.toLowerCase()}`)
  yield* sql`
    with copies as (
      insert into application (id, partner_id, root_id, region_id, external_id, cpf, created_by, customer, unfinished, created_at,
        updated_at, version, stage, live_until, listed)
      select gen_random_uuid(), owner.id, owner.root_id, owner.region_id, 'copy-' || n, cpf, created_by, customer, false,
        ${created}::timestamptz + n * interval '1 second', ${created}::timestamptz + n * 7919 % ${count} * interval '1 second', 1,
        ${stage}, ${live}::timestamptz, listed
      from generate_series(1, ${count}) n
      join unnest(${owners}::uuid[]) with ordinality owners (id, place) on place = 1 + n % cardinality(${owners}::uuid[])
      join partner owner on owner.id = owners.id
      join application source on source.id = ${source}
      returning partner_id, live_until
    ),
    expiring as (
      insert into application_expiry (partner_id, due_at, applications)
      select partner_id, live_until, count(*) from copies where live_until > '-infinity' group by partner_id, live_until
    )
    insert into subtree_count_delta (partner_id, partners, users, applications, ${column})
    select partner_id, 0, 0, count(*), count(*) from copies group by partner_id`
})

// `analyze` may have to wait for that of PostgreSQL itself.
const patient = { statementTimeout: "2 minutes", lockTimeout: "1 minute" } as const

it.layer(postgresWithoutFolder(patient), quiet)("pages of many applications", (it) => {
  it.effect(
    "FGTS-50 every access path returns the rows of the plain query, in one round trip",
    () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const applications = yield* ApplicationRepository
        const partners = yield* storeForest([null, 0, 0, 1, ...Array.from({ length: 70 }, () => 1)])
        const [root, wide, narrow, leaf] = partners
        const ids = partners.map(({ partner_id }) => partner_id)
        const source = yield* storeHistory(root, fc.sample(contractedHistory, 1)[0]!)
        const at = "2026-06-01T12:00:00.000Z" as Timestamp
        const add = (count: number, stage: string, created: string, live = "-infinity", owners = ids) =>
          addCopies(source.application_id, owners, { count, stage, created, live })
        for (const stage of ["QUOTING", "REJECTED", "CONTRACTING", "CONTRACTED"]) yield* add(3_000, stage, "2026-01-01")
        yield* add(9_000, "QUOTED", "2026-02-01", "2026-02-10")
        yield* add(200, "QUOTED", "2026-03-01", "-infinity", [narrow.partner_id])
        const compare = Effect.fnUntraced(function*(live: string, statuses: ReadonlyArray<ApplicationStatus>) {
          yield* atTime(at, foldCounts)
          yield* sql`analyze application, application_expiry, partner, subtree_count, subtree_count_delta`
          for (const top of [root, wide, narrow, leaf]) {
            const below = yield* sql<PlainRow>`
              with recursive below (id) as (
                select ${top.partner_id}::uuid union all
                select partner.id from partner join below on partner.parent_id = below.id
              )
              select application.id, case when stage = 'QUOTED' and live_until <= ${at} then 'EXPIRED' else stage end as status,
                extract(epoch from created_at)::float8 as created_at, extract(epoch from updated_at)::float8 as updated_at
              from application join below on below.id = application.partner_id order by application.id`
            for (const status of statuses) {
              for (const property of applicationSortFields) {
                const ascending = below.filter((one) => one.status === status).toSorted((one, other) =>
                  one[property] - other[property]
                )
                for (const direction of ["asc", "desc"] as const) {
                  const plain = direction === "asc" ? ascending : ascending.toReversed()
                  const common = direction === "asc" ? [0, 1_000_000_000] : [0, 40]
                  for (const number of isOrdeal ? [0, 40, 1_000_000_000] : common) {
                    const read = applications.list(asOperator.scope(top.partner_id), {
                      filters: { status: [status] },
                      page: { number, size: 20 },
                      sort: [{ property, direction }],
                      at
                    })
                    const { binds, value: { items, total } } = yield* countBinds(read)
                    const name = `${live} ${status} ${property} ${direction} ${number} ${ids.indexOf(top.partner_id)}`
                    assert.strictEqual(total, plain.length, name)
                    assert.deepStrictEqual(
                      items.map((one) => one.application_id),
                      plain.slice(number * 20, number * 20 + 20).map(({ id }) => id),
                      name
                    )
                    if (property === "created_at" && direction === "desc" && number === 0) {
                      assert.lengthOf(binds, 1, name)
                    }
                  }
                }
              }
            }
          }
        })
        yield* compare("none live", ["QUOTED", "EXPIRED"])
        yield* add(900, "QUOTED", "2026-05-31T20:00:00Z", "2026-06-02T00:00:00Z")
        yield* compare("few live", ["QUOTED", "EXPIRED"])
        yield* add(4_000, "QUOTED", "2026-05-31T22:00:00Z", "2026-06-02T01:00:00Z")
        yield* compare("many live", ["QUOTING", "QUOTED", "EXPIRED", "CONTRACTED", "REFUNDING"])
        assert.deepStrictEqual(yield* checkHierarchy, [])
      }),
    120_000
  )
})
