import { assert, it } from "@effect/vitest"
import { openTestLastro } from "@lastro/testkit"
import { commissionOracle, type OracleLink } from "@lastro/testkit/scenarios"
import * as fc from "fast-check"
import { acceptedOffer } from "../../src/loan/Application.ts"
import { amounts, entriesOf, ok, openNetwork, sell, write } from "./network.ts"

const names = ["root", "master", "other", "store", "seller"] as const
type Name = typeof names[number]

const named = fc.constantFrom(...names)
const below = fc.constantFrom<Name>("store", "seller")

const outcome = fc.constantFrom("none" as const, "paid" as const, "refunded" as const)

const step = fc.oneof(
  fc.record({ action: fc.constant("plan" as const), partner: named, tenths: fc.integer({ min: 0, max: 1_000 }) }),
  fc.record({ action: fc.constant("move" as const), partner: below, parent: named }),
  fc.record({ action: fc.constant("sell" as const), partner: below, outcome, isLate: fc.boolean() })
)

/** The tree and the plans, kept apart from the rules of the domain. */
const openModel = () => {
  const parents = new Map<Name, Name>([["master", "root"], ["other", "root"], ["store", "master"], ["seller", "store"]])
  const plans = new Map<Name, string>([["root", "12.5"], ["master", "60"], ["store", "50"], ["seller", "33.3333"]])
  const pathOf = (partner: Name): ReadonlyArray<Name> => {
    const parent = parents.get(partner)
    return parent === undefined ? [partner] : [...pathOf(parent), partner]
  }
  const move = (partner: Name, parent: Name) => {
    if (parents.get(partner) === parent) return
    parents.set(partner, parent)
    plans.delete(partner)
  }
  return { plans, pathOf, move }
}

/** A sold contract, with the chain of the model at its acceptance. */
interface Sold {
  readonly chain: ReadonlyArray<OracleLink>
  readonly outcome: keyof typeof statusesOf
  /** True if the contract is paid after all other steps. */
  readonly isLate: boolean
  readonly sale: Awaited<ReturnType<typeof sell>>
}

const statusesOf = { none: [], paid: ["PAID"], refunded: ["PAID", "REFUNDED"] } as const

const inOrder = <A>(items: ReadonlyArray<A>, run: (item: A) => Promise<void>): Promise<void> =>
  items.reduce((before, item) => before.then(() => run(item)), Promise.resolve())

it(
  "COMM-08 COMM-09 COMM-12 COMM-18 after any plans, moves, payments and reversals, the entries are those of a model",
  () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
        await using fixture = await openTestLastro()
        const { callers, ids } = await openNetwork(fixture)
        const { lastro, lender } = fixture
        const { move, pathOf, plans } = openModel()
        const plan = async (partner: Name, percent: string) => {
          const rate = partner === "root" ? { percent: Number(percent) } : { of_parent: Number(percent) }
          await ok(
            write(fixture, callers.root, ids[partner].partner_id, [rate], partner === "root" ? { basis: "NET" } : {})
          )
        }
        await inOrder(Array.from(plans), ([partner, percent]) => plan(partner, percent))
        const sold: Array<Sold> = []
        const end = ({ outcome: wanted, sale: { proposal_id, stored } }: Sold) =>
          inOrder(statusesOf[wanted], async (status) => {
            lender.moveContract(proposal_id, status)
            await fixture.finishWork()
            assert.strictEqual(stored()?.proposal?.status, status)
          })
        await inOrder(steps, async (one) => {
          if (one.action === "plan") {
            const percent = String(one.tenths / 10)
            plans.set(one.partner, percent)
            await plan(one.partner, percent)
          } else if (one.action === "move" && !pathOf(one.parent).includes(one.partner)) {
            move(one.partner, one.parent)
            const parent_uuid = ids[one.parent].partner_id
            await ok(lastro.updatePartner(callers.root, ids[one.partner].partner_id, { partner: { parent_uuid } }))
          } else if (one.action === "sell") {
            const { isLate, outcome: wanted, partner: seller } = one
            const chain = pathOf(seller).map((partner) => ({
              partner: ids[partner].partner_id as string,
              percent: plans.get(partner) ?? "0"
            }))
            const sale: Sold = { chain, outcome: wanted, isLate, sale: await sell(fixture, callers[seller]) }
            sold.push(sale)
            if (!isLate) await end(sale)
          }
        })
        await inOrder(sold.filter(({ isLate }) => isLate), end)
        let balance = 0
        await inOrder(sold, async ({ chain, outcome: ended, sale: { proposal_id, stored } }) => {
          const application = stored()
          const net = application === undefined ? 0 : acceptedOffer(application)?.terms.net_amount ?? 0
          const earned = Array.from(commissionOracle(net, chain)).filter(([, amount]) =>
            ended !== "none" && amount !== 0
          )
          const negated = ended === "refunded" ? earned.map(([partner, amount]) => [partner, -amount] as const) : []
          const entries = await entriesOf(fixture, callers.root, { proposal_id })
          const of = (kind: string) => amounts(entries.filter((entry) => entry.kind === kind))
          assert.deepStrictEqual(of("ACCRUAL"), new Map(earned))
          assert.deepStrictEqual(of("CLAWBACK"), new Map(negated))
          for (const [, amount] of [...earned, ...negated]) balance += amount
        })
        const { total } = await ok(lastro.summarizeCommissions(callers.root, { period: "2026-01" }))
        assert.strictEqual(Math.round(total.balance * 100), balance)
      }),
      { numRuns: 20 }
    ),
  300_000
)
