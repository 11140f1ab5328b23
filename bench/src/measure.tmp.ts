import { asOperator } from "@lastro/domain/hierarchy"
import { ApplicationRepository, ProposalRepository } from "@lastro/domain/origination"
import { currentTimestamp } from "@lastro/domain/values"
import { CostlyAbove } from "@lastro/domain/ports"
import { checkInvariants } from "@lastro/adapters-sql"
import { seed as fill, vacuum } from "@lastro/seed"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { database } from "./harness/database.ts"
const n = Number(process.argv[2] ?? 200000)
const run = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const t0 = Date.now()
  yield* fill({ partners: 2000, users: 10000, applications: n, passwordHash: "x" as never, seed: 1 } as never)
  console.log("seed", Date.now() - t0)
  yield* vacuum()
  yield* Effect.sleep("3 seconds")
  console.log("places", JSON.stringify(yield* sql`select place, applications from application_place_count where part='tree' order by 2 desc`))
  console.log("due", JSON.stringify(yield* sql`select count(*)::int from application where place_until <= now()`))
  const applications = yield* ApplicationRepository
  const proposals = yield* ProposalRepository
  const scopes = yield* sql<any>`select partner_id as id, applications, partners from subtree_count where applications > 0 order by applications desc`
  const total = scopes[0].applications
  const pick = (share: number) => scopes.reduce((b: any, o: any) => Math.abs(Math.log(o.applications/(share*total))) < Math.abs(Math.log(b.applications/(share*total))) ? o : b)
  const named: any = { root: scopes[0], "10 %": pick(0.1), "0.5 %": pick(0.005), leaf: pick(20/total) }
  const [user] = yield* sql<any>`select id from application limit 1`
  const time = Effect.fnUntraced(function*(name: string, eff: Effect.Effect<any, any, any>) {
    const times: number[] = []
    let last: any
    for (let i = 0; i < 60; i++) { const s = performance.now(); last = yield* eff; times.push(performance.now() - s); if (i > 12 && times.reduce((a,b)=>a+b) > 6000) break }
    const xs = times.slice(8).sort((a, b) => a - b)
    return { name, p50: xs[Math.floor(xs.length / 2)]!, p95: xs[Math.floor(xs.length * .95)]!, total: last?.total ?? "" }
  })
  const at = yield* currentTimestamp
  const q = (filters: any, sort = "created_at", direction = "desc", number = 0): any => ({ filters, page: { number, size: 20 }, sort: [{ property: sort, direction }], at })
  const out: any[] = []
  out.push({ scope: "-", ...(yield* time("primary key", sql`select * from application where id = ${user.id}`)) })
  for (const [scope, row] of Object.entries<any>(named)) {
    const s = asOperator.scope(row.id)
    const cases: any = {
      "status QUOTED": q({ status: ["QUOTED"] }),
      "status CONTRACTED": q({ status: ["CONTRACTED"] }),
      "status EXPIRED": q({ status: ["EXPIRED"] }),
      "status EXPIRED,REJECTED": q({ status: ["EXPIRED", "REJECTED"] }),
      "action SUBMIT_KYC": q({ next_action: ["SUBMIT_KYC"] }),
      "action REQUOTE": q({ next_action: ["REQUOTE"] }),
      "action RETRY_LATER": q({ next_action: ["RETRY_LATER"] }),
      "action NONE": q({ next_action: ["NONE"] }),
      "action NONE asc": q({ next_action: ["NONE"] }, "created_at", "asc"),
      "action SIGN": q({ next_action: ["SIGN"] }),
      "proposal PAID": q({ proposal_status: ["PAID"] }),
      "proposal PAID updated": q({ proposal_status: ["PAID"] }, "updated_at"),
      "status CONTRACTED updated": q({ status: ["CONTRACTED"] }, "updated_at"),
      "proposal REFUNDED": q({ proposal_status: ["REFUNDED"] }),
      "proposal CANCELLED,REJECTED": q({ proposal_status: ["CANCELLED", "REJECTED"] })
    }
    for (const [name, query] of Object.entries<any>(cases)) out.push({ scope, n: row.applications, partners: row.partners, ...(yield* time(name, applications.list(s, query))) })
    out.push({ scope, ...(yield* time("summary", applications.countPlaces(s, { filters: {}, at }))) })
    out.push({ scope, ...(yield* time("proposals", proposals.list(s, q({})))) })
    out.push({ scope, ...(yield* time("proposals by paid_at desc", proposals.list(s, q({}, "paid_at")))) })
    out.push({ scope, ...(yield* time("proposals by paid_at asc", proposals.list(s, q({}, "paid_at", "asc")))) })
    out.push({ scope, ...(yield* time("proposals status PAID", proposals.list(s, q({ status: ["PAID"] })))) })
    out.push({ scope, ...(yield* time("proposals table", proposals.list(s, q({ table: "light" })))) })
    out.push({ scope, ...(yield* time("proposals lender", proposals.list(s, q({ lender: "sandbox" })))) })
  }
  console.table(out.map((o) => ({ ...o, p50: o.p50.toFixed(2), p95: o.p95.toFixed(2) })))
  console.log(JSON.stringify((yield* checkInvariants).map((one) => one.invariant)))
})
Effect.runPromise(Effect.scoped(Effect.provide(run as any, database as any)) as any).then(() => process.exit(0), (e) => { console.error(e); process.exit(1) })
