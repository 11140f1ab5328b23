import { assert, describe, it } from "@effect/vitest"
import { openTestLastro } from "@lastro/testkit"
import { commissionOracle } from "@lastro/testkit/scenarios"
import { Result } from "effect"
import { type Caller } from "../../src/access/Caller.ts"
import { ValidationFailed } from "../../src/input/ValidationFailed.ts"
import { acceptedOffer } from "../../src/loan/Application.ts"
import { centavos } from "../../src/values/Centavos.ts"
import { type Timestamp } from "../../src/values/Timestamp.ts"
import { amounts, entriesOf, ok, openNetwork, refusal, sell, write, writePlans } from "./network.ts"

describe("commissions", () => {
  it("COMM-18 accrue once when a contract is paid, by the chain of the acceptance, and are clawed back once", async () => {
    await using fixture = await openTestLastro()
    const network = await openNetwork(fixture)
    const { callers, ids } = network
    await writePlans(fixture, network)
    const { proposal_id, stored } = await sell(fixture, callers.seller)
    // Neither a new plan nor a move changes what the acceptance froze.
    await ok(write(fixture, callers.root, ids.master.partner_id, [{ of_parent: 1 }]))
    await ok(fixture.lastro.updatePartner(callers.root, ids.store.partner_id, {
      partner: { parent_uuid: ids.other.partner_id }
    }))
    fixture.lender.moveContract(proposal_id, "PAID")
    await fixture.finishWork()
    const application = stored()
    const net = application === undefined ? 0 : acceptedOffer(application)?.terms.net_amount ?? 0
    const expected = commissionOracle(net, [
      { partner: ids.root.partner_id, percent: "12.5" },
      { partner: ids.master.partner_id, percent: "60" },
      { partner: ids.store.partner_id, percent: "50" },
      { partner: ids.seller.partner_id, percent: "33.3333" }
    ])
    const accrued = await entriesOf(fixture, callers.root)
    assert.deepStrictEqual(amounts(accrued), new Map(expected))
    assert.isTrue(accrued.every((entry) => entry.proposal_id === proposal_id && entry.kind === "ACCRUAL"))
    assert.strictEqual(accrued[0]?.payable_on, "2026-02-08")
    // A withdrawal that is not paid changes nothing.
    fixture.lender.moveContract(proposal_id, "REFUND_PENDING")
    await fixture.finishWork()
    fixture.lender.moveContract(proposal_id, "PAID")
    await fixture.finishWork()
    assert.lengthOf(await entriesOf(fixture, callers.root), 4)
    fixture.lender.moveContract(proposal_id, "REFUNDED")
    await fixture.finishWork()
    assert.strictEqual(stored()?.proposal?.status, "REFUNDED")
    const clawed = await entriesOf(fixture, callers.root, { kind: "CLAWBACK" })
    assert.deepStrictEqual(amounts(clawed), new Map(Array.from(expected, ([partner, one]) => [partner, -one])))
    assert.lengthOf(await entriesOf(fixture, callers.root), 8)
  })

  it("PROP-20 COMM-18 accrue from the recording of a payment that the lender states in the far future", async () => {
    await using fixture = await openTestLastro()
    const network = await openNetwork(fixture)
    const { callers } = network
    await writePlans(fixture, network)
    const { proposal_id } = await sell(fixture, callers.seller)
    const paid = { amount: centavos(100), at: "2199-12-30T12:00:00.000Z" as Timestamp, end_to_end_id: null }
    fixture.lender.moveContract(proposal_id, "PAID", { paid })
    await fixture.finishWork()
    const accrued = await entriesOf(fixture, callers.root)
    assert.deepStrictEqual(accrued.map(({ payable_on }) => payable_on), Array.from({ length: 4 }, () => "2026-02-08"))
    await ok(fixture.lastro.withdrawFromProposal(callers.seller, proposal_id, { reason: "CUSTOMER_REQUEST" }))
  })

  it("COMM-14 COMM-20 COMM-22 all problems of a closing, a payout and an adjustment are reported together", async () => {
    await using fixture = await openTestLastro()
    const { callers, ids } = await openNetwork(fixture)
    const problems = async (answer: Promise<Result.Result<unknown, object>>) => {
      const failure = Result.getOrThrow(Result.flip(await answer))
      return failure instanceof ValidationFailed ? failure.problems.map(({ code, field }) => `${field} ${code}`) : []
    }
    const { closeCommissions, adjustCommission, createCommissionPayout } = fixture.lastro
    const wrong = (body: object) => ({ partner_id: ids.master.partner_id, wrong: 1, ...body }) as never
    const closing = wrong({ period: "2199-01" })
    assert.sameMembers(await problems(closeCommissions(callers.root, closing)), [
      "wrong UNKNOWN_FIELD",
      "period OUT_OF_RANGE"
    ])
    const adjustment = wrong({ amount: 0, note: "" })
    assert.sameMembers(await problems(adjustCommission(callers.root, adjustment)), [
      "wrong UNKNOWN_FIELD",
      "note TOO_SHORT",
      "amount OUT_OF_RANGE"
    ])
    const payout = wrong({ period: "2026-01", amount: -1, reference: "T", paid_at: "2199-01-01T00:00:00Z" })
    assert.sameMembers(await problems(createCommissionPayout(callers.root, payout)), [
      "wrong UNKNOWN_FIELD",
      "amount OUT_OF_RANGE",
      "paid_at OUT_OF_RANGE"
    ])
    const withheld = [{ kind: "ISS", amount: 3 }, { kind: "IRRF", amount: 3 }]
    assert.sameMembers(
      await problems(createCommissionPayout(callers.root, wrong({ period: "2026-13", amount: 5, withheld }))),
      [
        "wrong UNKNOWN_FIELD",
        "period INVALID_FORMAT",
        "withheld OUT_OF_RANGE",
        "reference REQUIRED",
        "paid_at REQUIRED"
      ]
    )
  })

  it("COMM-09 a contract that was accepted without plans accrues nothing", async () => {
    await using fixture = await openTestLastro()
    const network = await openNetwork(fixture)
    const { callers } = network
    const { proposal_id, stored } = await sell(fixture, callers.seller)
    await writePlans(fixture, network)
    fixture.lender.moveContract(proposal_id, "PAID")
    await fixture.finishWork()
    assert.isNull(stored()?.proposal?.commission)
    assert.deepStrictEqual(await entriesOf(fixture, callers.root), [])
  })

  it("T01 COMM-12 COMM-17 nobody sees or can compute the share of a partner above it or beside it", async () => {
    await using fixture = await openTestLastro()
    const network = await openNetwork(fixture)
    const { callers, ids } = network
    const { lastro } = fixture
    await writePlans(fixture, network)
    const { proposal_id } = await sell(fixture, callers.seller)
    fixture.lender.moveContract(proposal_id, "PAID")
    await fixture.finishWork()
    const visible = {
      root: ["root", "master", "store", "seller"],
      master: ["master", "store", "seller"],
      other: [],
      store: ["store", "seller"],
      seller: ["seller"]
    } as const
    const all = await entriesOf(fixture, callers.root)
    const attack = async (name: keyof typeof visible) => {
      const caller = callers[name]
      const seen = new Set<string>(visible[name].map((one) => ids[one].partner_id))
      const expected = all.filter(({ partner_id }) => seen.has(partner_id))
      const page = await ok(lastro.listCommissions(caller, { size: 1 }))
      assert.strictEqual(page.page.total_elements, expected.length, name)
      const listed = await entriesOf(fixture, caller)
      assert.sameDeepMembers([...listed], expected)
      const hidden = Object.values(ids).filter(({ partner_id }) => !seen.has(partner_id))
      const filters = hidden.flatMap(({ partner_id }) =>
        ["self", "subtree"].map((partner_scope) => ({ partner_id, partner_scope }))
      )
      const found = await Promise.all(filters.map((query) => entriesOf(fixture, caller, query)))
      assert.deepStrictEqual(found.flat(), [], name)
      const above = await Promise.all(
        hidden.map(({ partner_id }) => refusal(lastro.getCurrentCommissionPlan(caller, partner_id)))
      )
      assert.isTrue(
        above.every((tag) => tag === "OutsideHierarchy" || tag === "NotFound"),
        `${name} ${above.join(" ")}`
      )
      const exported: Array<unknown> = []
      for await (const entry of await ok(lastro.exportList(caller, "listCommissions"))) exported.push(entry)
      assert.sameDeepMembers(exported, [...expected])
      const { content, total } = await ok(lastro.summarizeCommissions(caller, { period: "2026-01" }))
      const sum = expected.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0)
      assert.strictEqual(Math.round(total.accrued * 100), sum)
      assert.sameMembers(content.map(({ partner_id }) => partner_id as string), [...seen])
      const text = JSON.stringify([listed, content])
      for (const one of all.filter(({ partner_id }) => !seen.has(partner_id))) assert.notInclude(text, one.entry_id)
    }
    // One after the other, because a tree has at most two exports at a time.
    await (["root", "master", "other", "store", "seller"] as const).reduce(
      (before, name) => before.then(() => attack(name)),
      Promise.resolve()
    )
  })

  it("COMM-17 a plan shows its parts only to those above it when it was written, and the audit shows none", async () => {
    await using fixture = await openTestLastro()
    const network = await openNetwork(fixture)
    const { callers, ids } = network
    const { lastro } = fixture
    await writePlans(fixture, network)
    const current = (caller: Caller, partner_id: string) => lastro.getCurrentCommissionPlan(caller, partner_id)
    const own = await ok(current(callers.store, ids.store.partner_id))
    assert.deepStrictEqual([own.created_by, own.basis], [null, "NET"])
    assert.deepStrictEqual(own.rates, [
      { lender: null, table: null, percent: null, of_parent: null, effective_percent: 3.75 }
    ])
    const above = await ok(current(callers.master, ids.store.partner_id))
    assert.deepStrictEqual([above.rates[0]?.of_parent, above.created_by], [50, callers.master.subject])
    assert.strictEqual(await refusal(current(callers.store, ids.master.partner_id)), "OutsideHierarchy")
    assert.strictEqual(await refusal(current(callers.store, ids.root.partner_id)), "OutsideHierarchy")
    assert.strictEqual(await refusal(current(callers.other, ids.store.partner_id)), "OutsideHierarchy")
    // After a move, the new parent reads the old plan without its part, and the partner has none.
    await ok(
      lastro.updatePartner(callers.root, ids.store.partner_id, { partner: { parent_uuid: ids.other.partner_id } })
    )
    assert.strictEqual(await refusal(current(callers.other, ids.store.partner_id)), "NotFound")
    const [moved] = (await ok(lastro.listCommissionPlans(callers.other, ids.store.partner_id))).content
    assert.deepStrictEqual([moved?.rates[0]?.of_parent, moved?.rates[0]?.effective_percent], [null, null])
    const [stale] = (await ok(lastro.listCommissionPlans(callers.store, ids.store.partner_id))).content
    assert.deepStrictEqual([stale?.rates[0]?.of_parent, stale?.rates[0]?.effective_percent], [null, null])
    const audit = await ok(lastro.listAudit(callers.store, { action: "commission_plan.create" }))
    assert.isNotEmpty(audit.content)
    assert.notInclude(JSON.stringify(audit.content.map(({ after, before }) => [after, before])), "50")
  })

  it("COMM-05 COMM-21 COMM-22 a partner is closed and paid by those above it, exactly once", async () => {
    await using fixture = await openTestLastro()
    const network = await openNetwork(fixture)
    const { callers, ids } = network
    const { lastro } = fixture
    await writePlans(fixture, network)
    const { proposal_id } = await sell(fixture, callers.seller)
    fixture.lender.moveContract(proposal_id, "PAID")
    await fixture.finishWork()
    const partner_id = ids.store.partner_id
    const [accrual] = await entriesOf(fixture, callers.master, { partner_id })
    const earned = Math.round((accrual?.amount ?? 0) * 100)
    const period = "2026-01"
    const close = (caller: Caller, fields = {}) => lastro.closeCommissions(caller, { partner_id, period, ...fields })
    assert.strictEqual(await refusal(close(callers.master)), "ValidationFailed", "the month has not ended")
    await fixture.clock.set("2026-02-01T12:00:00.000Z")
    assert.strictEqual(await refusal(close(callers.store)), "OwnPartner")
    assert.strictEqual(await refusal(close(callers.other)), "ValidationFailed")
    const held = await ok(close(callers.master))
    assert.strictEqual(held.entries, 0, "the entry is on hold")
    await fixture.clock.set("2026-02-08T12:00:00.000Z")
    const closed = await ok(close(callers.master))
    assert.deepStrictEqual([closed.closing_id, closed.entries, closed.amount], [held.closing_id, 1, earned / 100])
    assert.isTrue(closed.complete)
    const adjusted = await ok(lastro.adjustCommission(callers.master, { partner_id, amount: -1, note: "Fee" }))
    assert.deepStrictEqual([adjusted.period, adjusted.status, adjusted.share_percent], ["2026-02", "OPEN", null])
    const payout = (caller: Caller, fields = {}) =>
      lastro.createCommissionPayout(caller, {
        partner_id,
        period,
        amount: earned / 100,
        withheld: [{ kind: "ISS", amount: 0.01 }],
        reference: "TED 1",
        paid_at: "2026-02-08T11:00:00Z",
        ...fields
      })
    assert.strictEqual(await refusal(payout(callers.store)), "OwnPartner")
    assert.strictEqual(await refusal(payout(callers.master, { amount: earned / 100 + 1 })), "ValidationFailed")
    assert.strictEqual(await refusal(lastro.deletePartner(callers.root, ids.seller.partner_id)), "PartnerHasDependents")
    const paid = await ok(payout(callers.master))
    assert.deepStrictEqual([paid.amount, paid.net_amount], [earned / 100, (earned - 1) / 100])
    assert.strictEqual(await refusal(payout(callers.master)), "NothingToPay")
    const [entry] = await entriesOf(fixture, callers.store, { partner_id, kind: "ACCRUAL" })
    assert.deepStrictEqual([entry?.status, entry?.payout_id], ["PAID", paid.payout_id])
    const listed = async (caller: Caller) => (await ok(lastro.listCommissionPayouts(caller))).content.length
    assert.deepStrictEqual(
      [
        await listed(callers.root),
        await listed(callers.master),
        await listed(callers.store),
        await listed(callers.seller)
      ],
      [1, 1, 1, 0]
    )
    const { content: [summary] } = await ok(lastro.summarizeCommissions(callers.store, { period, partner_id }))
    assert.deepStrictEqual([summary?.accrued, summary?.paid, summary?.payable, summary?.contracts], [
      earned / 100,
      earned / 100,
      0,
      1
    ])
  })
})
