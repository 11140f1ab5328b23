/* oxlint-disable eslint/no-await-in-loop -- a step of a history follows the one before */
import { assert, describe, it } from "@effect/vitest"
import { type Caller } from "@lastro/domain/access"
import { type CommissionEntry } from "@lastro/domain/commission"
import { type Page } from "@lastro/domain/input"
import { type Commissions } from "@lastro/domain/promises"
import { LedgerOracle } from "@lastro/testkit/scenarios"
import { Effect, Exit, Result, Scope } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { randomUUID } from "node:crypto"
import { isOrdeal, rounds } from "../../../../test/rounds.ts"
import { checkInvariants } from "../../src/index.ts"
import { migratedDatabase } from "../postgres.ts"
import { dayOf, type Lane, type Network, ok, openLane, openNetwork } from "./nodes.ts"

const kinds = ["plan", "move", "accept", "pay", "reverse", "adjust", "month", "close", "payout"] as const

const number = fc.nat({ max: 1_000_000 })

/** A random step. Numbers choose a partner, a contract or an amount. `twice`: on both nodes at the same time. */
const step = fc.record({
  kind: fc.constantFrom<typeof kinds[number]>(...kinds, "plan", "accept", "accept", "pay", "pay"),
  one: number,
  other: number,
  twice: fc.boolean()
})

type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

/** The histories of one tree, which follow each other. */
const histories = fc.array(fc.array(step, { minLength: 6, maxLength: 14 }), {
  minLength: isOrdeal ? 25 : 5,
  maxLength: isOrdeal ? 25 : 5
})

/** Plays the steps of the histories of one tree. */
class Player {
  readonly #lane: Lane
  readonly #network: Network
  readonly oracle = new LedgerOracle()
  readonly contracts: Array<string> = []
  #turn = 0

  constructor(lane: Lane, network: Network) {
    this.#lane = lane
    this.#network = network
    for (const [index, partner] of network.partners.entries()) {
      this.oracle.add(partner, network.partners[[0, 0, 0, 1, 2][index] ?? 0] === partner ? null : this.#above(index))
    }
  }

  #above(index: number): string {
    return this.#network.partners[[0, 0, 0, 1, 2][index] ?? 0] ?? ""
  }

