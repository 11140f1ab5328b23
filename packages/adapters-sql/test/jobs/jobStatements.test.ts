import { assert, it } from "@effect/vitest"
import { type NodeAlarm, NodeAlarms } from "@lastro/domain/adapters"
import { type Job, jobAnswered, jobStarted } from "@lastro/domain/jobs"
import { unknownTenancy } from "@lastro/domain/ports"
import { type ProposalId, type QuoteId } from "@lastro/domain/values"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { readAlarms } from "../../src/index.ts"
import { makeJobDue, startJob } from "../../src/jobs/dueJobs.ts"
import { makeJobStatements } from "../../src/jobs/jobStatements.ts"
import { type LeasedJob } from "../../src/jobs/leaseDueJobs.ts"
import { makeLeftLenderAlarm, readLeftLenders } from "../../src/jobs/leftLenders.ts"
import { postgresWithoutFolder } from "../databases.ts"
import { onEmpty, plenty, slots } from "./jobDatabase.ts"

/** Two nodes on an empty database, by their statements. */
const twoNodes = onEmpty(Effect.map(SqlClient.SqlClient, (sql) => {
  const node = (label: string) => makeJobStatements(sql, { id: randomUUID(), label, runs_jobs: true })
  return { sql, one: node("one"), other: node("other") }
}))

const quoteJob = (): Job => ({ kind: "quote", id: randomUUID() as QuoteId })
const contractJob = (): Job => ({ kind: "contract", id: randomUUID() as ProposalId })

/** Makes every job due, as if its lease or pause had passed. */
const passTime = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`update job set run_at = now() - interval '1 minute'`)

const firstOf = ({ jobs: [first] }: { readonly jobs: ReadonlyArray<LeasedJob> }): LeasedJob => {
  assert(first !== undefined, "no job is due")
  return first
}

const readJobs = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    sql<{ readonly id: string; readonly owned: boolean; readonly due_ms: number; readonly failures: number }>`
      select id, owner is not null as owned, failures, extract(epoch from run_at - now())::float8 * 1000 as due_ms
      from job order by created_at`
)

