import { sandboxCpf } from "@lastro/domain/adapters"
import { exampleCallbackSecret, recordingLenderServer, signedCallback } from "@lastro/testkit/lender-server"
import { Effect } from "effect"
import { ask, at, signIn, tokenOf } from "../../apps/server/test/running/asking.ts"
import { patientClient } from "../../apps/server/test/running/desk.ts"
import { benchmark, shown, table, whole } from "./harness/benchmark.ts"
import { connect, freshDatabase, server } from "./harness/database.ts"
import { acceptOffer, startNode } from "./harness/nodes.ts"
import { meterCost, postmasterOf } from "./harness/processes.ts"
import { inRounds } from "./harness/rounds.ts"
import { median } from "./harness/statistics.ts"

/** Number of partners from the root to the seller. */
const chainLength = 12

const partnerOf = (parent_uuid: string, height: number) => ({
  partner: {
    type: "pf",
    name: `Parceiro ${height}`,
    email: `p${height}@example.com`,
    phone: "11999998888",
    document_number: sandboxCpf("00", 1_000 + height),
    parent_uuid
  }
})

/**
 * Starts a server on a new database, with a chain of partners and an API client of the last one. With `hasPlans`, each
 * of them earns a part of the commission. The lender pays contracts when its clock is moved forward.
 */
const startNetwork = Effect.fnUntraced(function*(postgres: string, name: string, hasPlans: boolean) {
  const url = yield* freshDatabase(postgres)
  const clock = { offset: 0 }
  const lender = yield* recordingLenderServer({ stepMs: 1_000, now: () => Date.now() + clock.offset })
  const { running, token } = yield* startNode(url, {
    LASTRO_LENDER: "http",
    LASTRO_LENDER_URL: lender.url,
    LASTRO_LENDER_CALLBACK_SECRET: exampleCallbackSecret
  })
  const post = Effect.fnUntraced(function*(path: string, json: object) {
    const reply = yield* ask(running, `/api/v1${path}`, { token, json })
    return reply.status < 300 ? reply : yield* Effect.die(new Error(reply.text))
  })
  const valid_from = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10)
  const roots = yield* ask(running, "/api/v1/partners", { token })
  let partner = String(at(roots, "content", 0, "partner_id"))
  for (let height = 0; height < chainLength; height++) {
    if (height > 0) partner = String(at(yield* post("/partners", partnerOf(partner, height)), "data", "partner_id"))
    const plan = height === 0 ? { basis: "NET", rates: [{ percent: 20 }] } : { rates: [{ of_parent: 80 }] }
    if (hasPlans) yield* post(`/partners/${partner}/commission-plans`, { valid_from, ...plan })
  }
  const client = yield* post("/clients", { name: "Seller", group_id: "admin", partner_id: partner })
  const [id, secret] = [String(at(client, "data", "client_id")), String(at(client, "client_secret"))]
  const desk = patientClient(running, tokenOf(yield* signIn(running, id, secret)))
  const sql = yield* connect(url)
  return { name, running, desk, sql, clock, postmaster: yield* postmasterOf(sql) }
})

type Network = Effect.Success<ReturnType<typeof startNetwork>>

/**
 * Sells contracts, and waits until all of them are at the lender. Then lets the lender pay them, and sends a callback
 * for each. Returns the processor milliseconds until all are PAID, per contract.
 */
const pay = Effect.fnUntraced(function*({ clock, desk, postmaster, running, sql }: Network, contracts: number) {
  clock.offset = -3_600_000
  const sellOne = Effect.gen(function*() {
    const { id, proposal } = yield* acceptOffer(desk)
    yield* desk.until(id, (status) => at(status, "next_action") === "SIGN")
    return proposal
  })
  const proposals = yield* Effect.replicateEffect(sellOne, contracts, { concurrency: 4 })
  const costOf = meterCost([running.pid], postmaster)
  clock.offset = 3_600_000
  yield* Effect.forEach(proposals, (proposal_id) => {
    const { body, headers, path } = signedCallback(exampleCallbackSecret, { proposal_id }, {
      id: `paid-${proposal_id}`
    })
    return ask(running, path, { body: new Uint8Array(body), headers: headers as Record<string, string> })
  }, { concurrency: 4, discard: true })
  const unpaid = sql`select from proposal where ${sql.in("id", proposals)} and status <> 'PAID' limit 1`
  while ((yield* unpaid).length > 0) yield* Effect.sleep("100 millis")
  return costOf(contracts)
})

const flags = {
  contracts: whole("contracts", 100, "Number of contracts in each run"),
  rounds: whole("rounds", 5, "Number of rounds, after one that is not measured")
}

/** Measures the processor time of a payment, with a commission for each of 12 partners, and without commissions. */
export const payments = benchmark(
  "payments",
  "Measures the payment of contracts that a chain of 12 partners earns commissions for, and of others",
  flags,
  Effect.fnUntraced(function*({ contracts, rounds }) {
    const postgres = yield* server
    const networks = [
      yield* startNetwork(postgres, "without plans", false),
      yield* startNetwork(postgres, "12 partners with plans", true)
    ]
    const taken = yield* inRounds(networks, rounds + 1, (network) => pay(network, contracts))
    const results = taken.map(({ runs: [_, ...runs], variant: { name } }) => ({
      name,
      node: median(runs.map(({ node }) => node)),
      postgres: median(runs.map(({ postgres }) => postgres))
    }))
    const [plain] = results
    const without = (plain?.node ?? Number.NaN) + (plain?.postgres ?? Number.NaN)
    return {
      lines: [table(
        ["payment of a contract", "node ms", "PostgreSQL ms", "both, × without plans"],
        results.map(({ name, node, postgres }) => [
          name,
          shown(node, 2),
          shown(postgres, 2),
          shown((node + postgres) / without, 2)
        ])
      )],
      results: { results }
    }
  })
)
