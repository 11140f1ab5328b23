import { assert, describe, it } from "@effect/vitest"
import { answerWithOffers, saveApplication, storeApplication } from "@lastro/testkit"
import { Effect, Option, Result } from "effect"
import fc from "fast-check"
import { listAudit } from "../../src/audit/ListAudit.ts"
import { listClients } from "../../src/client/ListClients.ts"
import { type RawQuery } from "../../src/input/RawQuery.ts"
import { loanPlaces } from "../../src/loan/LoanPlace.ts"
import { parseNumberFilter, proposalNumber } from "../../src/loan/ProposalNumber.ts"
import { createApiClient } from "../../src/operator/apiClients.ts"
import { listApplications } from "../../src/origination/ListApplications.ts"
import { listProposals } from "../../src/origination/ListProposals.ts"
import {
  funnelOf,
  funnelStages,
  summarizeApplications,
  summaryOf
} from "../../src/origination/SummarizeApplications.ts"
import { listUsers } from "../../src/user/ListUsers.ts"
import { currentTimestamp } from "../../src/values/Timestamp.ts"
import { callerOf, outcomeOf, permit, runWithoutWorkers, storeTwoTrees } from "../fixtures.ts"

describe("filters of lists", () => {
  it.effect("PAGE-33 HIER-07 T03 partner_scope=subtree selects the records of a partner and its descendants inside the caller's subtree", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { a, aa, aAdmin, b, root: above } = yield* storeTwoTrees
      const at = yield* currentTimestamp
      for (const partner of [a, aa, b]) {
        const opened = yield* storeApplication(partner, { at })
        yield* saveApplication(opened, yield* answerWithOffers(opened))
        yield* createApiClient(partner.partner_id, "viewer")
      }
      const totals = Effect.fnUntraced(function*(caller: Parameters<typeof permit>[0], query: RawQuery) {
        const [fgts, proposals, users, audit] = [
          yield* permit(caller, "fgts:read"),
          yield* permit(caller, "proposals:read"),
          yield* permit(caller, "users:read"),
          yield* permit(caller, "audit:read")
        ]
        const applications = (yield* listApplications(fgts, query)).page.total_elements
        assert.strictEqual((yield* summarizeApplications(fgts, query)).data.total, applications)
        yield* listProposals(proposals, query)
        const clients = (yield* listClients(yield* permit(caller, "clients:write"), query)).page.total_elements
        assert.strictEqual(clients, applications)
        yield* listAudit(audit, query)
        return [applications, (yield* listUsers(users, query)).page.total_elements]
      })
      const caller = yield* callerOf(aAdmin)
      const [own, all] = [yield* totals(caller, { partner_id: a.partner_id }), yield* totals(caller, {})]
      assert.deepStrictEqual(own[0], 1)
      assert.deepStrictEqual(all[0], 2)
      const subtree = { partner_id: a.partner_id, partner_scope: "subtree" }
      assert.deepStrictEqual(yield* totals(caller, subtree), all)
      assert.deepStrictEqual((yield* totals(caller, { ...subtree, partner_id: aa.partner_id }))[0], 1)
      assert.deepStrictEqual(yield* totals(caller, { ...subtree, partner_scope: "self" }), own)
      // A sibling, an ancestor, and a partner that does not exist.
      for (const partner_id of [b.partner_id, above.partner_id, "00000000-0000-7000-8000-000000000000"]) {
        assert.deepStrictEqual(yield* totals(caller, { ...subtree, partner_id }), [0, 0])
      }
      const allowed = yield* permit(caller, "fgts:read")
      const alone = { partner_scope: "subtree" }
      for (
        const outcome of [
          yield* outcomeOf(listApplications(allowed, alone)),
          yield* outcomeOf(summarizeApplications(allowed, alone))
        ]
      ) assert.strictEqual(outcome, "query.partner_id REQUIRED")
    })))

  it("FGTS-76 each stage of the funnel has at most as many applications as the stage before it", () => {
    const counts = fc.array(fc.nat(1_000), { minLength: loanPlaces.size, maxLength: loanPlaces.size })
    fc.assert(fc.property(counts, (numbers) => {
      const places = Array.from(loanPlaces.keys(), (place, index) => [place, numbers[index] ?? 0] as const)
      const summary = summaryOf(new Map(places))
      const stages = funnelOf(summary)
      const sizes = funnelStages.map((stage) => stages[stage])
      assert.strictEqual(sizes[0], summary.total)
      assert.deepStrictEqual(sizes, sizes.toSorted((one, other) => other - one))
      const withContract = places.filter(([place]) => loanPlaces.get(place)?.proposal_status !== null)
      assert.strictEqual(stages.accepted, withContract.reduce((sum, [, count]) => sum + count, 0))
    }))
  })

  it("FGTS-75 a summary counts each application by status, next action and status of the proposal", () => {
    const counts = new Map(Array.from(loanPlaces.keys(), (place, index) => [place, index + 1] as const))
    const { by_next_action, by_proposal_status, by_status, total } = summaryOf(counts)
    const sum = (numbers: Readonly<Record<string, number>>) =>
      Object.values(numbers).reduce((one, other) => one + other)
    assert.strictEqual(total, loanPlaces.size * (loanPlaces.size + 1) / 2)
    assert.strictEqual(sum(by_status), total)
    assert.strictEqual(sum(by_next_action), total)
    assert.strictEqual(by_proposal_status.PAID, counts.get("CONTRACTED/NONE/PAID"))
    assert.strictEqual(summaryOf(new Map()).by_status.QUOTED, 0)
  })

  it("PROP-19 a proposal number is read in any letter case, and with letters that look like digits", () => {
    const number = proposalNumber("-".repeat(10))
    assert.deepStrictEqual(parseNumberFilter(number.toLowerCase()), Result.succeed(Option.some(number)))
    assert.deepStrictEqual(
      parseNumberFilter(" oil0000000 "),
      Result.succeed(Option.some("0110000000" as typeof number))
    )
    assert.deepStrictEqual(parseNumberFilter(""), Result.succeed(Option.none()))
    for (const text of ["7K3Q0ZVM9", "7K3Q0ZVM9TT", "7K3Q0ZVM9U", "7K3Q0ZVM9-"]) {
      assert.isTrue(Result.isFailure(parseNumberFilter(text)), text)
    }
  })
})
