import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import {
  effectiveRouting,
  judgeLenders,
  judgeNamedLenders,
  judgeRoutingChange,
  narrowRouting,
  type RoutingLink
} from "../../src/lender/Routing.ts"
import { type QuoteStrategy } from "../../src/offer/QuotePart.ts"
import { type PartnerId } from "../../src/values/ids.ts"

const installed = ["a", "b", "c", "d"]

const link = (
  partner: string,
  lenders: ReadonlyArray<string> | null,
  strategy: QuoteStrategy = "ALL"
): RoutingLink => ({
  partner_id: partner as PartnerId,
  routing: lenders === null ? null : { strategy, lenders, version: 1 }
})

const problemsOf = (judged: ReturnType<typeof judgeLenders>) =>
  Result.isSuccess(judged) ? [] : judged.failure.problems.map(({ code, field }) => `${field} ${code}`)

const chains = fc.array(
  fc.option(fc.shuffledSubarray([...installed, "left"], { minLength: 1 }), { nil: null }),
  { minLength: 1, maxLength: 6 }
)

describe("the routing of a partner", () => {
  it("ROUTE-01 is that of the nearest ancestor, and without any, all lenders in the order of the settings", () => {
    assert.deepStrictEqual(effectiveRouting([link("p", null), link("root", null)], installed), {
      strategy: "ALL",
      lenders: installed,
      source: null
    })
    const inherited = effectiveRouting([link("p", null), link("q", ["c", "a"], "FIRST"), link("root", null)], installed)
    assert.deepStrictEqual(inherited, { strategy: "FIRST", lenders: ["c", "a"], source: "q" as PartnerId })
  })

  it("ROUTE-01 has only the lenders of every routing above it and of the installation, in its own order", () => {
    const chain = [link("p", ["c", "b", "a"]), link("q", null), link("root", ["a", "c", "d"], "FIRST")]
    assert.deepStrictEqual(effectiveRouting(chain, installed).lenders, ["c", "a"])
    assert.strictEqual(effectiveRouting(chain, installed).strategy, "ALL")
    assert.deepStrictEqual(effectiveRouting(chain, ["a", "b"]).lenders, ["a"])
    assert.deepStrictEqual(effectiveRouting([link("p", ["b"]), link("root", ["a"])], installed).lenders, [])
  })

  it("ROUTE-01 is never wider than that of the partner above, whatever the routings are", () => {
    fc.assert(fc.property(chains, (lists) => {
      const chain = lists.map((lenders, index) => link(String(index), lenders))
      const effective = chain.map((_, index) => effectiveRouting(chain.slice(index), installed).lenders)
      effective.forEach((lenders, index) => {
        const above = effective[index + 1] ?? installed
        assert.isTrue(lenders.every((code) => above.includes(code)))
        const own = lists[index] ?? null
        const expected = own === null ? above : own.filter((code) => above.includes(code))
        assert.deepStrictEqual(lenders, expected)
      })
    }))
  })

  it("ROUTE-02 names at least one lender, none twice, and only those that are allowed", () => {
    assert.deepStrictEqual(problemsOf(judgeLenders([], installed)), ["lenders TOO_SHORT"])
    assert.deepStrictEqual(problemsOf(judgeLenders(["a", "x", "a"], ["a"])), [
      "lenders[1] NOT_ALLOWED",
      "lenders[2] DUPLICATE"
    ])
    assert.isTrue(Result.isSuccess(judgeLenders(["b", "a"], installed)))
    assert.deepStrictEqual(problemsOf(judgeNamedLenders(["b", 1], [])), [], "the schema reports it")
    assert.deepStrictEqual(problemsOf(judgeNamedLenders(undefined, [])), [])
  })

  it("ROUTE-03 is not changed by the callers of the partner, except at a root", () => {
    const [root, child, other] = ["root", "child", "other"].map((id) => id as PartnerId) as [
      PartnerId,
      PartnerId,
      PartnerId
    ]
    const judge = (own: PartnerId, partner: PartnerId) =>
      Result.isSuccess(judgeRoutingChange({ partner_id: own, root_id: root }, partner))
    assert.deepStrictEqual([judge(child, child), judge(child, other), judge(root, root), judge(root, child)], [
      false,
      true,
      true,
      true
    ])
  })

  it("ROUTE-04 is narrowed to the lenders that a request names, in its own order", () => {
    assert.deepStrictEqual(narrowRouting(["c", "a", "b"], ["a", "c", "gone"]), ["c", "a"])
    assert.deepStrictEqual(narrowRouting(["c", "a"], undefined), ["c", "a"])
  })
})
