import { assert, it } from "@effect/vitest"
import { jobsOf } from "@lastro/domain/jobs"
import { inTurns, type Tenancy, turnKeys, type WaitingWork } from "@lastro/domain/ports"
import { currentTimestamp } from "@lastro/domain/values"
import { storeApplication, storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { randomUUID } from "node:crypto"
import { startJob } from "../../src/jobs/dueJobs.ts"
import { makeJobStatements } from "../../src/jobs/jobStatements.ts"
import { type PollLimits } from "../../src/jobs/readQueues.ts"
import { startMissingJobs } from "../../src/jobs/startMissingJobs.ts"
import { postgresWithoutFolder } from "../databases.ts"
import { onEmpty, plenty, slots } from "./jobDatabase.ts"

const makeNode = (limits?: PollLimits) =>
  Effect.map(
    SqlClient.SqlClient,
    (sql) => makeJobStatements(sql, { id: randomUUID(), label: "node", runs_jobs: true }, limits)
  )

/** Counts the entries of the job table and of its indexes that this transaction has read. */
const countRead = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly entries: number }>`
      select sum(pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid))::int as entries
      from (
        select 'job'::regclass as oid union all select indexrelid from pg_index where indrelid = 'job'::regclass
      ) read`,
    ([row]) => row?.entries ?? 0
  ))

/** Stores a due quote job of a partner. Returns its id. */
const insertJob = ({ partner, root }: Tenancy, overdueSeconds: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ readonly id: string }>`
        insert into job (kind, id, root_id, partner_id, run_at)
        values ('quote', ${randomUUID()}, ${root}, ${partner}, now() - ${overdueSeconds} * interval '1 second') returning id`,
      ([row]) => row?.id ?? ""
    ))

const everything: PollLimits = { due: 256, roots: 8, partners: 64 }
const sampled: PollLimits = { due: 2, roots: 8, partners: 64 }
const narrow: PollLimits = { due: 2, roots: 1, partners: 1 }