it.layer(postgresWithoutFolder(), { excludeTestServices: true, timeout: "1 minute" })("the job table", (it) => {
  it.effect("LENDER-22 a callback meets the PENDING answer with its key, whichever of them commits first", () =>
    Effect.gen(function*() {
      const { one, sql } = yield* twoNodes
      const pending = (callback_key: string) =>
        Effect.gen(function*() {
          yield* startJob(sql, quoteJob())
          const leased = firstOf(yield* one.fetch(plenty, null))
          const progress = { attempt: 1, pauses: 0, lender_state: "of the answer", callback_key }
          return one.settle(leased, { _tag: "RETRY", after_ms: 3_600_000, progress })
        })
      const called = (callback_key: string) =>
        makeJobDue(sql, { kind: "quote", callback_key, lender_state: "of the callback" })
      /** Runs `later` while the transaction of `first` is not committed. */
      const whileOpen = Effect.fnUntraced(
        function*<E>(first: Effect.Effect<unknown, E>, later: Effect.Effect<unknown, E>) {
          const [written, commit] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
          const held = first.pipe(
            Effect.andThen(Deferred.succeed(written, undefined)),
            Effect.andThen(Deferred.await(commit))
          )
          const transaction = yield* Effect.forkChild(sql.withTransaction(held))
          yield* Deferred.await(written)
          const waiting = yield* Effect.forkChild(later)
          yield* Effect.sleep("50 millis")
          yield* Deferred.succeed(commit, undefined)
          yield* Fiber.join(transaction)
          yield* Fiber.join(waiting)
        }
      )
      const [first, second] = [yield* pending("answer first"), yield* pending("callback first")]
      yield* whileOpen(first, called("answer first"))
      yield* whileOpen(called("callback first"), second)
      const jobs = yield* sql<{ readonly due_ms: number; readonly lender_state: string }>`
        select lender_state, extract(epoch from run_at - now())::float8 * 1000 as due_ms from job`
      assert.lengthOf(jobs, 2)
      for (const { due_ms, lender_state } of jobs) {
        assert.isAtMost(due_ms, 1_000)
        assert.strictEqual(lender_state, "of the callback")
      }
      yield* sql`update lender_callback set changed_at = now() - interval '15 minutes 1 second' where callback_key = 'answer first'`
      yield* one.forgetCallbacks
      assert.lengthOf(yield* sql`select from lender_callback`, 1)
    }))

  it.effect("LENDER-28 lenders that have jobs but left the installation are found, and raise an alarm", () =>
    Effect.gen(function*() {
      const { sql } = yield* twoNodes
      for (const lender of ["gone", "gone", "here", undefined]) {
        yield* startJob(sql, { ...quoteJob(), ...(lender === undefined ? {} : { lender }) })
      }
      yield* startJob(sql, { kind: "contract", id: randomUUID() as ProposalId, lender: "away" })
      assert.sameMembers([...(yield* readLeftLenders(sql, ["here"]))], ["away", "gone"])
      const raised = new Map<NodeAlarm, number>()
      yield* Effect.provideService(makeLeftLenderAlarm(sql, ["here", "away"]), NodeAlarms, raised)
      assert.deepStrictEqual([...raised.keys()], ["LENDER_LEFT:gone"])
      yield* sql`delete from job`
      assert.deepStrictEqual(yield* readLeftLenders(sql, []), [])
    }))

  it.effect("a node shows its alarms in the list of nodes, where they can be read", () =>
    Effect.gen(function*() {
      const { one, sql } = yield* twoNodes
      yield* one.fetch(plenty, 0)
      assert.deepStrictEqual(yield* readAlarms([]), [])
      const alarms: Array<"UNTRUSTED_PROXY"> = []
      const alarmed = makeJobStatements(sql, {
        id: randomUUID(),
        label: "alarmed",
        runs_jobs: true,
        alarms: () => alarms
      })
      yield* alarmed.fetch(plenty, 0)
      alarms.push("UNTRUSTED_PROXY")
      yield* alarmed.fetch(plenty, 0)
      assert.deepStrictEqual(yield* readAlarms([]), [{ node: "alarmed", alarm: "UNTRUSTED_PROXY" }])
      alarms.pop()
      yield* alarmed.fetch(plenty, 0)
      assert.deepStrictEqual(yield* readAlarms([]), [])
    }))

  it.effect("leases a due job to one node, and to another one once the lease has expired", () =>
    Effect.gen(function*() {
      const { one, other, sql } = yield* twoNodes
      const job = quoteJob()
      yield* startJob(sql, job)
      const first = firstOf(yield* one.fetch(plenty, null))
      assert.deepStrictEqual(first, {
        job,
        progress: jobStarted,
        tenancy: unknownTenancy,
        failures: 0,
        fence: 1,
        starts: 1,
        wakes: 0,
        traceparent: null
      })
      assert.deepStrictEqual((yield* other.fetch(plenty, null)).jobs, [])
      assert.deepStrictEqual(yield* one.renew([first]), new Set([`${job.id}/1`]))
      yield* passTime
      const second = firstOf(yield* other.fetch(plenty, null))
      assert.strictEqual(second.fence, 2)
      assert.deepStrictEqual(yield* one.renew([first]), new Set())
    }))

  it.effect("ignores the outcome of a node that lost its lease", () =>
    Effect.gen(function*() {
      const { one, other, sql } = yield* twoNodes
      for (const late of ["DONE", "WAIT", "RETRY", "failure", "release"] as const) {
        yield* sql`delete from job`
        yield* startJob(sql, contractJob())
        const first = firstOf(yield* one.fetch(plenty, null))
        yield* passTime
        yield* other.fetch(plenty, null)
        const before = yield* sql`select * from job`
        switch (late) {
          case "failure":
            yield* one.fail(first, 0, "failure")
            break
          case "release":
            yield* one.release([first])
            break
          default:
            yield* one.settle(first, { _tag: late, after_ms: 0, progress: jobStarted })
        }
        assert.deepStrictEqual(yield* sql`select * from job`, before, late)
      }
    }))

  it.effect("also ignores it if the same node has leased the job again since", () =>
    Effect.gen(function*() {
      const { one, sql } = yield* twoNodes
      yield* startJob(sql, contractJob())
      const first = firstOf(yield* one.fetch(plenty, null))
      yield* passTime
      yield* one.fetch(plenty, null)
      yield* one.settle(first, { _tag: "DONE" })
      assert.strictEqual((yield* readJobs).length, 1)
    }))

  it.effect("keeps the attempt number, through a crash as well, and resets it with the lender's answer", () =>
    Effect.gen(function*() {
      const { one, other, sql } = yield* twoNodes
      yield* startJob(sql, contractJob())
      const progress = { attempt: 4, pauses: 6, is_poll_next: true }
      yield* one.settle(firstOf(yield* one.fetch(plenty, null)), { _tag: "RETRY", after_ms: 0, progress })
      assert.deepStrictEqual(firstOf(yield* one.fetch(plenty, null)).progress, progress)
      yield* passTime
      const again = firstOf(yield* other.fetch(plenty, null))
      assert.deepStrictEqual(again.progress, progress)
      yield* other.settle(again, { _tag: "WAIT", after_ms: 0 })
      assert.deepStrictEqual(firstOf(yield* other.fetch(plenty, null)).progress, jobAnswered)
    }))

  it.effect("runs a waiting job at once if it is started again, and a running job once more", () =>
    Effect.gen(function*() {
      const { one, sql } = yield* twoNodes
      const job = contractJob()
      yield* startJob(sql, job)
      yield* one.settle(firstOf(yield* one.fetch(plenty, null)), { _tag: "WAIT", after_ms: 3_600_000 })
      assert.deepStrictEqual((yield* one.fetch(plenty, null)).jobs, [])
      yield* startJob(sql, job)
      const running = firstOf(yield* one.fetch(plenty, null))
      assert.deepStrictEqual(running.progress, jobStarted)
      yield* startJob(sql, job)
      assert.deepStrictEqual((yield* one.fetch(plenty, null)).jobs, [], "it is running")
      yield* one.settle(running, { _tag: "DONE" })
      const again = firstOf(yield* one.fetch(plenty, null))
      assert.deepStrictEqual(again.progress, jobStarted)
      yield* one.settle(again, { _tag: "DONE" })
      assert.deepStrictEqual(yield* readJobs, [])
    }))

  it.effect("gives a job that ends its process each time longer leases, and never drops it", () =>
    Effect.gen(function*() {
      const { one, sql } = yield* twoNodes
      yield* startJob(sql, quoteJob())
      const leases: Array<number> = []
      for (let crash = 0; crash < 12; crash++) {
        // Within one transaction, the clock of the database stands still.
        const [job] = yield* sql.withTransaction(Effect.andThen(Effect.map(one.fetch(plenty, null), firstOf), readJobs))
        leases.push(Math.round((job?.due_ms ?? 0) / 1_000))
        yield* passTime
      }
      const shortest = [5, 5, 10, 20, 40, 80, 160, 300, 300, 300, 300, 300]
      for (const [index, lease] of leases.entries()) {
        const least = shortest[index] ?? NaN
        assert.isAtLeast(lease, least)
        assert.isAtMost(lease, index < 2 ? least : 2 * least)
      }
      const healed = firstOf(yield* one.fetch(plenty, null))
      yield* one.renew([healed])
      assert.isAtLeast((yield* readJobs)[0]?.due_ms ?? 0, 290_000, "a renewal never shortens a lease")
      yield* one.settle(healed, { _tag: "WAIT", after_ms: 0 })
      const [job] = yield* sql.withTransaction(Effect.andThen(one.fetch(plenty, null), readJobs))
      assert.approximately(job?.due_ms ?? 0, 5_000, 1_000)
    }))

  it.effect("counts failures in a row, and forgets them with an outcome", () =>
    Effect.gen(function*() {
      const { one, sql } = yield* twoNodes
      yield* startJob(sql, quoteJob())
      for (const failures of [1, 2, 3]) {
        yield* one.fail(firstOf(yield* one.fetch(plenty, null)), 0, "ConnectionError")
        assert.deepInclude((yield* readJobs)[0], { failures, owned: false })
      }
      yield* one.settle(firstOf(yield* one.fetch(plenty, null)), { _tag: "WAIT", after_ms: 0 })
      assert.strictEqual((yield* readJobs)[0]?.failures, 0)
    }))

  it.effect("leases each kind up to its free slots, and leaves a kind of a newer version alone", () =>
    Effect.gen(function*() {
      const { one, sql } = yield* twoNodes
      for (let index = 0; index < 5; index++) yield* startJob(sql, quoteJob())
      yield* startJob(sql, contractJob())
      yield* sql`insert into job (kind, id) values ('document', gen_random_uuid())`
      const { jobs } = yield* one.fetch(slots({ quote: 2, contract: 3 }), null)
      assert.deepStrictEqual(jobs.map(({ job }) => job.kind).toSorted(), ["contract", "quote", "quote"])
      yield* one.fetch(plenty, null)
      assert.deepStrictEqual(yield* sql`select kind from job where owner is null`, [{ kind: "document" }])
    }))

  it.effect("renews the other leases while a transaction starts one of the jobs again", () =>
    Effect.gen(function*() {
      const { one, sql } = yield* twoNodes
      const [locked, free] = [contractJob(), contractJob()]
      yield* startJob(sql, locked)
      yield* startJob(sql, free)
      const { jobs } = yield* one.fetch(plenty, null)
      yield* sql`update job set run_at = now() + interval '1 second'`
      const other = yield* SqlClient.SqlClient
      const held = yield* Deferred.make<void>()
      const release = yield* Deferred.make<void>()
      const starting = yield* Effect.forkChild(other.withTransaction(
        startJob(other, locked).pipe(
          Effect.andThen(Deferred.succeed(held, undefined)),
          Effect.andThen(Deferred.await(release))
        )
      ))
      yield* Deferred.await(held)
      // Within one transaction, the clock of the database stands still.
      const [renewed, due] = yield* sql.withTransaction(Effect.all([one.renew(jobs), readJobs]))
      assert.strictEqual(renewed.size, 2)
      assert.isAbove(due.find(({ id }) => id === free.id)?.due_ms ?? 0, 4_000)
      assert.isBelow(due.find(({ id }) => id === locked.id)?.due_ms ?? 0, 1_001)
      yield* Deferred.succeed(release, undefined)
      yield* Fiber.join(starting)
    }))

  it.effect("tells when the next job is due, and ignores one that an operator has put off for good", () =>
    Effect.gen(function*() {
      const { one, sql } = yield* twoNodes
      yield* sql`insert into job (kind, id, run_at) values ('contract', gen_random_uuid(), 'infinity')`
      assert.isNull((yield* one.fetch(plenty, null)).next_ms)
    }))

  it.effect("tells when the next job is due, by the clock of the database", () =>
    Effect.gen(function*() {
      const { one, sql } = yield* twoNodes
      assert.isNull((yield* one.fetch(plenty, null)).next_ms)
      yield* startJob(sql, contractJob())
      yield* one.settle(firstOf(yield* one.fetch(plenty, null)), { _tag: "WAIT", after_ms: 90_000 })
      assert.approximately((yield* one.fetch(plenty, null)).next_ms ?? 0, 90_000, 5_000)
    }))

  it.effect("LENDER-06 keeps the lender's PENDING answer and the place in the order, through a crash, until the job starts again", () =>
    Effect.gen(function*() {
      const { one, other, sql } = yield* twoNodes
      const job = quoteJob()
      yield* startJob(sql, job)
      const pending = {
        attempt: 2,
        pauses: 1,
        lender_state: "state",
        callback_key: "key",
        slot_at: 1_790_000_000_000.25
      }
      yield* one.settle(firstOf(yield* one.fetch(plenty, null)), { _tag: "RETRY", after_ms: 0, progress: pending })
      const leased = firstOf(yield* one.fetch(plenty, null))
      assert.deepStrictEqual(leased.progress, pending)
      yield* passTime
      const taken = firstOf(yield* other.fetch(plenty, null))
      assert.deepStrictEqual(taken.progress, pending)
      yield* other.fail(taken, 0, "failure")
      assert.deepStrictEqual(firstOf(yield* one.fetch(plenty, null)).progress, pending)
      yield* passTime
      yield* startJob(sql, job)
      assert.deepStrictEqual(firstOf(yield* one.fetch(plenty, null)).progress, jobStarted)
    }))

  it.effect("FGTS-53 keeps the reference of an unwanted contract, which a node of the previous version reads as well", () =>
    Effect.gen(function*() {
      const { one, sql } = yield* twoNodes
      const job = contractJob()
      yield* startJob(sql, job)
      const holding = { attempt: 1, pauses: 0, unwanted_reference: "contract-1" }
      yield* one.settle(firstOf(yield* one.fetch(plenty, null)), { _tag: "RETRY", after_ms: 0, progress: holding })
      assert.deepStrictEqual(firstOf(yield* one.fetch(plenty, null)).progress, holding)
      const rows = yield* sql<{ readonly lender_state: string }>`select lender_state from job where id = ${job.id}`
      assert.strictEqual(rows[0]?.lender_state, "contract-1")
    }))

  it.effect("JOB-05 makes a waiting job due once a second, and a running one after its run, and keeps its progress", () =>
    Effect.gen(function*() {
      const { one, sql } = yield* twoNodes
      const job = quoteJob()
      const retry = { _tag: "RETRY", after_ms: 3_600_000, progress: { attempt: 2, pauses: 3 } } as const
      yield* startJob(sql, job)
      yield* one.settle(firstOf(yield* one.fetch(plenty, null)), retry)
      yield* makeJobDue(sql, job)
      const [called] = yield* sql<{ readonly at: string }>`select woken_at::text as at from job`
      const leased = firstOf(yield* one.fetch(plenty, null))
      assert.deepStrictEqual(leased.progress, retry.progress)
      for (let times = 0; times < 5; times++) yield* makeJobDue(sql, job)
      assert.deepStrictEqual((yield* one.fetch(plenty, null)).jobs, [], "the running job keeps its lease")
      yield* one.settle(leased, retry)
      const [waiting] = yield* readJobs
      assert.isAtMost(waiting?.due_ms ?? Infinity, 1_000)
      const [pause] = yield* sql<{ readonly ms: number }>`
        select extract(epoch from run_at - ${called?.at ?? null}::timestamptz)::float8 * 1000 as ms from job`
      assert.isAtLeast(pause?.ms ?? 0, 1_000)
      yield* passTime
      yield* one.settle(firstOf(yield* one.fetch(plenty, null)), retry)
      assert.isAbove((yield* readJobs)[0]?.due_ms ?? 0, 3_000_000, "no callback came during the last run")
      yield* sql`update job set run_at = now(), woken_at = null`
      const last = firstOf(yield* one.fetch(plenty, null))
      yield* makeJobDue(sql, job)
      yield* one.settle(last, { _tag: "DONE" })
      assert.deepStrictEqual(yield* readJobs, [], "a job that has ended is not made due")
    }))

  it.effect("JOB-05 makes a job due again for a callback during a run that began before the pause of the last one ended", () =>
    Effect.gen(function*() {
      const { one, sql } = yield* twoNodes
      const job = quoteJob()
      const retry = { _tag: "RETRY", after_ms: 3_600_000, progress: { attempt: 2, pauses: 3 } } as const
      yield* startJob(sql, job)
      yield* makeJobDue(sql, job)
      yield* one.settle(firstOf(yield* one.fetch(plenty, null)), retry)
      yield* makeJobDue(sql, job)
      yield* sql`update job set run_at = now()`
      const leased = firstOf(yield* one.fetch(plenty, null))
      yield* makeJobDue(sql, job)
      yield* one.settle(leased, retry)
      assert.isAtMost((yield* readJobs)[0]?.due_ms ?? Infinity, 1_000)
    }))

  it.effect("returns due jobs in the order in which they became due", () =>
    Effect.gen(function*() {
      const { one, sql } = yield* twoNodes
      const jobs = Array.from({ length: 20 }, quoteJob)
      for (const [index, job] of jobs.entries()) {
        yield* startJob(sql, job)
        yield* sql`update job set run_at = now() - ${100 - (index * 7) % 20} * interval '1 second' where id = ${job.id}`
      }
      const fetched = (yield* one.fetch(plenty, null)).jobs.map(({ job: { id } }) => id)
      const expected = jobs.map(({ id }, index) => [(index * 7) % 20, id] as const).toSorted(([a], [b]) => a - b)
      assert.deepStrictEqual(fetched, expected.slice(0, fetched.length).map(([, id]) => id))
      assert.isAbove(fetched.length, 3)
    }))

  it.effect("JOB-05 a state that a callback stores during a run outlives the outcome, a failure and a crash of the run", () =>
    Effect.gen(function*() {
      const { one, sql } = yield* twoNodes
      const job = { kind: "quote", id: quoteJob().id as QuoteId } as const
      const progress = { attempt: 1, pauses: 0, lender_state: "of the answer", callback_key: "key" }
      const retry = { _tag: "RETRY", after_ms: 3_600_000, progress } as const
      const lease = Effect.map(one.fetch(plenty, null), firstOf)
      yield* startJob(sql, job)
      const first = yield* lease
      yield* makeJobDue(sql, { ...job, lender_state: "one" })
      yield* one.settle(first, retry)
      const second = yield* lease
      assert.deepStrictEqual(second.progress, { ...progress, lender_state: "one" })
      // The job is made due once a second, but the state is stored at once, and the job is due again.
      yield* makeJobDue(sql, { kind: "quote", callback_key: "key", lender_state: "two" })
      yield* makeJobDue(sql, { kind: "quote", callback_key: "key", lender_state: "three" })
      yield* one.fail(second, 3_600_000, "failed")
      assert.isAtMost((yield* readJobs)[0]?.due_ms ?? 0, 1_000)
      yield* passTime
      const third = yield* lease
      assert.deepStrictEqual(third.progress, { ...progress, lender_state: "three" })
      yield* makeJobDue(sql, { ...job, lender_state: "four" })
      yield* one.release([third])
      const fourth = yield* lease
      assert.strictEqual(fourth.progress.lender_state, "four")
      yield* one.settle(fourth, retry)
      assert.strictEqual(
        (yield* sql<{ readonly lender_state: string }>`select * from job`)[0]?.lender_state,
        "of the answer"
      )
      yield* startJob(sql, job)
      assert.deepStrictEqual((yield* lease).progress, jobStarted)
    }))

  it.effect("finds due jobs by its index among many that wait", () =>
    Effect.gen(function*() {
      const { sql } = yield* twoNodes
      yield* sql`
        insert into job (kind, id, run_at)
        select 'contract', gen_random_uuid(), now() + interval '1 hour' from generate_series(1, 20000)`
      yield* sql`analyze job`
      const plan = yield* sql<{ readonly "QUERY PLAN": string }>`
        explain select kind, id from job where kind = 'contract' and run_at <= now()
        order by run_at limit 64 for update skip locked`
      assert.include(plan.map((row) => row["QUERY PLAN"]).join("\n"), "Index Scan using job_due")
      const [options] = yield* sql<{ readonly reloptions: ReadonlyArray<string> }>`
        select reloptions from pg_class where relname = 'job'`
      assert.include(options?.reloptions ?? [], "autovacuum_vacuum_scale_factor=0")
    }))
})
