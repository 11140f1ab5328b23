import { it } from "@effect/vitest"
import { EventLog } from "@lastro/domain/event"
import { storeForest } from "@lastro/testkit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { appendFileSync, readFileSync } from "node:fs"
import { postgres } from "../databases.ts"

const total = Number(process.env["TOTAL"] ?? 1_000_000)
it.layer(postgres({ maxConnections: 4, statementTimeout: "5 minutes" } as never), { excludeTestServices: true, timeout: "5 minutes" })("bench", (it) => {
  it.effect("read", () => Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const log = yield* EventLog
    const [root] = yield* storeForest([null])
    const r = root.partner_id
    yield* sql`insert into event (id, root_id, type, occurred_at, partner_id, above_ids, subject_kind, subject_id, subject_version, data, request_id, actor_kind, actor_id)
      select gen_random_uuid(), ${r}::uuid, 'proposal.paid', now(), ${r}::uuid, array[${r}::uuid], 'proposal', gen_random_uuid()::text, 9,
      jsonb_build_object('application_id', gen_random_uuid(), 'proposal_id', gen_random_uuid(), 'offer_id', gen_random_uuid(), 'status', 'PAID', 'net_amount', 1234.5, 'disbursement_attempt', 1, 'paid_amount', 1234.5, 'paid_at', now()),
      null, 'lender', 'lender' from generate_series(1, ${total}::int)`
    const cpuOf = Effect.gen(function*() {
      const rows = yield* sql<{ readonly pid: number }>`select pid from pg_stat_activity where datname = current_database()`
      let ticks = 0
      for (const { pid } of rows) {
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
        ticks += Number(stat[11]) + Number(stat[12])
      }
      return ticks / 100
    })
    const readAll = (limit: number) => Effect.gen(function*() {
      const begin = performance.now()
      const cpu = process.cpuUsage()
      const pgBefore = yield* cpuOf
      let after = 0, count = 0
      for (;;) {
        const { events, next } = yield* log.read(r, r, { after, limit })
        count += events.length
        if (next === after) break
        after = next
      }
      const s = (performance.now() - begin) / 1000
      const c = process.cpuUsage(cpu)
      appendFileSync("/tmp/bench_out.txt", `limit ${limit}: ${count} events in ${s.toFixed(1)} s: ${Math.round(count / s)}/s; node cpu ${((c.user + c.system) / 1e6).toFixed(2)} s, pg cpu ${((yield* cpuOf) - pgBefore).toFixed(2)} s` + "\n")
    })
    appendFileSync("/tmp/bench_out.txt", "first read, which numbers:" + "\n")
    yield* readAll(1000)
    if (total > 100_000) return
    yield* sql`analyze event`
    yield* readAll(1000)
    yield* readAll(100)
    const types = ["user.created"] as const
    const begin = performance.now()
    let after = 0
    for (;;) {
      const { next } = yield* log.read(r, r, { after, limit: 1000, types })
      if (next === after) break
      after = next
    }
    appendFileSync("/tmp/bench_out.txt", `no matching type: ${((performance.now() - begin) / 1000).toFixed(1)} s for ${total}` + "\n")
  }), 600_000)
})