  get #caller() {
    const [caller] = this.#network.callers
    if (caller === undefined) throw new Error("The tree has no root")
    return caller
  }

  /** Runs a call on one of the nodes in turn, or on both nodes at the same time. */
  #run<A>(twice: boolean, call: (node: Commissions) => Promise<A>): Promise<ReadonlyArray<A>> {
    const { nodes } = this.#lane
    return Promise.all(twice ? nodes.map(call) : [call(nodes[this.#turn++ % 2] ?? nodes[0])])
  }

  async plan(partner: string, percent: string): Promise<void> {
    const valid_from = dayOf(this.#lane)
    const body = partner === this.#network.partners[0]
      ? { valid_from, basis: "NET", rates: [{ percent: Number(percent) }] }
      : { valid_from, rates: [{ of_parent: Number(percent) }] }
    await this.#run(false, (node) => ok(node.createCommissionPlan(this.#caller, partner, body as never)))
    this.oracle.plan(partner, percent)
  }

  async play({ kind, one, other, twice }: Step): Promise<void> {
    const { oracle } = this
    const { partners: [root, ...others] } = this.#network
    const caller = this.#caller
    const below = others[one % others.length] ?? ""
    const any = [root, ...others][one % (others.length + 1)] ?? root
    const contract_id = this.contracts.at(-1 - one % Math.min(8, Math.max(1, this.contracts.length)))
    const past = dayOf(this.#lane, 32).slice(0, 7)
    switch (kind) {
      case "plan":
        return this.plan(any, (other / 10_000).toFixed(4))
      case "move": {
        const parent = [root, ...others][other % (others.length + 1)] ?? root
        if (oracle.path(parent).includes(below) || oracle.path(below).at(-2) === parent) return
        await ok(
          this.#lane.administration.updatePartner(caller, below, { partner: { parent_uuid: parent } } as never)
        )
        return oracle.move(below, parent)
      }
      case "accept": {
        const contract_id = randomUUID()
        const net = 10_000 + other
        const amounts = {
          gross_amount: (net + 30_000) / 100,
          principal_amount: (net + 2_000) / 100,
          net_amount: net / 100
        }
        const body = { contract_id, partner_id: any, lender: "bank", table: "gold", ...amounts }
        await this.#run(twice, (node) => ok(node.recordAcceptance(caller, body as never)))
        this.contracts.push(contract_id)
        return oracle.accept(contract_id, any, net)
      }
      case "pay": {
        if (contract_id === undefined) return
        const paid_at = new Date(this.#lane.time.now).toISOString()
        const answers = await this.#run(twice, (node) => node.recordPayment(caller, { contract_id, paid_at } as never))
        if (answers.some(Result.isSuccess)) oracle.pay(contract_id)
        return
      }
      case "reverse":
        if (contract_id === undefined) return
        await this.#run(twice, (node) => node.recordReversal(caller, { contract_id } as never))
        return oracle.reverse(contract_id)
      case "adjust": {
        const amount = (other % 20_001) - 10_000
        if (amount === 0) return
        await this.#run(
          false,
          (node) => ok(node.adjustCommission(caller, { partner_id: below, amount: amount / 100, note: "n" } as never))
        )
        return oracle.adjust(below, amount)
      }
      case "month":
        this.#lane.time.now += 20 * 86_400_000
        return
      case "close":
        await this.#run(twice, (node) => node.closeCommissions(caller, { partner_id: below, period: past } as never))
        return
      case "payout": {
        const period = dayOf(this.#lane).slice(0, 7)
        const closed: ReadonlyArray<{ readonly amount: number }> = await this.#query((sql) =>
          sql`select coalesce(sum(amount), 0)::float8 as amount from commission_entry
            where partner_id = ${below} and status = 'CLOSED' and period <= ${period}`
        )
        const cents = closed[0]?.amount ?? 0
        const body = {
          partner_id: below,
          period,
          amount: Math.max(1, cents) / 100,
          reference: "TED",
          paid_at: "2026-01-01T00:00Z"
        }
        const answers = await this.#run(twice, (node) => node.createCommissionPayout(caller, body as never))
        assert.strictEqual(answers.filter(Result.isSuccess).length, cents > 0 ? 1 : 0, "one of two payouts wins")
      }
    }
  }

  #query<A>(query: (sql: SqlClient.SqlClient) => Effect.Effect<A, Error>): Promise<A> {
    return ok(
      this.#lane.nodes[0].run(Effect.flatMap(SqlClient.SqlClient, query) as never) as Promise<Result.Result<A, unknown>>
    )
  }

  /** Compares every sum and every balance, and the stored sums, with the oracle. */
  async verify(): Promise<void> {
    const [root] = this.#network.partners
    const rows = await this.#query((sql) =>
      sql<{ readonly id: string; readonly sum: number }>`
        select proposal_id as id, sum(amount)::float8 as sum from commission_entry
        where root_id = ${root} and kind <> 'ADJUSTMENT' group by proposal_id
        union all
        select partner_id, sum(amount)::float8 from commission_entry where root_id = ${root} group by partner_id
        union all
        select null, sum(accrued + clawed_back + adjusted)::float8 from commission_sum
        where viewer_id = ${root} and partner_id is null`
    )
    const found = new Map(rows.map(({ id, sum }) => [id as string | null, sum ?? 0]))
    for (const id of this.contracts) assert.strictEqual(found.get(id) ?? 0, this.oracle.sumOf(id))
    const balances = this.oracle.balances()
    let balance = 0
    for (const partner of this.#network.partners) {
      balance += balances.get(partner) ?? 0
      assert.strictEqual(found.get(partner) ?? 0, balances.get(partner) ?? 0)
    }
    assert.strictEqual(found.get(null), balance)
  }

  /** Reads all entries that a caller sees, page by page, on both nodes in turn. */
  async #entriesOf(caller: Caller): Promise<ReadonlyArray<CommissionEntry>> {
    const entries: Array<CommissionEntry> = []
    let after: string | null = "start"
    while (after !== null) {
      const node = this.#lane.nodes[this.#turn++ % 2] ?? this.#lane.nodes[0]
      const page: Page<CommissionEntry> = await ok(node.listCommissions(caller, { size: 100, after }))
      entries.push(...page.content)
      after = page.next ?? null
    }
    return entries
  }

  /** Reads everything that the root sees. Returns its entries. */
  async walk(): Promise<ReadonlyArray<CommissionEntry>> {
    const entries = await this.#entriesOf(this.#caller)
    const expected = this.oracle.balances()
    for (const partner of this.#network.partners) {
      assert.strictEqual(sumOf(entries.filter(({ partner_id }) => partner_id === partner)), expected.get(partner) ?? 0)
    }
    return entries
  }

  /**
   * Reads pages, totals, filters and summaries as each partner. Everything that it reads is computed from the entries
   * that it may see, and a partner that it may not see is answered like one that does not exist.
   */
  async attack(all: ReadonlyArray<CommissionEntry>): Promise<void> {
    const { callers, partners } = this.#network
    for (const [index, caller] of callers.entries()) {
      const viewer = partners[index] ?? ""
      const seen = await this.#entriesOf(caller)
      const ofContracts = (entries: ReadonlyArray<CommissionEntry>) =>
        entries.filter(({ kind }) => kind !== "ADJUSTMENT").map(({ entry_id }) => entry_id)
      assert.sameMembers(
        ofContracts(seen),
        ofContracts(all.filter((entry) => this.oracle.sees(viewer, entry.partner_id, entry.proposal_id ?? "")))
      )
      const adjustments = seen.filter(({ kind }) => kind === "ADJUSTMENT")
      assert.strictEqual(sumOf(adjustments), this.oracle.adjustmentsSeenBy(viewer))
      const first = await ok(this.#lane.nodes[0].listCommissions(caller, { size: 1 }))
      assert.strictEqual(first.page.total_elements, seen.length)
      for (const period of new Set(all.map((entry) => entry.period))) {
        const { content, total } = await ok(this.#lane.nodes[1].summarizeCommissions(caller, { period }))
        const entries = seen.filter((entry) => entry.period === period)
        assert.strictEqual(Math.round(total.balance * 100), sumOf(entries))
        assert.sameMembers(content.map(({ partner_id }): string => partner_id), [
          ...new Set(entries.map(({ partner_id }): string => partner_id))
        ])
      }
      const known = new Set<string>(seen.map(({ partner_id }) => partner_id))
      const nobody = await this.#lane.nodes[0].listCommissions(caller, { partner_id: randomUUID() as never })
      for (const partner of partners.filter((one) => !known.has(one))) {
        const found = await this.#lane.nodes[0].listCommissions(caller, { partner_id: partner as never })
        assert.deepStrictEqual(found, nobody)
      }
    }
  }
}

const sumOf = (entries: ReadonlyArray<CommissionEntry>): number =>
  entries.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)

/** Plays the histories of a new tree on two nodes. Returns the number of entries. */
const playTree = async (lane: Lane, played: ReadonlyArray<ReadonlyArray<Step>>): Promise<number> => {
  const network = await openNetwork(lane)
  const player = new Player(lane, network)
  for (const partner of network.partners) await player.plan(partner, "61.2345")
  for (const steps of played) {
    for (const one of steps) await player.play(one)
    await player.verify()
  }
  const entries = await player.walk()
  await player.attack(entries)
  return entries.length
}

/** The number of lanes, which play at the same time, each a tree of its own. */
const lanes = isOrdeal ? 6 : 2

/** The number of trees of each lane: 25 histories for each round in the long form, and 5 otherwise. */
const trees = Math.ceil(isOrdeal ? rounds * 2 / lanes : rounds / lanes)

describe("the ledger of commissions over random histories on two nodes", () => {
  it(
    "T01 COMM-09 COMM-12 COMM-13 COMM-26 every sum and balance is exact, and a partner sees and counts only its own and lower shares",
    async () => {
      const scope = Scope.makeUnsafe()
      const url = await Effect.runPromise(Scope.provide(migratedDatabase, scope))
      const opened = await Promise.all(Array.from({ length: lanes }, () => openLane(url)))
      let entries = 0
      try {
        await Promise.all(opened.map((lane) =>
          fc.assert(
            fc.asyncProperty(histories, async (played) => {
              const written = await playTree(lane, played)
              entries += written
            }),
            { numRuns: trees, endOnFailure: true }
          )
        ))
        assert.isAbove(entries, 0)
        const [first] = opened
        if (first !== undefined) {
          assert.deepStrictEqual(await ok(first.nodes[0].run(checkInvariants as never)), [] as never)
        }
      } finally {
        await Promise.all(opened.map((lane) => lane.close()))
        await Effect.runPromise(Scope.close(scope, Exit.void))
      }
    },
    60_000 + rounds * 60_000
  )
})
