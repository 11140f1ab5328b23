/* oxlint-disable eslint/no-await-in-loop -- a step of a history follows the one before */
import { assert, describe, it } from "@effect/vitest"
import { type Caller } from "@lastro/domain/access"
import { type CommissionEntry } from "@lastro/domain/commission"
import { CommonPasswords, PasswordHasher } from "@lastro/domain/identity"
import { type Page } from "@lastro/domain/input"
import { IdGenerator, SecretGenerator } from "@lastro/domain/ports"
import { type Administration, type Commissions, openAdministration, openCommissions } from "@lastro/domain/promises"
import { layerMemory } from "@lastro/testkit"
import { LedgerOracle } from "@lastro/testkit/scenarios"
import { Clock, Context, Effect, Exit, Layer, Redacted, Result, Scope } from "effect"
import * as fc from "fast-check"
import { randomUUID } from "node:crypto"
import { rounds } from "../../../../test/rounds.ts"
import { checkInvariants, layerPostgres } from "../../src/index.ts"
import { migratedDatabase } from "../postgres.ts"

/** A random step. Numbers choose a partner, a contract or an amount. */
type Step = readonly [
  kind: "plan" | "move" | "accept" | "pay" | "reverse" | "adjust" | "month" | "close" | "payout",
  one: number,
  other: number
]

const number = fc.nat({ max: 1_000_000 })

const step = fc.tuple(
  fc.constantFrom<Step[0]>(
    ...([
      "plan",
      "plan",
      "move",
      "accept",
      "accept",
      "accept",
      "pay",
      "pay",
      "pay",
      "reverse",
      "adjust",
      "month"
    ] as const),
    "close",
    "payout"
  ),
  number,
  number
)

/** Steps that set up a network come first, so that most contracts earn something. */
const history = fc.array(step, { minLength: 12, maxLength: 30 })

const start = Date.parse("2026-01-10T12:00:00Z")
const dayMs = 86_400_000

/** The time of both nodes. Sleeps are real. */
const time = { now: start }

const layerClock = Layer.effect(
  Clock.Clock,
  Effect.map(Clock.Clock, (real): Clock.Clock =>
    Object.assign(Object.create(real) as Clock.Clock, {
      currentTimeMillisUnsafe: () => time.now,
      currentTimeMillis: Effect.sync(() => time.now)
    }))
)

/** Random ids: the clock goes back for each history, and ids of the testkit would repeat. */
const generators = Layer.merge(
  Layer.succeed(IdGenerator, { next: Effect.sync(() => randomUUID() as never) }),
  Layer.effectContext(
    Effect.map(Layer.build(layerMemory), Context.pick(CommonPasswords, PasswordHasher, SecretGenerator))
  )
)

const ok = async <A>(answer: Promise<Result.Result<A, unknown>>): Promise<A> => Result.getOrThrow(await answer)

interface Node {
  readonly administration: Administration
  readonly commissions: Commissions
}

const openNode = async (url: string): Promise<Node> => {
  const ports = Layer.provideMerge(
    Layer.merge(layerPostgres({ url: Redacted.make(url), maxConnections: 6 }), generators),
    layerClock
  )
  const administration = await openAdministration(ports)
  return { administration, commissions: await openCommissions(administration.layer as never) }
}

const percentOf = (units: number): string => (units / 10_000).toFixed(4)

/** A valid CNPJ for a number. */
const cnpjOf = (index: number): string => {
  const base = String(10_000_000 + index).padStart(8, "0").slice(-8) + "0001"
  const digit = (text: string): number => {
    const sum = Array.from(text).toReversed().reduce((total, one, at) => total + Number(one) * (2 + at % 8), 0)
    return sum % 11 < 2 ? 0 : 11 - sum % 11
  }
  const first = digit(base)
  return `${base}${first}${digit(`${base}${first}`)}`
}

let documents = 0

const partnerBody = (name: string, parent_uuid?: string) => ({
  partner: {
    type: "pj",
    name,
    email: "loja@example.com",
    phone: "1133334444",
    document_number: cnpjOf(documents++),
    ...parent_uuid === undefined ? {} : { parent_uuid }
  }
})

const monthOf = (): string => new Date(time.now - 3 * 3_600_000).toISOString().slice(0, 7)