it.layer(postgresWithoutFolder(), { excludeTestServices: true, timeout: "1 minute" })("the lease of due jobs", (it) => {
  it.effect("TURN-01 the order is that of the rule, whatever runs and waits, and whether all due jobs are read or a part", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const other = yield* makeNode()
      const ids = fc.sample(fc.uuid({ version: 7 }), 7)
      const tenancies = fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 3, max: 6 })).map(
        ([root, partner]): Tenancy => ({ root: ids[root] ?? "", partner: ids[partner] ?? "" })
      )
      const cases = fc.record({
        limits: fc.constantFrom(everything, sampled),
        running: fc.array(tenancies, { maxLength: 12 }),
        due: fc.array(tenancies, { minLength: 1, maxLength: 30 }),
        free: fc.integer({ min: 1, max: 30 })
      })
      for (const { due, free, limits, running } of fc.sample(cases, 40)) {
        const one = yield* makeNode(limits)
        yield* sql`delete from job`
        for (const tenancy of running) yield* insertJob(tenancy, 1)
        yield* other.fetch(plenty, null)
        yield* sql`delete from job_turn`
        const waiting: Array<WaitingWork & { readonly id: string }> = []
        for (const [index, tenancy] of due.entries()) {
          waiting.push({ ...tenancy, since: index, id: yield* insertJob(tenancy, 1_000 - index) })
        }
        const leased: Array<string> = []
        while (leased.length < Math.min(free, due.length)) {
          const { jobs } = yield* one.fetch(slots({ quote: free - leased.length, contract: 1 }), null)
          assert.isAbove(jobs.length, 0)
          leased.push(...jobs.map(({ job }) => job.id))
        }
        const expected = inTurns(waiting, { running }, free).map(({ id }) => id)
        if (limits === everything) assert.deepStrictEqual(leased, expected)
        else assert.sameMembers(leased, expected)
      }
    }).pipe(onEmpty))

  it.effect("TURN-01 with one slot, two nodes lease in the order of the rule over time, and start no partner's job late", () =>
    Effect.gen(function*() {
      const nodes = [yield* makeNode(), yield* makeNode(sampled)]
      const [a, b] = [randomUUID(), randomUUID()]
      const tenancies: ReadonlyArray<Tenancy> = [
        ...Array.from({ length: 12 }, () => ({ root: a, partner: a })),
        ...Array.from({ length: 2 }, () => ({ root: a, partner: b })),
        ...Array.from({ length: 4 }, () => ({ root: b, partner: b }))
      ]
      for (const [index, tenancy] of tenancies.entries()) yield* insertJob(tenancy, 1_000 - index)
      const order: Array<string> = []
      const leaseOne = Effect.fnUntraced(function*(turn: number) {
        const node = nodes[turn % 2]
        const { jobs: [leased] } = yield* node?.fetch(slots({ quote: 1, contract: 0 }), null) ??
          Effect.succeed({ jobs: [] })
        assert(leased !== undefined)
        order.push(`${leased.tenancy.root === a ? "a" : "b"}${leased.tenancy.partner === a ? "a" : "b"}`)
        yield* node?.settle(leased, { _tag: "DONE" }) ?? Effect.void
      })
      for (let turn = 0; turn < 10; turn++) yield* leaseOne(turn)
      assert.deepStrictEqual(order, ["aa", "bb", "ab", "bb", "aa", "bb", "ab", "bb", "aa", "aa"])
      yield* insertJob({ root: b, partner: a }, 0)
      yield* leaseOne(0)
      assert.strictEqual(order.at(-1), "ba", "nothing of its root waited")
    }).pipe(onEmpty))

  it.effect("TURN-01 every root and partner gets its turn, even if a poll reads one root and one partner of it", () =>
    Effect.gen(function*() {
      const node = yield* makeNode(narrow)
      const roots = Array.from({ length: 4 }, () => randomUUID())
      const partners = Array.from({ length: 4 }, () => randomUUID())
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        insert into job (kind, id, root_id, partner_id, run_at)
        select 'quote', gen_random_uuid(), root, partner,
          now() - case when root = ${roots[0] ?? ""} then 60 else 1 end * interval '1 minute'
        from unnest(${roots}::uuid[]) root, unnest(${partners}::uuid[]) partner, generate_series(1, 20)`
      const served = new Set<string>()
      for (let turn = 0; turn < 40; turn++) {
        const { jobs } = yield* node.fetch(slots({ quote: 1, contract: 0 }), null)
        for (const { tenancy } of jobs) served.add(turnKeys(tenancy)[1])
        for (const leased of jobs) yield* node.settle(leased, { _tag: "DONE" })
      }
      assert.strictEqual(served.size, roots.length * partners.length)
    }).pipe(onEmpty))

  it.effect(
    "TURN-01 a poll reads few rows, and leases another root's job, while 20 000 jobs of one root are due",
    () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const node = yield* makeNode()
        const [root, victim] = [randomUUID(), randomUUID()]
        const insertMany = sql`
        insert into job (kind, id, root_id, partner_id, run_at)
        select 'quote', gen_random_uuid(), ${root}, md5((n % 10)::text)::uuid, now() - interval '1 hour'
        from generate_series(1, 5000) n`
        yield* Effect.replicateEffect(insertMany, 4)
        yield* sql`analyze job`
        const { jobs: [first] } = yield* node.fetch(slots({ quote: 1, contract: 1 }), null)
        assert.strictEqual(first?.tenancy.root, root)
        yield* insertJob({ root: victim, partner: victim }, 0)
        const [entries, next] = yield* sql.withTransaction(Effect.gen(function*() {
          const before = yield* countRead
          const { jobs } = yield* node.fetch(slots({ quote: 1, contract: 1 }), null)
          return [(yield* countRead) - before, jobs] as const
        }))
        assert.deepStrictEqual(next.map(({ tenancy }) => tenancy.root), [victim])
        assert.isAtMost(entries, 2_000)
      }).pipe(onEmpty),
    60_000
  )

  it.effect("TURN-01 a job runs in the turns of the partner of its application", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const one = yield* makeNode()
      const partner = yield* storeRootPartner()
      const application = yield* storeApplication(partner, { at: yield* currentTimestamp })
      const [job = null] = jobsOf(application)
      assert(job !== null)
      yield* startJob(sql, job)
      const tenancy = { root: partner.partner_id, partner: partner.partner_id }
      assert.deepStrictEqual<unknown>((yield* one.fetch(plenty, null)).jobs.map((leased) => leased.tenancy), [tenancy])
      yield* sql`delete from job`
      yield* startMissingJobs()
      assert.deepStrictEqual<unknown>((yield* one.fetch(plenty, null)).jobs.map((leased) => leased.tenancy), [tenancy])
    }).pipe(onEmpty))
})