/** Plays a history on two nodes, and compares every sum with the oracle. */
const play = async (nodes: readonly [Node, Node], steps: ReadonlyArray<Step>) => {
  time.now = start
  const [{ administration, commissions }] = nodes
  const root = await ok(administration.createRootPartner(partnerBody("Raiz")))
  const caller: Caller = await ok(administration.callerAt(root.partner_id, { subject: "test", group: "admin" }))
  const oracle = new LedgerOracle()
  oracle.add(root.partner_id, null)
  const partners: Array<string> = [root.partner_id]
  for (const above of [0, 0, 1, 2]) {
    const parent = partners[above] ?? ""
    const { partner_id } = await ok(administration.createPartner(caller, partnerBody("Loja", parent)))
    oracle.add(partner_id, parent)
    partners.push(partner_id)
  }
  const contracts: Array<string> = []
  /** Does the same on both nodes at the same time. */
  const both = <A>(run: (commissions: Commissions) => Promise<A>) =>
    Promise.all(nodes.map((node) => run(node.commissions)))
  const plan = async (partner: string, percent: string) => {
    const valid_from = new Date(time.now - 3 * 3_600_000).toISOString().slice(0, 10)
    const body = partner === root.partner_id
      ? { valid_from, basis: "NET", rates: [{ percent: Number(percent) }] }
      : { valid_from, rates: [{ of_parent: Number(percent) }] }
    await ok(commissions.createCommissionPlan(caller, partner, body as never))
    oracle.plan(partner, percent)
  }
  for (const partner of partners) await plan(partner, "61.2345")
  for (const [kind, one, other] of steps) {
    const below = partners[1 + one % (partners.length - 1)] ?? ""
    const contract_id = contracts[one % Math.max(1, contracts.length)]
    const period = monthOf()
    switch (kind) {
      case "plan":
        await plan(partners[one % partners.length] ?? "", percentOf(other))
        break
      case "move": {
        const parent = partners[other % partners.length] ?? ""
        if (oracle.path(parent).includes(below) || oracle.path(below).at(-2) === parent) break
        await ok(administration.updatePartner(caller, below, { partner: { parent_uuid: parent } }))
        oracle.move(below, parent)
        break
      }
      case "accept": {
        const id = randomUUID()
        const net = 10_000 + other
        const amounts = {
          gross_amount: (net + 30_000) / 100,
          principal_amount: (net + 2_000) / 100,
          net_amount: net / 100
        }
        const body = {
          contract_id: id,
          partner_id: partners[one % partners.length],
          lender: "bank",
          table: "gold",
          ...amounts
        }
        await both((node) => ok(node.recordAcceptance(caller, body)))
        contracts.push(id)
        oracle.accept(id, partners[one % partners.length] ?? "", net)
        break
      }
      case "pay": {
        if (contract_id === undefined) break
        const paid_at = new Date(time.now).toISOString()
        await both((node) => ok(node.recordPayment(caller, { contract_id, paid_at })))
        oracle.pay(contract_id)
        break
      }
      case "reverse":
        if (contract_id === undefined) break
        await both((node) => node.recordReversal(caller, { contract_id }))
        oracle.reverse(contract_id)
        break
      case "adjust": {
        const amount = (other % 20_001) - 10_000
        if (amount === 0) break
        await ok(commissions.adjustCommission(caller, { partner_id: below, amount: amount / 100, note: "n" }))
        oracle.adjust(below, amount)
        break
      }
      case "month":
        time.now += 20 * dayMs
        break
      case "close":
        await both((node) => node.closeCommissions(caller, { partner_id: below, period: "2026-01" }))
        break
      case "payout": {
        const { content } = await ok(
          commissions.listCommissions(caller, { partner_id: below, status: "CLOSED", size: 100 })
        )
        const closed = content.filter((entry) => entry.period <= period)
        const cents = closed.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
        const body = {
          partner_id: below,
          period,
          amount: Math.max(1, cents) / 100,
          reference: "TED",
          paid_at: "2026-01-01T00:00Z"
        }
        const answers = await both((node) => node.createCommissionPayout(caller, body))
        assert.strictEqual(answers.filter(Result.isSuccess).length, cents > 0 ? 1 : 0, "one of two payouts wins")
      }
    }
  }
  const entries: Array<{ readonly partner_id: string; readonly proposal_id: string | null; readonly amount: number }> =
    []
  let after: string | null = "start"
  while (after !== null) {
    const page: Page<CommissionEntry> = await ok(nodes[1].commissions.listCommissions(caller, { size: 100, after }))
    entries.push(...page.content.map((one) => ({ ...one, amount: Math.round(one.amount * 100) })))
    after = page.next ?? null
  }
  const sum = (found: typeof entries) => found.reduce((total, { amount }) => total + amount, 0)
  for (const id of contracts) {
    const own = entries.filter((entry) => entry.proposal_id === id)
    assert.strictEqual(sum(own), oracle.sumOf(id))
    assert.isAtMost(
      new Set(own.map(({ amount, partner_id }) => `${partner_id} ${amount > 0}`)).size,
      2 * partners.length
    )
  }
  const balances = oracle.balances()
  for (const partner of partners) {
    assert.strictEqual(sum(entries.filter((entry) => entry.partner_id === partner)), balances.get(partner) ?? 0)
  }
  return entries.length
}

describe("the ledger of commissions over random histories on two nodes", () => {
  it("COMM-09 COMM-12 COMM-13 COMM-26 the sum of every contract and every balance are exact", async () => {
    const scope = Scope.makeUnsafe()
    const url = await Effect.runPromise(Scope.provide(migratedDatabase, scope))
    const nodes = [await openNode(url), await openNode(url)] as const
    let entries = 0
    try {
      await fc.assert(
        fc.asyncProperty(history, async (steps) => {
          entries += await play(nodes, steps)
        }),
        { numRuns: rounds, endOnFailure: true }
      )
      assert.isAbove(entries, 0)
      assert.deepStrictEqual(await ok(nodes[0].commissions.run(checkInvariants as never)), [] as never)
    } finally {
      for (const { administration, commissions } of nodes) {
        await commissions.close()
        await administration.close()
      }
      await Effect.runPromise(Scope.close(scope, Exit.void))
    }
  }, 60_000 + rounds * 10_000)
})
